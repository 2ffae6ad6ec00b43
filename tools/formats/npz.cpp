#include "tools/formats/npz.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <zip.h>

#include <deque>
#include <memory>
#include <set>

#include "tools/formats/file_error.hpp"
#include "tools/formats/npy.hpp"
#include "tools/formats/text.hpp"
#include "tools/formats/wide_texts.hpp"

namespace widephase::tools {

namespace {

struct DiscardArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseEntry {
  void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};
/// An open archive. The bytes of one that came through a pipe are kept, since libzip reads the end
/// of an archive first.
struct Archive {
  std::string bytes;
  std::unique_ptr<zip_t, DiscardArchive> zip;
};
using Entry = std::unique_ptr<zip_file_t, CloseEntry>;

std::string text_of(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

Archive open_archive(const std::string& path) {
  Archive archive;
  int code = 0;
  if (is_read_once(path)) {
    archive.bytes = read_file(path);
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* const source =
        zip_source_buffer_create(archive.bytes.data(), archive.bytes.size(), 0, &error);
    if (source == nullptr) throw std::bad_alloc();
    archive.zip.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
    if (!archive.zip) zip_source_free(source);
    code = zip_error_code_zip(&error);
    zip_error_fini(&error);
  } else {
    const int file = open_for_reading(path);
    archive.zip.reset(zip_fdopen(file, 0, &code));
    if (!archive.zip) ::close(file);
  }
  if (archive.zip) return archive;
  throw FileError(path, fmt::format("is not a complete zip archive ({}); it may be cut short or of "
                                    "another format",
                                    text_of(code)));
}

/// Reads exactly `size` bytes. libzip checks the entry's checksum after its last byte.
void read_exactly(zip_file_t* entry, void* data, std::size_t size, const std::string& path,
                  std::string_view name) {
  constexpr std::size_t kPiece = std::size_t{1} << 26;
  char* to = static_cast<char*>(data);
  while (size > 0) {
    const zip_int64_t got = zip_fread(entry, to, std::min(size, kPiece));
    if (got < 0) {
      throw FileError(path, fmt::format("{} is corrupt in the archive ({})", name,
                                        zip_error_strerror(zip_file_get_error(entry))));
    }
    if (got == 0) throw FileError(path, fmt::format("{} ends before its last number", name));
    to += got;
    size -= static_cast<std::size_t>(got);
  }
}

void expect_end(zip_file_t* entry, const std::string& path, std::string_view name) {
  char byte;
  const zip_int64_t got = zip_fread(entry, &byte, 1);
  if (got < 0) {
    throw FileError(path, fmt::format("{} is corrupt in the archive ({})", name,
                                      zip_error_strerror(zip_file_get_error(entry))));
  }
  if (got > 0) throw FileError(path, fmt::format("{} holds more than its shape says", name));
}

Array read_entry(zip_t* archive, zip_uint64_t index, const zip_stat_t& status,
                 const std::string& path, const std::string& name) {
  Entry entry(zip_fopen_index(archive, index, 0));
  if (!entry) {
    throw FileError(path, fmt::format("{} cannot be read from the archive ({})", name,
                                      zip_error_strerror(zip_get_error(archive))));
  }
  if (status.size < kNpyStart) throw FileError(path, fmt::format("{} is not an NPY array", name));
  std::string header(kNpyStart, '\0');
  read_exactly(entry.get(), header.data(), kNpyStart, path, name);
  const std::size_t header_size = npy_header_size(header, path, name);
  if (header_size > status.size || header_size < kNpyStart) {
    throw FileError(path, fmt::format("{} ends within its NPY header", name));
  }
  header.resize(header_size);
  read_exactly(entry.get(), header.data() + kNpyStart, header_size - kNpyStart, path, name);
  const NpyHeader parsed = parse_npy_header(header, path, name);
  const std::size_t data_bytes = status.size - header_size;
  if (parsed.data_bytes != data_bytes) {
    throw FileError(path,
                    fmt::format("{} has the shape {}, which takes {} bytes; the archive "
                                "holds {}",
                                name, shape_text(parsed.shape), parsed.data_bytes, data_bytes));
  }
  if (parsed.type == Type::text) {
    // A zero width takes no bytes, so the shape alone must not say how much memory is taken.
    std::size_t count = 1;
    for (const std::size_t length : parsed.shape) count *= length;
    if (parsed.text_width == 0 && count > 0) {
      throw FileError(path, fmt::format("{} has texts of no length (<U0)", name));
    }
    std::vector<char32_t> characters(data_bytes / sizeof(char32_t));
    read_exactly(entry.get(), characters.data(), data_bytes, path, name);
    expect_end(entry.get(), path, name);
    return texts_of(characters, parsed.text_width, parsed.shape);
  }
  Array array(parsed.type, parsed.shape);
  read_exactly(entry.get(), array.bytes().data(), data_bytes, path, name);
  expect_end(entry.get(), path, name);
  if (parsed.is_fortran) put_into_c_order(array);
  return array;
}

}  // namespace

std::vector<NamedArray> read_npz(const std::string& path,
                                 const std::function<bool(std::string_view)>& is_wanted) {
  const Archive opened = open_archive(path);
  zip_t* const archive = opened.zip.get();
  std::vector<NamedArray> arrays;
  std::set<std::string> names;
  const zip_int64_t entry_count = zip_get_num_entries(archive, 0);
  for (zip_int64_t i = 0; i < entry_count; ++i) {
    const auto index = static_cast<zip_uint64_t>(i);
    zip_stat_t status;
    if (zip_stat_index(archive, index, 0, &status) != 0 || status.name == nullptr) {
      throw FileError(path, fmt::format("is a corrupt zip archive ({})",
                                        zip_error_strerror(zip_get_error(archive))));
    }
    std::string name = status.name;
    if (!name.ends_with(".npy")) {
      throw FileError(path, fmt::format("holds {}, which is not an .npy array", in_quotes(name)));
    }
    name.resize(name.size() - 4);
    if (!names.insert(name).second) throw FileError(path, fmt::format("{} is there twice", name));
    if (!is_wanted(name)) {
      arrays.push_back({name, Array()});
      continue;
    }
    // Deflate never compresses better than 1032 to 1. A larger size is false, and memory must not
    // be allocated for it.
    if (status.size / 1032 > status.comp_size + 64) {
      throw FileError(path,
                      fmt::format("{} is corrupt in the archive (its size is impossible)", name));
    }
    arrays.push_back({name, read_entry(archive, index, status, path, name)});
  }
  return arrays;
}

std::vector<NamedArray> read_npz(const std::string& path) {
  return read_npz(path, [](std::string_view) { return true; });
}

namespace {

/// An entry's bytes, passed to libzip in pieces and without a copy: the header, then the numbers.
zip_source_t* source_of(zip_t* archive, const std::string& header, const ArrayView& array) {
  std::size_t bytes = size_of(array.type) * (array.type == Type::text ? array.text_width : 1);
  for (const std::size_t length : array.shape) bytes *= length;
  const zip_buffer_fragment_t pieces[] = {
      {reinterpret_cast<zip_uint8_t*>(const_cast<char*>(header.data())), header.size()},
      {static_cast<zip_uint8_t*>(const_cast<void*>(array.data)), bytes}};
  return zip_source_buffer_fragment(archive, pieces, bytes == 0 ? 1 : 2, 0);
}

struct FreeSource {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};

void add_entry(zip_t* archive, const ArrayView& array, const std::string& header) {
  // The fastest level: slower ones take four times as long and make numbers hardly smaller.
  constexpr int kLevel = 1;
  constexpr int kNoDate = 0x21;  // 1 January 1980, the earliest date in zip
  zip_source_t* source = source_of(archive, header, array);
  const zip_int64_t index = source == nullptr ? -1
                                              : zip_file_add(archive, (array.name + ".npy").c_str(),
                                                             source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    throw std::bad_alloc();
  }
  const auto place = static_cast<zip_uint64_t>(index);
  zip_set_file_compression(archive, place, ZIP_CM_DEFLATE, kLevel);
  zip_file_set_dostime(archive, place, 0, kNoDate, 0);
}

}  // namespace

// The archive is compressed in memory and then written at once. Zip goes back to fill in sizes,
// which a pipe does not allow. This way a full disk is also noticed in one place.
void write_npz(const std::vector<ArrayView>& arrays, OutputFile& file) {
  std::unique_ptr<zip_source_t, FreeSource> bytes(zip_source_buffer_create(nullptr, 0, 0, nullptr));
  if (!bytes) throw std::bad_alloc();
  if (arrays.empty()) throw std::logic_error("an archive needs an array");
  std::unique_ptr<zip_t, DiscardArchive> archive(
      zip_open_from_source(bytes.get(), ZIP_TRUNCATE, nullptr));
  if (!archive) throw std::bad_alloc();
  zip_source_keep(bytes.get());
  std::deque<std::string> headers;  // kept until libzip closes the archive
  for (const ArrayView& array : arrays) {
    headers.push_back(npy_header(array.type, array.shape, array.text_width));
    add_entry(archive.get(), array, headers.back());
  }
  if (zip_close(archive.get()) != 0) {
    throw FileError(file.path(), fmt::format("cannot be written: {}",
                                             zip_error_strerror(zip_get_error(archive.get()))));
  }
  (void)archive.release();
  if (zip_source_open(bytes.get()) != 0) throw std::bad_alloc();
  std::string piece(std::size_t{1} << 20, '\0');
  zip_int64_t got = 0;
  while ((got = zip_source_read(bytes.get(), piece.data(), piece.size())) > 0) {
    file.write({piece.data(), static_cast<std::size_t>(got)});
  }
  zip_source_close(bytes.get());
  if (got < 0) throw FileError(file.path(), "cannot be written: the archive in memory is broken");
}

}  // namespace widephase::tools
