#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace widephase::tools {

/// The words of a command line as the parser takes them: the command first, `help collide` as
/// `collide --help`. Throws a `UsageError` if there is no command, and says which is near.
std::vector<std::string> ordered_words(std::vector<std::string> words, const CLI::App& app);

/// What is wrong with the words, as a sentence: the nearest option for a mistyped one, and what a
/// value that was not expected may have been meant for.
std::string explained(const CLI::App& app, const CLI::ParseError& error);

}  // namespace widephase::tools
