#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace widephase::tools {

/// Adds a subcommand without options. In a file of its own: it is CLI11 itself that takes long to
/// compile, and it is there once.
CLI::App* add_command(CLI::App& app, const char* name, const char* text);

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
