#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace widephase::tools {

/// Each adds a subcommand and answers what runs it once the command line is parsed. Problems are
/// thrown: `UsageError` for options, `FileError` and `Error` for the input.
std::function<void()> add_collide(CLI::App& app);
std::function<void()> add_convert(CLI::App& app);
std::function<void()> add_decompose(CLI::App& app);
std::function<void()> add_demo(CLI::App& app);
std::function<void()> add_generate(CLI::App& app);
std::function<void()> add_info(CLI::App& app);
std::function<void()> add_view(CLI::App& app);

}  // namespace widephase::tools
