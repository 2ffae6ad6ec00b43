#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace widephase::tools {

/// A file that appears whole or not at all: written beside its place under a temporary name and
/// renamed by `commit`. Whatever stops before that (an error, a signal) removes the temporary and
/// leaves an older file as it was. An older file that may not be written, by its mode, is an error.
/// What is not a regular file (a pipe, a device) is written directly.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void commit();
  const std::string& path() const { return path_; }

 private:
  void discard();

  std::string path_;
  std::string target_;     ///< `path_` with symbolic links followed
  std::string temporary_;  ///< empty when written directly
  int file_ = -1;
};

/// Removes the temporaries of unfinished files when the program is interrupted or terminated.
void remove_unfinished_files_on_signals();

/// Throws a `UsageError` for a path that is not empty and ends in none of `endings`. Devices such
/// as /dev/stdout have no ending and take the first one's format.
void check_ending(std::string_view option, const std::string& path,
                  std::initializer_list<std::string_view> endings);

}  // namespace widephase::tools
