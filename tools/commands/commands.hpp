#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace widephase::tools {

/// Adds a subcommand without options. It has a file of its own because CLI11 takes long to compile;
/// this way it is compiled once.
CLI::App* add_command(CLI::App& app, const char* name, const char* text);

/// Each adds a subcommand and returns the function that runs it after the command line is parsed.
/// That function throws `UsageError` for problems with options, `FileError` and `Error` for
/// problems with input.
std::function<void()> add_cast(CLI::App& app);
/// Its function returns the exit code.
std::function<int()> add_check(CLI::App& app);
std::function<void()> add_collide(CLI::App& app);
std::function<void()> add_convert(CLI::App& app);
std::function<void()> add_decompose(CLI::App& app);
std::function<void()> add_demo(CLI::App& app);
std::function<void()> add_distance(CLI::App& app);
std::function<void()> add_generate(CLI::App& app);
std::function<void()> add_info(CLI::App& app);
std::function<void()> add_view(CLI::App& app);

}  // namespace widephase::tools
