#include "tools/commands/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "tools/commands/stopwatch.hpp"

namespace widephase::tools {

Progress::Progress(std::string stage) : stage_(std::move(stage)) {
  if (isatty(STDERR_FILENO) != 0) thread_ = std::thread([this] { run(); });
}

Progress::~Progress() { finish(); }

void Progress::stage(std::string text) {
  const std::lock_guard lock(mutex_);
  stage_ = std::move(text);
}

void Progress::finish() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_finished_ = true;
  }
  changed_.notify_one();
  thread_.join();
  constexpr const char* kClearLine = "\r\x1b[K";
  if (has_printed_) std::fputs(kClearLine, stderr);
}

void Progress::run() {
  using namespace std::chrono_literals;
  const Stopwatch watch;
  std::unique_lock lock(mutex_);
  auto pause = 1000ms;
  while (!changed_.wait_for(lock, pause, [this] { return is_finished_; })) {
    std::fputs(fmt::format("\r\x1b[K{} ... {:.0f} s", stage_, watch.seconds()).c_str(), stderr);
    std::fflush(stderr);
    has_printed_ = true;
    pause = 200ms;
  }
}

}  // namespace widephase::tools
