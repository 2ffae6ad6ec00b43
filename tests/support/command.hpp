#pragma once

// The command line as a program, run by the shell in a folder of its own.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string>

#include <widephase/isa.hpp>

#include "support/own_folder.hpp"

namespace widephase::test {

class Command : public OwnFolder {
 protected:
  struct Outcome {
    int code;
    std::string out;
    std::string err;
  };

  /// If the tests run in an emulator, so does the program. `before` may set limits or variables
  /// for the shell.
  static Outcome run(const std::string& arguments, const std::string& before = "") {
    return outcome_of(before + " $WIDEPHASE_EMULATOR " + WIDEPHASE_CLI + " " + arguments);
  }
  /// A line of the shell in which `widephase` is the program.
  static Outcome shell(const std::string& line) {
    return outcome_of(std::string("widephase() { $WIDEPHASE_EMULATOR ") + WIDEPHASE_CLI +
                      " \"$@\"; }\n{ " + line + "\n}");
  }
  static std::size_t files_in_folder() {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("."),
                                                  std::filesystem::directory_iterator()));
  }
  /// The narrowest set of this build: a sanitizer's has one, which need not be scalar.
  static std::string narrowest_isa() { return std::string(isa_name(built_isas().front())); }
  /// Three circles in a row; the first two overlap by 0.5, the third is 1 apart.
  static void write_row() { write("row.csv", "x,y,radius\n0,0,1\n1.5,0,1\n4.5,0,1\n"); }

 private:
  static Outcome outcome_of(const std::string& command) {
    const int status = std::system((command + " >.out 2>.err </dev/null").c_str());
    Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(".out"), read(".err")};
    std::filesystem::remove(".out");
    std::filesystem::remove(".err");
    return outcome;
  }
};

/// The value of a key in a printed object, as text.
inline std::string value_of(const std::string& json, const std::string& key) {
  std::smatch match;
  const std::regex pattern("\"" + key + "\":\\s*(\"[^\"]*\"|[-0-9.e+]+)");
  return std::regex_search(json, match, pattern) ? match[1].str() : "";
}

}  // namespace widephase::test
