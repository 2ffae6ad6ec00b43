#include "tools/formats/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "tools/formats/file_error.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

// Data that a signal handler may read: fixed slots, each a path or null.
constexpr int kMostUnfinished = 8;
std::array<std::atomic<const char*>, kMostUnfinished> unfinished;

void remember(const char* path) {
  for (auto& slot : unfinished) {
    const char* empty = nullptr;
    if (slot.compare_exchange_strong(empty, path)) return;
  }
}

void forget(const char* path) {
  for (auto& slot : unfinished) {
    const char* expected = path;
    if (slot.compare_exchange_strong(expected, nullptr)) return;
  }
}

extern "C" void remove_unfinished(int signal_number) {
  for (auto& slot : unfinished) {
    if (const char* path = slot.load()) unlink(path);
  }
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

/// A rename only needs the right to write in the folder. The mode is checked too, since root may
/// write any file.
bool may_write(const std::string& path, mode_t mode) {
  return (mode & 0222) != 0 && faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

mode_t usual_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

void remove_unfinished_files_on_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    // Signals that were ignored at the start (nohup) stay ignored.
    if (signal(number, remove_unfinished) == SIG_IGN) signal(number, SIG_IGN);
  }
  signal(SIGXFSZ, SIG_IGN);  // write() then fails for a file beyond the size limit
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)), target_(path_) {
  if (has_streams && path_ == kStandardOutput) {
    // A descriptor of its own: committing closes it and leaves the stream alone.
    file_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (file_ < 0)
      throw FileError(path_, std::string("cannot be written: ") + std::strerror(errno));
    return;
  }
  struct stat status;
  const bool exists = stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    throw FileError(path_, "is a directory; expected the name of a file to write");
  }
  if (exists && S_ISREG(status.st_mode) && !may_write(path_, status.st_mode)) {
    throw FileError(path_,
                    fmt::format("may not be written (its mode is {:03o}); name another file, "
                                "or allow it with chmod u+w",
                                status.st_mode & 07777));
  }
  if (exists && !S_ISREG(status.st_mode)) {
    file_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    if (exists) {
      if (char* resolved = realpath(path_.c_str(), nullptr)) {
        target_ = resolved;
        free(resolved);
      }
    }
    const std::size_t slash = target_.rfind('/');
    const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
    temporary_ = target_.substr(0, name) + "." + target_.substr(name) + ".XXXXXX";
    file_ = mkostemp(temporary_.data(), O_CLOEXEC);
    if (file_ < 0) {
      temporary_.clear();
    } else {
      remember(temporary_.c_str());
      // Failing to set the mode is not worth losing the work.
      if (fchmod(file_, exists ? status.st_mode & 07777 : usual_mode()) != 0) errno = 0;
    }
  }
  if (file_ < 0) throw FileError(path_, std::string("cannot be written: ") + std::strerror(errno));
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() {
  if (file_ >= 0) close(file_);
  file_ = -1;
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  forget(temporary_.c_str());
  temporary_.clear();
}

void OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      discard();
      throw FileError(path_, std::string("cannot be written: ") + std::strerror(error));
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void OutputFile::commit() {
  // Some file systems report a full disk only on close.
  const int closed = close(file_);
  file_ = -1;
  if (closed != 0 || (!temporary_.empty() && rename(temporary_.c_str(), target_.c_str()) != 0)) {
    const int error = errno;
    discard();
    throw FileError(path_, std::string("cannot be written: ") + std::strerror(error));
  }
  if (temporary_.empty()) return;
  forget(temporary_.c_str());
  temporary_.clear();
}

bool has_no_ending(const std::string& path) {
  return path.starts_with("/dev/") || (has_streams && path == kStandardOutput);
}

void check_ending(std::string_view option, const std::string& path,
                  std::initializer_list<std::string_view> endings) {
  if (path.empty() || has_no_ending(path)) return;
  const auto is_end = [&](std::string_view ending) { return path.ends_with(ending); };
  if (std::ranges::any_of(endings, is_end)) return;
  throw UsageError(
      fmt::format("{} {} does not end in {}", option, path, fmt::join(endings, " or ")));
}

}  // namespace widephase::tools
