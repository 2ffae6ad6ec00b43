#include "support/npz_bytes.hpp"

namespace widephase::test {

namespace {

std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

}  // namespace

std::string npy(const std::string& type, const std::string& shape, const std::string& data,
                int version, const std::string& fortran) {
  const std::string header =
      "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
  return "\x93NUMPY" + std::string{static_cast<char>(version), '\0'} +
         little(header.size(), version == 1 ? 2 : 4) + header + data;
}

namespace {

std::uint32_t crc32(const std::string& text) {
  std::uint32_t sum = 0xffffffff;
  for (const char c : text) {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xedb88320u : 0u);
  }
  return ~sum;
}

}  // namespace

std::string stored_zip(const std::vector<ZipEntry>& entries) {
  std::string archive;
  std::string directory;
  for (const auto& [name, data] : entries) {
    const std::string common = little(20, 2) + little(0, 2) + little(0, 2) + little(0, 2) +
                               little(0x21, 2) + little(crc32(data), 4) + little(data.size(), 4) +
                               little(data.size(), 4) + little(name.size(), 2) + little(0, 2);
    directory += "PK\x01\x02" + little(20, 2) + common + little(0, 2) + little(0, 2) +
                 little(0, 2) + little(0, 4) + little(archive.size(), 4) + name;
    archive += "PK\x03\x04" + common + name + data;
  }
  const std::string end = "PK\x05\x06" + little(0, 4) + little(entries.size(), 2) +
                          little(entries.size(), 2) + little(directory.size(), 4) +
                          little(archive.size(), 4) + little(0, 2);
  return archive + directory + end;
}

}  // namespace widephase::test
