#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace widephase::tools {

/// A file that appears complete or not at all. It is written under a temporary name in the same
/// folder, and `commit` renames it. If an error or a signal stops the program before that, the
/// temporary file is removed and an older file stays as it was. It is an error if the mode of an
/// older file forbids writing. Anything that is not a regular file (a pipe, a device) is written
/// directly.
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
  std::string target_;     ///< `path_` with symbolic links resolved
  std::string temporary_;  ///< empty if written directly
  int file_ = -1;
};

/// Removes the temporary files of unfinished output if the program is interrupted or terminated.
void remove_unfinished_files_on_signals();

/// Whether a path is standard output or a device such as /dev/null, whose name tells no format.
bool has_no_ending(const std::string& path);

/// Throws a `UsageError` if the path is not empty and has none of the `endings`. Paths that
/// have no ending get the format of the first one.
void check_ending(std::string_view option, const std::string& path,
                  std::initializer_list<std::string_view> endings);

}  // namespace widephase::tools
