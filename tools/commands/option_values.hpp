#pragma once

// What options accept: words in any case, whole numbers such as 1e6, and "-" for a stream. Each
// validator rewrites the text, so it is given to `transform`.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace widephase::tools {

/// One of the words, in any case.
CLI::Validator one_of(std::vector<std::string> words);

/// A whole number within limits: digits, or digits with an exponent whose value is whole. The text
/// becomes digits.
CLI::Validator whole_number(std::int64_t least, std::int64_t most);

/// A file to read: "-" and /dev/stdin are standard input.
CLI::Validator input_file();

/// A file to write: "-" and /dev/stdout are standard output.
CLI::Validator output_file();

/// "; did you mean sat?", or nothing if none of the known words is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace widephase::tools
