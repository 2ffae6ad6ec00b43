#pragma once

// Answers as arrays: a property for each column that answers.hpp describes.

#include <map>

#include <widephase/answers.hpp>

#include "arrays.hpp"

namespace widephase::python {

/// "(c, 2) int32: ids of A and B."
template <class T, int W>
std::string help_of(const AnswerField& field, const Column<T, W>&) {
  std::string text = "(" + std::string(field.rows);
  if constexpr (std::is_same_v<T, Pair>) {
    text += ", 2) int32:";
  } else if constexpr (std::is_floating_point_v<T>) {
    text += W > 1 ? ", d)" : ",)";
  } else {
    text += (W == 2 ? ", 2) " : ",) ") + std::string(name_of(number_of<T>())) + ":";
  }
  return text + " " + std::string(field.text) + ".";
}

/// Gives a class a property for each column of such a buffer: `read(self, name)`, of a `Self`.
template <class Self, class Class, class Buffer, class Read>
void bind_columns(Class& cls, const Buffer& buffer, const Read& read) {
  for_each_answer(
      [&](const AnswerField& field, const auto& column) {
        cls.def_property_readonly(
            field.name.data(),
            [read, name = field.name](const Self& self) { return read(self, name); },
            help_of(field, column).c_str());
      },
      buffer);
}

/// The arrays of an answer by the names of its columns, all with as many rows.
struct ArraysByName {
  std::map<std::string_view, py::array> arrays;
};

/// The arrays that `array_of(column)` makes of a buffer's columns.
template <class Answer, class Buffer, class ArrayOf>
Answer answer_of(const Buffer& buffer, const ArrayOf& array_of) {
  Answer answer;
  for_each_answer([&](const AnswerField& field,
                      const auto& column) { answer.arrays.emplace(field.name, array_of(column)); },
                  buffer);
  return answer;
}

/// The same for a class of `ArraysByName`, with its length.
template <class Class, class Buffer>
void bind_answer(Class& cls, const Buffer& buffer) {
  using Answer = typename Class::type;
  bind_columns<Answer>(
      cls, buffer, [](const Answer& self, std::string_view name) { return self.arrays.at(name); });
  cls.def("__len__", [](const Answer& self) { return py::len(self.arrays.begin()->second); });
}

}  // namespace widephase::python
