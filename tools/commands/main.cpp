// widephase: the command line. Exit codes: 0 success, 1 a problem in the input, 2 wrong usage; of
// `check` also 3 for what touches.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <system_error>

#include <widephase/version.hpp>

#include "tools/commands/commands.hpp"
#include "tools/commands/help.hpp"
#include "tools/commands/usage.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/output_file.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {
namespace {

constexpr int kDone = 0;
constexpr int kInputProblem = 1;
constexpr int kWrongUsage = 2;

constexpr const char* kExamples =
    "A file called - is standard input or output. `widephase help COMMAND` tells of one command.\n"
    "\n"
    "Examples:\n"
    "  widephase collide crowd.npz -o contacts.npz --picture crowd.svg\n"
    "  widephase convert trajectory.txt --radius 0.2 -o crowd.npz\n"
    "  widephase convert trajectory.txt --radius 0.2 -o - | widephase collide -\n"
    "  widephase distance motion.npz --kept shelf.npz\n"
    "  widephase cast level.npz --rays lidar.npz -o hits.npz\n"
    "  widephase check arm.urdf --joints q.csv --against shelf.yaml\n"
    "  widephase decompose rooms.geojson -o rooms.npz\n"
    "  widephase generate pile --count 100000 -o pile.npz\n"
    "  widephase view crowd.npz contacts.npz -o crowd.html\n"
    "  widephase demo\n"
    "  widephase info\n";

int wrong_usage(const CLI::App& app, const std::string& message) {
  std::string command = "widephase";
  for (const CLI::App* subcommand : app.get_subcommands()) command += " " + subcommand->get_name();
  print_error(fmt::format("{}: {}\nRun {} --help for what it takes.", command, printable(message),
                          command));
  return kWrongUsage;
}

int input_problem(const std::string& message) {
  print_error(printable(message));
  return kInputProblem;
}

int output_problem(int error) {
  return input_problem(std::string("standard output: cannot be written: ") +
                       std::strerror(error != 0 ? error : EIO));
}

/// If a standard stream is closed, the next file that is opened gets its number, and printed text
/// would go into that file. So each closed stream is opened on /dev/null in the wrong direction:
/// using it still fails, as with a closed one.
void open_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // open() takes the lowest free number, which is this one.
    if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream)
      std::exit(kInputProblem);
  }
}

int run(int argc, char** argv) {
  CLI::App app("Collides shapes in bulk: all contacts of a scene, in 2D and 3D.", "widephase");
  app.formatter(std::make_shared<HelpFormatter>());
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.set_version_flag("--version", "widephase " + std::string(version()), "Print the version");
  app.set_help_flag("-h,--help", "Print this help");
  app.require_subcommand(1);
  app.footer(kExamples);
  std::function<void()> command;
  int result = kDone;
  const auto add = [&](const char* name, std::function<void()> runs) {
    app.get_subcommand(name)->final_callback([&command, runs] { command = runs; });
  };
  add("cast", add_cast(app));
  add("check", [&result, check = add_check(app)] { result = check(); });
  add("collide", add_collide(app));
  add("convert", add_convert(app));
  add("decompose", add_decompose(app));
  add("demo", add_demo(app));
  add("distance", add_distance(app));
  add("generate", add_generate(app));
  add("info", add_info(app));
  add("view", add_view(app));
  try {
    std::vector<std::string> words = ordered_words({argv + 1, argv + argc}, app);
    std::reverse(words.begin(), words.end());  // the parser takes them from the back
    app.parse(words);
    command();
  } catch (const CLI::Success& asked_for_text) {
    app.exit(asked_for_text);
  } catch (const CLI::ParseError& error) {
    return wrong_usage(app, explained(app, error));
  } catch (const UsageError& error) {
    return wrong_usage(app, error.what());
  }
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return output_problem(errno);
  }
  return result;
}

}  // namespace
}  // namespace widephase::tools

int main(int argc, char** argv) {
  using namespace widephase::tools;
  open_closed_streams();
  has_streams = true;
  remove_unfinished_files_on_signals();
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return input_problem("widephase: there is not enough memory for this input");
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) != 0) return output_problem(error.code().value());
    return input_problem(error.what());
  } catch (const widephase::Error& error) {
    return input_problem(said(error));
  } catch (const std::exception& error) {
    return input_problem(error.what());
  }
}
