#include "tools/formats/read_png.hpp"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstring>

#include "tools/formats/file_error.hpp"
#include "tools/formats/height_grid.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

// libpng is C and reports an error by a jump. So the functions that it jumps out of hold nothing
// that would have to be destroyed.

struct PngSource {
  std::string_view left;
  std::array<char, 100> complaint{};

  static void complain(png_structp png, png_const_charp message) {
    auto& complaint = static_cast<PngSource*>(png_get_error_ptr(png))->complaint;
    std::strncpy(complaint.data(), message, complaint.size() - 1);
    png_longjmp(png, 1);
  }
  static void ignore(png_structp, png_const_charp) {}
  static void read(png_structp png, png_bytep to, std::size_t size) {
    auto& source = *static_cast<PngSource*>(png_get_io_ptr(png));
    if (size > source.left.size()) png_error(png, "the file is not whole");
    std::memcpy(to, source.left.data(), size);
    source.left.remove_prefix(size);
  }
};

class PngDecoder {
 public:
  explicit PngDecoder(std::string_view bytes) : source_{bytes} {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source_, PngSource::complain,
                                  PngSource::ignore);
    info_ = png_ == nullptr ? nullptr : png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      throw std::bad_alloc();
    }
    png_set_read_fn(png_, &source_, PngSource::read);
  }
  ~PngDecoder() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngDecoder(const PngDecoder&) = delete;
  PngDecoder& operator=(const PngDecoder&) = delete;

  bool read_header() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_read_info(png_, info_);
    return true;
  }

  std::size_t columns() const { return png_get_image_width(png_, info_); }
  std::size_t rows() const { return png_get_image_height(png_, info_); }
  int bits() const { return png_get_bit_depth(png_, info_); }

  /// From here on a row has 8 bits for each sample, and one sample or three for each pixel.
  bool expand() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_palette_to_rgb(png_);
    png_set_expand_gray_1_2_4_to_8(png_);
    png_set_strip_alpha(png_);
    (void)png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    return true;
  }

  std::size_t samples() const { return png_get_channels(png_, info_); }

  /// Each of `rows` has `columns() * samples()` bytes.
  bool read(png_bytepp rows) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_read_image(png_, rows);
    png_read_end(png_, nullptr);
    return true;
  }

  const char* complaint() const { return source_.complaint.data(); }

 private:
  PngSource source_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

}  // namespace

GreyImage read_png(const std::string& path, std::string_view bytes) {
  PngDecoder decoder(bytes);
  const auto expect = [&](bool is_right) {
    if (is_right) return;
    throw FileError(path,
                    fmt::format("cannot be read as PNG ({})", printable(decoder.complaint())));
  };
  expect(decoder.read_header());
  GreyImage image;
  image.rows = decoder.rows();
  image.columns = decoder.columns();
  check_field_size(path, image.rows, image.columns);
  if (decoder.bits() > 8) {
    throw FileError(path,
                    fmt::format("has {} bits per sample; expected 8 or fewer", decoder.bits()));
  }
  check_packed_size(path, image.rows, image.columns, bytes.size());
  expect(decoder.expand());
  const std::size_t samples = decoder.samples(), row_bytes = image.columns * samples;
  std::vector<png_byte> pixels(image.rows * row_bytes);
  std::vector<png_bytep> rows(image.rows);
  for (std::size_t row = 0; row < image.rows; ++row) rows[row] = pixels.data() + row * row_bytes;
  expect(decoder.read(rows.data()));
  if (samples == 1) {
    image.shades = std::move(pixels);
    return image;
  }
  image.shades.resize(image.rows * image.columns);
  for (std::size_t i = 0; i < image.shades.size(); ++i) {
    const png_byte* const pixel = pixels.data() + samples * i;
    if (!std::all_of(pixel, pixel + samples, [&](png_byte sample) { return sample == *pixel; })) {
      throw FileError(path, fmt::format("has a colour in row {}, column {}, counted from 0; "
                                        "expected shades of grey",
                                        i / image.columns, i % image.columns));
    }
    image.shades[i] = *pixel;
  }
  return image;
}

}  // namespace widephase::tools
