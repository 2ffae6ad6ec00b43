// Answers requests, one a line, as the page does: the tests compare the two.

#include <cstdio>
#include <iostream>
#include <string>

#include "lab.hpp"

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::puts(widephase::lab::answer(line).c_str());
  }
}
