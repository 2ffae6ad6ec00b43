#pragma once

// Where commands write: files, and standard output for one of them.

#include <initializer_list>
#include <string>
#include <string_view>

#include "tools/formats/read_scene.hpp"

namespace widephase::tools {

/// An option that names a file to write, and its value; empty if it is not given.
struct Output {
  std::string_view option;
  const std::string& path;
};

/// Throws a `UsageError` if more than one of the outputs goes to standard output, where --json
/// prints too.
void check_streams(std::initializer_list<Output> outputs, bool has_json = false);

/// The format of an output: `to` if it is given, else by the ending, which must be one of
/// `formats`. Standard output and devices get the first. Throws a `UsageError` for an archive to a
/// terminal.
Format format_to_write(const std::string& path, const std::string& to,
                       std::initializer_list<Format> formats);

/// Whether both name the same existing file. A stream is not a file.
bool is_same_file(const std::string& path, const std::string& other);

/// Prints what people read: on standard output, or on standard error if a file goes there.
void print_text(std::string_view text, std::initializer_list<Output> outputs);

/// "  wrote contacts.npz" and a line break for each file that was written.
std::string wrote_text(std::initializer_list<Output> outputs);

}  // namespace widephase::tools
