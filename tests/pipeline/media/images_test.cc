// SPDX-License-Identifier: Apache-2.0
// Reading, scaling and changing images.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/media/image_file.h"
#include "pipeline/media/image_noise.h"
#include "pipeline/media/image_scaling.h"
#include "tests/support/encoded_images.h"
#include "tests/support/image_files.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

std::vector<std::uint8_t> gradient_pixels(int height, int width, int channels) {
  std::vector<std::uint8_t> pixels;
  for (int i = 0; i < height * width * channels; ++i) pixels.push_back(static_cast<std::uint8_t>(i * 5));
  return pixels;
}

void expect_refused(const std::string& bytes, const std::string& word) {
  try {
    decode_image(bytes, "a b.img");
    ADD_FAILURE() << "accepted; expected '" << word << "'";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    EXPECT_TRUE(std::string_view(error.what()).starts_with("a b.img: ")) << error.what();
  }
}

TEST(Images, PngFilesOfAllKinds) {
  const std::vector<std::uint8_t> grey = gradient_pixels(3, 5, 1), coloured = gradient_pixels(3, 5, 3);
  Image image = decode_image(png_bytes(3, 5, PNG_FORMAT_GRAY, grey.data()), "x");
  EXPECT_EQ(image.height, 3);
  EXPECT_EQ(image.width, 5);
  EXPECT_EQ(image.channels, 1);
  EXPECT_EQ(image.pixels, grey);
  image = decode_image(png_bytes(3, 5, PNG_FORMAT_RGB, coloured.data()), "x");
  EXPECT_EQ(image.channels, 3);
  EXPECT_EQ(image.pixels, coloured);
  const std::vector<std::uint8_t> glass{0, 0, 0, 0, 10, 20, 30, 255};
  image = decode_image(png_bytes(1, 2, PNG_FORMAT_RGBA, glass.data()), "x");
  EXPECT_EQ(image.pixels, (std::vector<std::uint8_t>{255, 255, 255, 10, 20, 30}))
      << "transparent pixels are white";
  const std::vector<std::uint16_t> deep{0, 32768, 65535};
  image = decode_image(png_bytes(1, 3, PNG_FORMAT_LINEAR_Y, deep.data()), "x");
  EXPECT_EQ(image.channels, 1);
  EXPECT_EQ(image.pixels.front(), 0);
  EXPECT_EQ(image.pixels.back(), 255);
}

TEST(Images, JpegFiles) {
  std::vector<std::uint8_t> flat(8 * 16 * 3, 90);
  Image image = decode_image(jpeg_bytes(8, 16, 3, flat), "x");
  EXPECT_EQ(image.height, 8);
  EXPECT_EQ(image.width, 16);
  EXPECT_EQ(image.channels, 3);
  for (const int pixel : image.pixels) EXPECT_NEAR(pixel, 90, 2);
  flat.resize(8 * 16);
  image = decode_image(jpeg_bytes(8, 16, 1, flat), "x");
  EXPECT_EQ(image.channels, 1);
  for (const int pixel : image.pixels) EXPECT_NEAR(pixel, 90, 2);
  expect_refused(jpeg_bytes(4, 4, 4, std::vector<std::uint8_t>(64, 90)), "CMYK");
}

TEST(Images, PnmFiles) {
  const std::vector<std::uint8_t> coloured = gradient_pixels(2, 3, 3);
  EXPECT_EQ(decode_image(pnm_bytes(2, 3, 3, coloured), "x").pixels, coloured);
  using Pixels = std::vector<std::uint8_t>;
  EXPECT_EQ(decode_image("P2 # a comment\n3 1\n5\n0 5 2\n", "x").pixels, (Pixels{0, 255, 102}));
  EXPECT_EQ(decode_image("P1\n3 2\n010\n1 1 0", "x").pixels, (Pixels{255, 0, 255, 0, 0, 255}));
  EXPECT_EQ(decode_image(std::string("P4\n3 1\n\x40", 8), "x").pixels, (Pixels{255, 0, 255}));
  EXPECT_EQ(decode_image(std::string("P5 2 1 65535\n\x80\x00\xff\xff", 17), "x").pixels, (Pixels{128, 255}));
  for (const char* bad :
       {"P2 2 1 5 0 6", "P2 2 1 0 0 0", "P2 2 1 x", "P2 2 1 99999 1 1", "P1 1 1 7", "P3 1 1 9 1 1"})
    expect_refused(bad, "PNM");
}

TEST(Images, DamagedFilesAreRefusedByName) {
  const std::vector<std::uint8_t> pixels = gradient_pixels(20, 20, 3);
  const std::string png = png_bytes(20, 20, PNG_FORMAT_RGB, pixels.data()),
                    jpeg = jpeg_bytes(20, 20, 3, pixels), pnm = pnm_bytes(20, 20, 3, pixels);
  for (const std::string& whole : {png, jpeg, pnm}) {
    for (const std::size_t size : {whole.size() * 2 / 3, whole.size() / 4, std::size_t{5}})
      expect_refused(whole.substr(0, size), "");
  }
  expect_refused("", "empty");
  expect_refused("hello", "expected a PNG, JPEG or PNM");
  expect_refused("GIF89a", "GIF");
}

TEST(Images, SizesAreCheckedBeforeDecoding) {
  expect_refused("P5 30000 30000 255\n", "30000 x 30000");
  expect_refused("P5 0 3 255\n", "0 x 3");
  // A PNG header alone, with its checksum: only the size can be refused.
  std::string header = png_bytes(1, 1, PNG_FORMAT_GRAY, "x");
  header.replace(16, 8, big_endian_bytes(30'000) + big_endian_bytes(30'000));
  const auto sum =
      static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const unsigned char*>(header.data()) + 12, 17));
  header.replace(29, 4, big_endian_bytes(sum));
  expect_refused(header, "30000 x 30000");
  std::string jpeg = jpeg_bytes(16, 16, 1, std::vector<std::uint8_t>(256, 7));
  const std::size_t frame = jpeg.find("\xff\xc0");
  jpeg.replace(frame + 5, 4, big_endian_bytes(30'000u << 16 | 30'000u));
  expect_refused(jpeg, "30000 x 30000");
}

TEST(Images, FilesThatAreNoneAreRefused) {
  const TemporaryDirectory folder;
  EXPECT_THROW(read_image(folder / "missing.png"), InputError);
  EXPECT_THROW(read_image(folder.path()), InputError);
  EXPECT_THROW(read_image("/dev/zero"), InputError);
}

ImageSettings sized(int height, int width, int channels, ImageFit fit = ImageFit::crop) {
  ImageSettings settings;
  settings.height = height;
  settings.width = width;
  settings.channels = channels;
  settings.fit = fit;
  return settings;
}

TEST(ImageScaling, KeepsTheSizeAndAveragesPixels) {
  const Image image{2, 4, 1, {0, 100, 200, 40, 60, 20, 80, 120}};
  EXPECT_EQ(fitted(image, sized(2, 4, 1)).pixels, image.pixels);
  // The middle two columns.
  EXPECT_EQ(fitted(image, sized(2, 2, 1)).pixels, (std::vector<std::uint8_t>{100, 200, 20, 80}));
  const Image flat{7, 9, 1, std::vector<std::uint8_t>(63, 131)};
  for (const ImageFit fit : {ImageFit::crop, ImageFit::stretch}) {
    for (const int side : {1, 3, 8, 20}) {
      const Image scaled = fitted(flat, sized(side, side + 1, 1, fit));
      ASSERT_EQ(scaled.pixels.size(), index(side * (side + 1)));
      EXPECT_TRUE(std::ranges::all_of(scaled.pixels, [](int pixel) { return pixel == 131; })) << side;
    }
  }
  const Image stretched = fitted(image, sized(1, 2, 1, ImageFit::stretch));
  EXPECT_LT(stretched.pixels[0], stretched.pixels[1]);
}

TEST(ImageScaling, ChangesColours) {
  const Image red{1, 1, 3, {255, 0, 0}};
  EXPECT_EQ(fitted(red, sized(1, 1, 1)).pixels, (std::vector<std::uint8_t>{76}));
  const Image grey{1, 1, 1, {9}};
  EXPECT_EQ(fitted(grey, sized(1, 1, 3)).pixels, (std::vector<std::uint8_t>{9, 9, 9}));
}

TEST(ImageNoise, DependsOnTheRandomNumbersOnly) {
  const Image original{6, 5, 3, gradient_pixels(6, 5, 3)};
  const ImageNoise noise{.shift = 2, .flip = true, .erase = 0.5};
  int changed = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Image one = original, other = original;
    Random random(seed), same(seed);
    add_noise(one, noise, random);
    add_noise(other, noise, same);
    EXPECT_EQ(one.pixels, other.pixels);
    changed += one.pixels != original.pixels ? 1 : 0;
  }
  EXPECT_GT(changed, 15);
}

TEST(ImageNoise, FlipsAndMoves) {
  const Image original{1, 3, 1, {1, 2, 3}};
  bool flipped = false, moved = false;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    Image image = original;
    add_noise(image, {.flip = true}, random);
    flipped = flipped || image.pixels == std::vector<std::uint8_t>{3, 2, 1};
    image = original;
    add_noise(image, {.shift = 1}, random);
    moved = moved || image.pixels == std::vector<std::uint8_t>{1, 1, 2};
  }
  EXPECT_TRUE(flipped);
  EXPECT_TRUE(moved);
}

}  // namespace
}  // namespace gloss
