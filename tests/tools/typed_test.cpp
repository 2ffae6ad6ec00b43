// The command line as people type it: standard streams, help, words that are nearly right.
// Labels: plain

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/command.hpp"

extern char** environ;

namespace {

using typed = widephase::test::Command;
using widephase::test::value_of;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

// Standard input and output.

TEST_F(typed, a_dash_is_standard_input_for_every_format_of_scenes) {
  write_row();
  ASSERT_EQ(run("convert row.csv -o row.npz").code, 0);
  ASSERT_EQ(run("convert row.csv -o row.json").code, 0);
  const std::string hash = value_of(run("collide row.csv --json").out, "hash");
  for (const char* line :
       {"widephase collide - --json < row.csv", "widephase collide - --json < row.npz",
        "cat row.csv | widephase collide - --json", "cat row.json | widephase collide --json -",
        "cat row.npz | widephase collide /dev/stdin --json"}) {
    const Outcome outcome = shell(line);
    EXPECT_EQ(outcome.code, 0) << line << outcome.err;
    EXPECT_EQ(value_of(outcome.out, "hash"), hash) << line;
  }
  EXPECT_TRUE(shell("cat row.csv | widephase collide -")
                  .out.starts_with("standard input: 3 circles in 1 world (2D)\n"));
  // A file of this name is one that is named with its folder.
  write("-", "x,y,radius\n0,0,1\n");
  EXPECT_EQ(value_of(run("collide ./- --json").out, "shapes"), "1");
  write("standard input", "x,y,radius\n0,0,1\n");
  EXPECT_EQ(value_of(run("collide 'standard input' --json").out, "shapes"), "1");
}

TEST_F(typed, what_a_pipe_brings_is_told_like_a_file) {
  write("crowd.txt", "1 0 0 0\n");
  EXPECT_EQ(shell("echo 'x,y,radius\n0,zero,1' | widephase collide -").err,
            "standard input: line 2 has \"zero\" where a number is expected\n");
  EXPECT_EQ(shell("widephase collide - < crowd.txt").err,
            "standard input: is of the format trajectory; convert it first: widephase convert - "
            "--radius 0.2 -o scene.npz\n");
  EXPECT_EQ(shell("printf '' | widephase collide -").err, "standard input: is empty\n");
  EXPECT_EQ(
      shell("printf 'PK\\003\\004 and no more' | widephase collide - | cat").err.substr(0, 48),
      "standard input: is not a complete zip archive (N");
  write_row();
  const Outcome twice = shell("cat row.csv | widephase collide - --kept -");
  EXPECT_EQ(twice.code, 1);
  EXPECT_EQ(twice.err, "standard input: is read already; only one input can come from there\n");
}

TEST_F(typed, a_dash_is_standard_output_and_nothing_but_data_goes_there) {
  write_row();
  const std::string csv = "x,y,radius\n0,0,1\n1.5,0,1\n4.5,0,1\n";
  for (const char* name : {"-", "/dev/stdout"}) {
    const Outcome converted = run(std::string("convert row.csv --to csv -o ") + name);
    EXPECT_EQ(converted.code, 0) << converted.err;
    EXPECT_EQ(converted.out, csv);
    EXPECT_EQ(converted.err, "standard output: 3 circles in 1 world (2D)\n");
  }
  EXPECT_FALSE(std::filesystem::exists("-"));
  ASSERT_EQ(run("collide row.csv -o contacts.csv").code, 0);
  const Outcome contacts = run("collide row.csv -o - --to csv");
  EXPECT_EQ(contacts.out, read("contacts.csv"));
  EXPECT_TRUE(contacts.err.starts_with("row.csv: 3 circles in 1 world (2D)\n")) << contacts.err;
  EXPECT_FALSE(contains(contacts.err, "wrote"));
  ASSERT_EQ(run("collide row.csv --picture row.svg").code, 0);
  EXPECT_EQ(run("collide row.csv --picture -").out, read("row.svg"));
  ASSERT_EQ(run("generate uniform --count 9 -o nine.json").code, 0);
  EXPECT_EQ(run("generate uniform --count 9 --to json -o -").out, read("nine.json"));
  write("rings.json", "[[[0,0],[1,0],[0,1]]]");
  ASSERT_EQ(run("decompose rings.json -o parts.json").code, 0);
  EXPECT_EQ(shell("widephase decompose - -o - --to json < rings.json").out, read("parts.json"));
  // What stands before is kept when output is appended.
  EXPECT_EQ(shell("echo before > all.csv; widephase convert row.csv --to csv -o - >> all.csv").code,
            0);
  EXPECT_EQ(read("all.csv"), "before\n" + csv);
}

TEST_F(typed, archives_go_through_pipes_from_end_to_end) {
  write("crowd.txt", "id frame x y\n1 0 0 0\n2 0 0.25 0\n");
  const Outcome outcome = shell(
      "widephase convert - --radius 0.2 -o - < crowd.txt | widephase collide - -o - | cat > c.npz");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  ASSERT_EQ(run("convert crowd.txt --radius 0.2 -o crowd.npz").code, 0);
  ASSERT_EQ(run("collide crowd.npz -o contacts.npz").code, 0);
  EXPECT_EQ(read("c.npz"), read("contacts.npz"));
}

TEST_F(typed, one_thing_alone_goes_to_standard_output) {
  write_row();
  for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
           {"collide row.csv -o - --json", "--out and --json would both write to standard output"},
           {"collide row.csv -o - --picture -",
            "--out and --picture would both write to standard output"},
           {"decompose row.csv --picture /dev/stdout --json", "--picture and --json would both"},
           {"collide row.csv --to csv", "--to says the format of the contacts; add --out FILE"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_TRUE(contains(outcome.err, message)) << outcome.err;
  }
}

/// Runs a command whose standard output and standard error are a terminal; what it shows there.
std::string on_a_terminal(const std::vector<std::string>& words, int& code) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) return "no terminal";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, ptsname(terminal), O_RDWR | O_NOCTTY, 0);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  std::vector<char*> arguments;
  std::string command = WIDEPHASE_CLI;
  arguments.push_back(command.data());
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed =
      posix_spawn(&child, command.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  std::string shown;
  char piece[4096];
  int status = -1;
  // Reading fails once the program has closed the other end.
  while (failed == 0) {
    const ssize_t got = read(terminal, piece, sizeof(piece));
    if (got <= 0) break;
    shown.append(piece, static_cast<std::size_t>(got));
  }
  if (failed == 0) waitpid(child, &status, 0);
  close(terminal);
  code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return shown;
}

TEST_F(typed, an_archive_is_not_written_to_a_terminal) {
  if (std::getenv("WIDEPHASE_EMULATOR") != nullptr) GTEST_SKIP() << "the program is run directly";
  write_row();
  int code = 0;
  const std::string refused = on_a_terminal({"convert", "row.csv", "-o", "-"}, code);
  if (refused == "no terminal") GTEST_SKIP() << refused;
  EXPECT_EQ(code, 2) << refused;
  EXPECT_TRUE(contains(refused, "standard output is a terminal, and npz is not a text")) << refused;
  const std::string shown = on_a_terminal({"convert", "row.csv", "-o", "-", "--to", "csv"}, code);
  EXPECT_EQ(code, 0) << shown;
  EXPECT_TRUE(contains(shown, "4.5,0,1")) << shown;
}

// Help.

TEST_F(typed, help_comes_however_it_is_asked_for) {
  const std::string help = run("--help").out;
  for (const char* arguments : {"help", "-h", "help help", "help --help"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << arguments << outcome.err;
    EXPECT_EQ(outcome.out, help) << arguments;
  }
  const std::string collide = run("collide --help").out;
  for (const char* arguments : {"help collide", "--help collide", "collide -h", "collide help"}) {
    EXPECT_EQ(run(arguments).out, collide) << arguments;
  }
  for (const char* arguments : {"--version", "version", "-v", "-V"}) {
    EXPECT_TRUE(run(arguments).out.starts_with("widephase 0.")) << arguments;
  }
  const Outcome unknown = run("help colide");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(contains(unknown.err, "colide is not a command; did you mean collide?"));
}

TEST_F(typed, help_fits_a_window_and_begins_with_an_example) {
  for (const std::string command :
       {"", "collide", "convert", "decompose", "demo", "distance", "generate", "info", "view"}) {
    const std::string help = run("help " + command).out;
    std::size_t widest = 0;
    for (std::size_t begin = 0; begin < help.size();) {
      const std::size_t end = std::min(help.find('\n', begin), help.size());
      widest = std::max(widest, end - begin);
      begin = end + 1;
    }
    EXPECT_LE(widest, 100u) << command;
    // One line that says what it does, then the example, then the rest.
    const std::size_t example = help.find("\n\nExample:\n  widephase " + command);
    ASSERT_NE(example, help.npos) << help;
    EXPECT_LT(example, help.find("Usage: ")) << command;
    EXPECT_EQ(std::count(help.begin(), help.begin() + static_cast<std::ptrdiff_t>(example), '\n'),
              0)
        << command;
  }
}

// Words that are nearly right.

TEST_F(typed, mistyped_words_name_the_nearest) {
  write_row();
  write("crowd.txt", "1 0 0 0\n");
  for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
           {"colide row.csv", "widephase: colide is not a command; did you mean collide?\n"},
           {"veiw row.csv", "veiw is not a command; did you mean view?\n"},
           {"gen pile", "gen is not a command; did you mean generate?\n"},
           {"fly",
            "fly is not a command; expected a command: cast, check, collide, convert, decompose, demo, "
            "distance, generate, info, view\n"},
           {"", "widephase: expected a command: cast, check, collide, convert, "},
           {"row.csv", "row.csv is a file; did you mean widephase collide row.csv?\n"},
           {"crowd.txt --radius 1",
            "crowd.txt is a file; did you mean widephase convert crowd.txt?\n"},
           {"--treads 4 row.csv", "--treads belongs to no command; expected a command: cast, "},
           {"collide row.csv --treads 4",
            "widephase collide: --treads is not an option; did you mean --threads?\n"},
           {"collide row.csv --Threads 4", "--Threads is not an option; did you mean --threads?\n"},
           {"collide row.csv --colour", "--colour is not an option\n"},
           // The mistyped option comes first, and not that --out is missing.
           {"convert row.csv --ouput a.npz", "--ouput is not an option; did you mean --out?\n"},
           {"collide row.csv --method satt",
            "--method: satt is not among auto, sat, gjk_epa; did you mean sat?\n"},
           {"collide row.csv --isa AVX-512", "did you mean avx512?\n"},
           {"collide row.csv level.csv",
            "level.csv is one too many, since collide takes SCENE "
            "alone; did you mean --kept level.csv?\n"},
           {"generate pile 500 -o a.npz", "did you mean --count 500?\n"},
           {"generate pyramide -o a.npz", "; did you mean pyramid?\n"},
           {"convert row.csv", "--out is required, as in -o scene.npz\n"},
           {"convert row.csv row.npz", "did you mean --out row.npz?\n"},
           {"collide row.csv --margin", "widephase collide: --margin needs a value\n"},
           {"collide row.csv --margin 1 --margin 2", "--margin is given more than once\n"},
           {"info row.csv row.csv", "row.csv is one too many, since info takes SCENE alone\n"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_TRUE(contains(outcome.err, message)) << arguments << ": " << outcome.err;
  }
}

TEST_F(typed, options_may_come_before_the_file_and_the_command) {
  write_row();
  const std::string contacts = value_of(run("collide row.csv --margin 1 --json").out, "contacts");
  EXPECT_EQ(contacts, "2");
  for (const char* arguments :
       {"collide --margin 1 --json row.csv", "collide --json --margin=1 row.csv",
        "--json collide --margin 1 row.csv", "--margin 1 --json collide row.csv",
        "collide --margin 1 --json -- row.csv"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(value_of(outcome.out, "contacts"), contacts) << arguments << outcome.err;
  }
}

TEST_F(typed, words_of_options_count_in_any_case) {
  write_row();
  const std::string hash = value_of(run("collide row.csv --json").out, "hash");
  std::string isa = narrowest_isa();
  isa.front() -= 'a' - 'A';
  const Outcome outcome =
      run("collide row.csv --json --method SAT --precision Double --order KIND --isa " + isa);
  EXPECT_EQ(value_of(outcome.out, "hash"), hash) << outcome.err;
  EXPECT_EQ(value_of(outcome.out, "isa"), "\"" + narrowest_isa() + "\"");
  EXPECT_EQ(run("convert row.csv -o - --to CSV").out.substr(0, 10), "x,y,radius");
  EXPECT_EQ(run("convert row.csv -o row.out --to JSON").code, 0);
  EXPECT_EQ(run("convert row.csv -o ROW.CSV").code, 0);
}

TEST_F(typed, counts_are_whole_numbers_also_with_an_exponent) {
  const auto count_of = [](const std::string& text) {
    const Outcome outcome = run("generate uniform -o a.npz --json --count " + text);
    return outcome.code == 0 ? value_of(outcome.out, "count") : outcome.err;
  };
  EXPECT_EQ(count_of("1e3"), "1000");
  EXPECT_EQ(count_of("1E+3"), "1000");
  EXPECT_EQ(count_of("1.25e2"), "125");
  EXPECT_EQ(count_of("2.0"), "2");
  EXPECT_EQ(count_of("500e-1"), "50");
  EXPECT_EQ(count_of("0e9"), "0");
  EXPECT_EQ(count_of("007"), "7");
  for (const char* odd : {"1.5", "1e-3", "1.25e1", "1e", "e3", ".5e1", "5.", "1_000", "1,000",
                          "0x10", "1e3.0", "ten", "nan", "1e+-3", "''"}) {
    const std::string message = count_of(odd);
    const std::string shown = std::string(odd) == "''" ? "" : odd;
    EXPECT_TRUE(contains(message, "--count: " + shown +
                                      " is not a whole number; expected an integer from 0 to "
                                      "100000000, such as 1000 or 1e6\n"))
        << odd << ": " << message;
  }
  for (const char* beyond : {"1e9", "100000001", "-1", "1e999999999999", "-1e3"}) {
    EXPECT_TRUE(contains(count_of(beyond), std::string(beyond) + " is not in the range; expected"))
        << beyond << ": " << count_of(beyond);
  }
  // No digit passes through a floating number: 2^53 + 1 is a seed of its own.
  const auto seed = [](const std::string& text) {
    return value_of(run("generate uniform --count 3 -o a.npz --json --seed " + text).out, "seed");
  };
  EXPECT_EQ(seed("9007199254740993"), "9007199254740993");
  EXPECT_EQ(seed("9.007199254740993e15"), "9007199254740993");
  write_row();
  EXPECT_EQ(run("collide row.csv --max-pairs 1e6 --threads 1e0 --repeat 2e0").code, 0);
}

// What is printed.

TEST_F(typed, counts_and_time_are_printed_and_more_if_asked) {
  write_row();
  const std::string brief = run("collide row.csv").out;
  for (const char* name : {"pairs", "contacts", "points", "max depth", "time"}) {
    EXPECT_TRUE(contains(brief, "\n  " + std::string(name) + " ")) << name;
  }
  for (const char* name : {"hash", "lanes", "ns per shape", "circle_circle", "ran on"}) {
    EXPECT_FALSE(contains(brief, name)) << name;
    for (const char* option : {" -v", " --verbose"}) {
      EXPECT_TRUE(contains(run("collide row.csv" + std::string(option)).out, name)) << name;
    }
  }
}

}  // namespace
