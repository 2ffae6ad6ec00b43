// GeoTIFF elevation models: one band of numbers, in strips or tiles, and the tags of GeoTIFF and
// GDAL that say where its samples are and which of them are none. Only the first image of a file is
// read; the others are smaller copies or masks.

#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tools/formats/file_error.hpp"
#include "tools/formats/height_grid.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

constexpr std::uint32_t kScaleTag = 33550;
constexpr std::uint32_t kTieTag = 33922;
constexpr std::uint32_t kMatrixTag = 34264;
constexpr std::uint32_t kKeysTag = 34735;
constexpr std::uint32_t kNoDataTag = 42113;

// The keys within `kKeysTag`, and what they say.
constexpr std::uint16_t kModelType = 1024;
constexpr std::uint16_t kIsGeographic = 2;
constexpr std::uint16_t kRasterType = 1025;
constexpr std::uint16_t kIsPoint = 2;

/// The file's bytes as libtiff reads them, and what it complained of first. libtiff is C: the
/// functions that it calls do not throw.
class TiffSource {
 public:
  std::string bytes;
  std::array<char, 200> complaint{};

  static tmsize_t read(thandle_t handle, void* to, tmsize_t size) {
    TiffSource& source = of(handle);
    const std::size_t left = source.bytes.size() - std::min(source.at_, source.bytes.size());
    const std::size_t got = std::min(left, static_cast<std::size_t>(size));
    if (got > 0) std::memcpy(to, source.bytes.data() + source.at_, got);
    source.at_ += got;
    return static_cast<tmsize_t>(got);
  }
  static tmsize_t write(thandle_t, void*, tmsize_t) { return 0; }
  static toff_t seek(thandle_t handle, toff_t offset, int whence) {
    TiffSource& source = of(handle);
    const std::size_t from = whence == SEEK_SET   ? 0
                             : whence == SEEK_CUR ? source.at_
                                                  : source.bytes.size();
    source.at_ = from + static_cast<std::size_t>(offset);
    return source.at_;
  }
  static int close(thandle_t) { return 0; }
  static toff_t size(thandle_t handle) { return of(handle).bytes.size(); }

  static int complain(TIFF*, void* user, const char*, const char* format, va_list arguments) {
    auto& complaint = static_cast<TiffSource*>(user)->complaint;
    if (complaint[0] == '\0') {
      std::vsnprintf(complaint.data(), complaint.size(), format, arguments);
    }
    return 1;
  }
  static int ignore(TIFF*, void*, const char*, const char*, va_list) { return 1; }

 private:
  static TiffSource& of(thandle_t handle) { return *static_cast<TiffSource*>(handle); }

  std::size_t at_ = 0;
};

class TiffReader {
 public:
  TiffReader(const std::string& path, std::vector<std::string>& notes)
      : path_(path), notes_(notes) {
    source_.bytes = read_file(path);
    open();
  }

  SceneFile read() {
    std::uint32_t columns = 0, rows = 0;
    TIFFGetField(tiff(), TIFFTAG_IMAGEWIDTH, &columns);
    TIFFGetField(tiff(), TIFFTAG_IMAGELENGTH, &rows);
    check_field_size(path_, rows, columns);
    find_sample();
    find_no_data();
    const bool is_tiled = TIFFIsTiled(tiff()) != 0;
    expect_size(is_tiled);
    check_packed_size(path_, rows, columns, source_.bytes.size());
    HeightGrid grid(path_, rows, columns);
    if (is_tiled) {
      read_tiles(grid);
    } else {
      read_strips(grid);
    }
    return placed(std::move(grid));
  }

 private:
  /// The kinds of numbers that heights may be.
  enum class Sample { uint8, uint16, int16, float32, float64 };

  struct Close {
    void operator()(TIFF* tiff) const { TIFFClose(tiff); }
  };

  TIFF* tiff() const { return tiff_.get(); }

  [[noreturn]] void fail(const std::string& what) const { throw FileError(path_, what); }

  [[noreturn]] void fail_to_read(const std::string& what) const {
    const char* const complaint = source_.complaint.data();
    fail(*complaint == '\0' ? what : fmt::format("{} ({})", what, printable(complaint)));
  }

  void open() {
    const std::unique_ptr<TIFFOpenOptions, void (*)(TIFFOpenOptions*)> options(
        TIFFOpenOptionsAlloc(), TIFFOpenOptionsFree);
    if (!options) throw std::bad_alloc();
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), TiffSource::complain, &source_);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), TiffSource::ignore, nullptr);
    // Beyond the room of the decoders themselves.
    constexpr std::size_t kRoom = std::size_t{1} << 20;
    const std::size_t most = kMostByLzw * source_.bytes.size() + kRoom;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), static_cast<tmsize_t>(most));
    // By calls, not as memory that is shared, so that nothing beyond its end can be read.
    tiff_.reset(TIFFClientOpenExt(path_.c_str(), "rm", &source_, TiffSource::read,
                                  TiffSource::write, TiffSource::seek, TiffSource::close,
                                  TiffSource::size, nullptr, nullptr, options.get()));
    if (!tiff_) fail_to_read("cannot be read as TIFF");
  }

  void find_sample() {
    std::uint16_t bits = 1, bands = 1, format = SAMPLEFORMAT_UINT, compression = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(tiff(), TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(tiff(), TIFFTAG_SAMPLESPERPIXEL, &bands);
    TIFFGetFieldDefaulted(tiff(), TIFFTAG_SAMPLEFORMAT, &format);
    TIFFGetFieldDefaulted(tiff(), TIFFTAG_COMPRESSION, &compression);
    if (bands != 1) fail(fmt::format("has {} bands; expected one of heights", bands));
    constexpr std::uint16_t kCompressions[] = {COMPRESSION_NONE, COMPRESSION_PACKBITS,
                                               COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
                                               COMPRESSION_DEFLATE};
    if (std::ranges::find(kCompressions, compression) == std::end(kCompressions)) {
      fail(fmt::format("is compressed by method {}; expected none, PackBits, LZW or Deflate",
                       compression));
    }
    constexpr struct {
      Sample sample;
      std::uint16_t format, bits;
    } kSamples[] = {{Sample::uint8, SAMPLEFORMAT_UINT, 8},
                    {Sample::uint16, SAMPLEFORMAT_UINT, 16},
                    {Sample::int16, SAMPLEFORMAT_INT, 16},
                    {Sample::float32, SAMPLEFORMAT_IEEEFP, 32},
                    {Sample::float64, SAMPLEFORMAT_IEEEFP, 64}};
    const auto found = std::ranges::find_if(
        kSamples, [&](const auto& known) { return known.format == format && known.bits == bits; });
    if (found == std::end(kSamples)) {
      fail(
          fmt::format("has numbers of {} bits and sample format {}; expected uint8, uint16, "
                      "int16, float32 or float64",
                      bits, format));
    }
    sample_ = found->sample;
    bytes_per_sample_ = bits / 8u;
  }

  /// The values of a tag that libtiff does not know; empty without it. libtiff then gives them in
  /// the file's own type. Where another user of libtiff made the tag known, the count has 16 bits.
  template <class Value>
  std::vector<Value> values_of(std::uint32_t tag, TIFFDataType type) const {
    const TIFFField* const field = TIFFFindField(tiff(), tag, TIFF_ANY);
    if (field == nullptr) return {};
    std::uint32_t count = 0;
    std::uint16_t short_count = 0;
    const Value* values = nullptr;
    const bool is_short = TIFFFieldReadCount(field) == TIFF_VARIABLE;
    const bool has_count = TIFFFieldPassCount(field) != 0;
    if (TIFFFieldDataType(field) != type || (!has_count && type != TIFF_ASCII)) {
      fail(fmt::format("has a tag {} of a type that GeoTIFF does not have", tag));
    }
    const int is_there = !has_count ? TIFFGetField(tiff(), tag, &values)
                         : is_short ? TIFFGetField(tiff(), tag, &short_count, &values)
                                    : TIFFGetField(tiff(), tag, &count, &values);
    if (is_there == 0 || values == nullptr) return {};
    if (is_short) count = short_count;
    if constexpr (std::is_same_v<Value, char>) {
      if (!has_count) count = static_cast<std::uint32_t>(std::strlen(values));
    }
    return {values, values + count};
  }

  void find_no_data() {
    const std::vector<char> characters = values_of<char>(kNoDataTag, TIFF_ASCII);
    if (characters.empty()) return;
    std::string_view text(characters.data(), characters.size());
    text = trim(text.substr(0, text.find('\0')));
    double value;
    if (!parse_number(text, value)) {
      fail(fmt::format("has {} as its value for no data (tag {}); expected a number",
                       in_quotes(text), kNoDataTag));
    }
    no_data_ = value;
  }

  /// Checks what the file declares before memory is allocated for it.
  void expect_size(bool is_tiled) const {
    const std::uint32_t count = is_tiled ? TIFFNumberOfTiles(tiff()) : TIFFNumberOfStrips(tiff());
    const std::uint64_t each = is_tiled ? TIFFTileSize64(tiff()) : TIFFStripSize64(tiff());
    const char* const piece = is_tiled ? "tiles" : "strips";
    const std::size_t most = kMostByLzw * source_.bytes.size();
    if (count == 0 || each == 0 || each > most / count) {
      fail(fmt::format("has {} bytes, too few for its {} {} of {} bytes", source_.bytes.size(),
                       count, piece, each));
    }
    std::uint64_t declared = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t size = TIFFGetStrileByteCount(tiff(), i);
      if (size == 0) fail(fmt::format("has no bytes for number {} of its {}", i, piece));
      if (size > source_.bytes.size() - declared) {
        fail(fmt::format("has {} bytes, less than its {} take together", source_.bytes.size(),
                         piece));
      }
      declared += size;
    }
  }

  void read_strips(HeightGrid& grid) {
    std::uint32_t each = 0;
    TIFFGetFieldDefaulted(tiff(), TIFFTAG_ROWSPERSTRIP, &each);
    const std::size_t rows_each = std::min<std::size_t>(each, grid.rows());
    std::vector<std::byte> buffer(static_cast<std::size_t>(TIFFStripSize64(tiff())));
    std::uint32_t strip = 0;
    for (std::size_t row = 0; row < grid.rows(); row += rows_each, ++strip) {
      const std::size_t rows = std::min(rows_each, grid.rows() - row);
      const auto size = static_cast<tmsize_t>(rows * grid.columns() * bytes_per_sample_);
      if (TIFFReadEncodedStrip(tiff(), strip, buffer.data(), size) != size) {
        fail_to_read(fmt::format("has a strip {} that cannot be read", strip));
      }
      put(grid, buffer.data(), grid.columns(), row, 0, rows, grid.columns());
    }
  }

  void read_tiles(HeightGrid& grid) {
    std::uint32_t width = 0, length = 0;
    TIFFGetField(tiff(), TIFFTAG_TILEWIDTH, &width);
    TIFFGetField(tiff(), TIFFTAG_TILELENGTH, &length);
    std::vector<std::byte> buffer(static_cast<std::size_t>(TIFFTileSize64(tiff())));
    const auto size = static_cast<tmsize_t>(buffer.size());
    std::uint32_t tile = 0;
    for (std::size_t row = 0; row < grid.rows(); row += length) {
      for (std::size_t column = 0; column < grid.columns(); column += width, ++tile) {
        if (TIFFReadEncodedTile(tiff(), tile, buffer.data(), size) != size) {
          fail_to_read(fmt::format("has a tile {} that cannot be read", tile));
        }
        put(grid, buffer.data(), width, row, column,
            std::min<std::size_t>(length, grid.rows() - row),
            std::min<std::size_t>(width, grid.columns() - column));
      }
    }
  }

  /// Puts `rows` times `columns` numbers, in rows of `stride`, where `row` and `column` say.
  void put(HeightGrid& grid, const std::byte* from, std::size_t stride, std::size_t row,
           std::size_t column, std::size_t rows, std::size_t columns) const {
    switch (sample_) {
      case Sample::uint8:
        return put_as<std::uint8_t>(grid, from, stride, row, column, rows, columns);
      case Sample::uint16:
        return put_as<std::uint16_t>(grid, from, stride, row, column, rows, columns);
      case Sample::int16:
        return put_as<std::int16_t>(grid, from, stride, row, column, rows, columns);
      case Sample::float32:
        return put_as<float>(grid, from, stride, row, column, rows, columns);
      case Sample::float64:
        return put_as<double>(grid, from, stride, row, column, rows, columns);
    }
  }

  template <class Number>
  void put_as(HeightGrid& grid, const std::byte* from, std::size_t stride, std::size_t row,
              std::size_t column, std::size_t rows, std::size_t columns) const {
    // The text of a float has the digits of a double.
    std::optional<double> no_data = no_data_;
    if (no_data && sample_ == Sample::float32) no_data = static_cast<float>(*no_data);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        Number number;
        std::memcpy(&number, from + (r * stride + c) * sizeof number, sizeof number);
        const auto height = static_cast<double>(number);
        grid.set(row + r, column + c, height == no_data ? std::nan("") : height);
      }
    }
  }

  /// The value of a short key; 0 without it. The directory has four numbers for each key, the first
  /// four its own.
  std::uint16_t geo_key(std::uint16_t key) const {
    const auto keys = values_of<std::uint16_t>(kKeysTag, TIFF_SHORT);
    for (std::size_t i = 4; i + 3 < keys.size(); i += 4) {
      if (keys[i] == key && keys[i + 1] == 0) return keys[i + 3];
    }
    return 0;
  }

  SceneFile placed(HeightGrid grid) {
    const std::vector<double> scale = values_of<double>(kScaleTag, TIFF_DOUBLE);
    const std::vector<double> tie = values_of<double>(kTieTag, TIFF_DOUBLE);
    const auto last_row = static_cast<double>(grid.rows() - 1);
    if (!values_of<double>(kMatrixTag, TIFF_DOUBLE).empty()) {
      fail(fmt::format("is placed by a matrix (tag {}); expected tags {} and {}", kMatrixTag,
                       kScaleTag, kTieTag));
    }
    if (scale.empty() && tie.empty()) {
      notes_.push_back(
          fmt::format("{}: has no cell size (tag {}); its cells are 1 by 1", path_, kScaleTag));
      return grid.take(0, 0, 1, 1);
    }
    if (scale.size() != 3 || tie.size() != 6) {
      fail(fmt::format("has {} numbers in tag {} and {} in tag {}; expected 3 and 6", scale.size(),
                       kScaleTag, tie.size(), kTieTag));
    }
    if (!(scale[2] == 0 || scale[2] == 1) || tie[2] != 0 || tie[5] != 0) {
      fail(fmt::format("scales or moves its heights (tags {} and {}); expected heights as they are",
                       kScaleTag, kTieTag));
    }
    if (geo_key(kModelType) == kIsGeographic) {
      notes_.push_back(
          fmt::format("{}: has its cells in degrees; a field's lengths all have the "
                      "unit of its heights, so project it first",
                      path_));
    }
    // The tie point (column, row, 0; x, y, 0) counts from the corner of the first pixel; a sample
    // is at its pixel's centre, unless the raster is one of points.
    const double centre = geo_key(kRasterType) == kIsPoint ? 0 : 0.5;
    const double west = tie[3] + (centre - tie[0]) * scale[0];
    const double south = tie[4] - (last_row + centre - tie[1]) * scale[1];
    if (!std::isfinite(west) || !std::isfinite(south)) {
      fail(fmt::format("begins at ({}, {}) by tags {} and {}; expected finite numbers", west, south,
                       kScaleTag, kTieTag));
    }
    return grid.take(west, south, scale[0], scale[1]);
  }

  const std::string& path_;
  std::vector<std::string>& notes_;
  TiffSource source_;  ///< outlives `tiff_`
  std::unique_ptr<TIFF, Close> tiff_;
  Sample sample_ = Sample::float32;
  std::size_t bytes_per_sample_ = 0;
  std::optional<double> no_data_;
};

}  // namespace

SceneFile read_geotiff(const std::string& path, std::vector<std::string>& notes) {
  return TiffReader(path, notes).read();
}

}  // namespace widephase::tools
