#pragma once

// Bytes of NPY arrays and zip archives, composed by hand: what NumPy writes, and what it should
// never write.

#include <cstdint>
#include <string>
#include <vector>

namespace widephase::test {

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string npy(const std::string& type, const std::string& shape, const std::string& data,
                int version = 1, const std::string& fortran = "False");

struct ZipEntry {
  std::string name;
  std::string data;
};

/// A zip archive without compression, as numpy.savez writes it.
std::string stored_zip(const std::vector<ZipEntry>& entries);

}  // namespace widephase::test
