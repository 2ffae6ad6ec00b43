#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace widephase::tools {

/// A line on standard error that says what is being done and for how long. It is shown only on a
/// terminal, and only after the work has taken a second.
class Progress {
 public:
  explicit Progress(std::string stage);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void stage(std::string text);
  /// Clears the line, so that other text may be printed.
  void finish();

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string stage_;
  bool is_finished_ = false;
  bool has_printed_ = false;
  std::thread thread_;
};

}  // namespace widephase::tools
