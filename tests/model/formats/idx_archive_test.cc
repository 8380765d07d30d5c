// SPDX-License-Identifier: Apache-2.0
#include "model/formats/idx_archive.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/support/image_files.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

TEST(IdxArchive, ReadsItemsInAnyOrder) {
  const TemporaryDirectory folder;
  folder.write("images", idx_bytes({3, 2, 2}, "abcdefghijkl"));
  folder.write("labels", idx_bytes({300}, std::string(300, '\0')));  // mostly zeros, as no text is
  Listener silent;
  ASSERT_TRUE(is_idx_archive(folder / "images"));
  const IdxArchive images(folder / "images", folder.path(), silent);
  EXPECT_EQ(images.items(), 3);
  EXPECT_EQ(images.sizes(), (std::vector<int>{2, 2}));
  EXPECT_EQ(images.item(2), (std::vector<std::uint8_t>{'i', 'j', 'k', 'l'}));
  EXPECT_EQ(images.item(0), (std::vector<std::uint8_t>{'a', 'b', 'c', 'd'}));
  ASSERT_TRUE(is_idx_archive(folder / "labels"));
  const IdxArchive labels(folder / "labels", folder.path(), silent);
  EXPECT_EQ(labels.items(), 300);
  EXPECT_TRUE(labels.sizes().empty());
  EXPECT_EQ(labels.item(299), std::vector<std::uint8_t>{0});
  EXPECT_NE(images.fingerprint(), labels.fingerprint());
  folder.write("list", "images/a.png\tlabel\n");
  EXPECT_FALSE(is_idx_archive(folder / "list"));
  EXPECT_FALSE(is_idx_archive(folder / "missing"));
}

TEST(IdxArchive, RefusesFilesThatAreNotWhatTheirHeaderSays) {
  const TemporaryDirectory folder;
  Listener silent;
  const std::string whole = idx_bytes({3, 2, 2}, "abcdefghijkl");
  std::string floats = whole, huge = idx_bytes({1, 1 << 30, 1 << 30, 1 << 30}, "a");
  floats[2] = '\x0d';
  for (const std::string& bytes :
       {std::string(), whole.substr(0, 3), whole.substr(0, 9), whole.substr(0, 20), whole + "m", floats, huge,
        idx_bytes({2, 0}, ""), std::string("\0\0\x08\x00", 4)}) {
    folder.write("bad", bytes);
    try {
      const IdxArchive archive(folder / "bad", folder.path(), silent);
      ADD_FAILURE() << "accepted " << bytes.size() << " bytes";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(folder / "bad"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace gloss
