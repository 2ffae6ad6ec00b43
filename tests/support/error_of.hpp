#pragma once

#include <gtest/gtest.h>

#include <string>

#include <widephase/types.hpp>

namespace widephase::test {

/// The message of the `Error` that an action throws.
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
