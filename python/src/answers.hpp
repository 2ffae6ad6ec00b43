#pragma once

// Answers as arrays: each column that answers.hpp describes becomes a property.

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

/// Gives a class a property for each column of the buffer; `read(self, name)` returns its array.
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

/// The arrays of an answer by column name; all have the same number of rows.
struct ArraysByName {
  std::map<std::string_view, py::array> arrays;
};

/// Makes an answer from a buffer; `array_of(column)` makes each array.
template <class Answer, class Buffer, class ArrayOf>
Answer answer_of(const Buffer& buffer, const ArrayOf& array_of) {
  Answer answer;
  for_each_answer([&](const AnswerField& field,
                      const auto& column) { answer.arrays.emplace(field.name, array_of(column)); },
                  buffer);
  return answer;
}

/// Like `bind_columns` for a class derived from `ArraysByName`, with `len()`.
template <class Class, class Buffer>
void bind_answer(Class& cls, const Buffer& buffer) {
  using Answer = typename Class::type;
  bind_columns<Answer>(
      cls, buffer, [](const Answer& self, std::string_view name) { return self.arrays.at(name); });
  cls.def("__len__", [](const Answer& self) { return py::len(self.arrays.begin()->second); });
}

}  // namespace widephase::python
