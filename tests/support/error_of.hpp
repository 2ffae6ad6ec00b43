#pragma once

#include <gtest/gtest.h>

#include <string>

#include <widephase/types.hpp>

namespace widephase::test {

/// What the `Error` of an action says.
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_TRUE(error.finding().has_value());
    return error.what();
  }
  return "no error";
}

}  // namespace widephase::test
