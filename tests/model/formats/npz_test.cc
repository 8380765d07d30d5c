// SPDX-License-Identifier: Apache-2.0

#include "model/formats/npz.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/foreign_bytes.h"
#include "tests/support/foreign_reading.h"
#include "tests/support/shared_data.h"

namespace gloss {
namespace {

const std::string kSix = little_endian<float>({0, 1, 2, 3, 4, 5});

std::string npz(const std::string& header, const std::string& data, char version = 1) {
  return zip_bytes({{"a.npy", npy_bytes(header, data, version)}});
}

TEST(Npz, ArraysAreReadByName) {
  const TemporaryDirectory folder;
  const std::string path = folder.write(
      "model.npz",
      zip_bytes({{"a.npy", npy_bytes(npy_header("<f4", "(2, 3)"), kSix)},
                 {"turned.npy", npy_bytes(npy_header("<f4", "(2, 3)", "True"), kSix, 2), true},
                 {"scalar.npy", npy_bytes(npy_header("<f8", "()"), little_endian(2.5), 3)},
                 {"empty.npy", npy_bytes(npy_header("<f2", "(1, 0)"), "")},
                 {"special:model.yml.npy", npy_bytes(npy_header("|i1", "(5,)"), std::string("a: 1\0", 5))}}));
  const StoredArrays arrays = read_npz(path);
  EXPECT_EQ(arrays.all().size(), 5u);
  EXPECT_EQ(arrays.at("a").shape(), (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(numbers_of(arrays.at("a")), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(numbers_of(arrays.at("turned")), (std::vector<float>{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(numbers_of(arrays.at("scalar")), (std::vector<float>{2.5F}));
  EXPECT_EQ(arrays.at("empty").count(), 0u);
  EXPECT_EQ(arrays.at("special:model.yml").type(), NumberType::i8);
  EXPECT_EQ(arrays.at("special:model.yml").bytes(100), std::string("a: 1\0", 5));
}

TEST(Npz, ArraysOutliveTheListTheyCameFrom) {
  const TemporaryDirectory folder;
  const std::string path = folder.write("a.npz", npz(npy_header("<f4", "(6,)"), kSix));
  const StoredArray array = read_npz(path).at("a");
  EXPECT_EQ(numbers_of(array).back(), 5);
}

TEST(Npz, HeadersThatLieAreRefused) {
  const auto refused = [](const std::string& header, const std::vector<std::string>& parts) {
    std::vector<std::string> all = parts;
    all.push_back("'a'");
    expect_refused(read_npz, npz(header, kSix), all);
  };
  refused(npy_header("<f4", "(7,)"), {"[7]", "6 numbers"});
  refused(npy_header("<f4", "(5,)"), {"bytes"});
  refused(npy_header("<f4", "(9223372036854775807, 9223372036854775807)"), {"numbers"});
  refused(npy_header("<f4", "(9223372036854775807, 3, 0)", "True"), {"bytes"});
  refused(npy_header("<f4", "(92233720368547758070,)"), {"size"});
  refused(npy_header("<f4", "(-6,)"), {"-6"});
  refused(npy_header("<f4", "(3, 2"), {"size"});
  refused(npy_header(">f4", "(6,)"), {"'>f4'", "little-endian"});
  refused(npy_header("|O", "(3,)"), {"'|O'"});
  refused(npy_header("<c8", "(3,)"), {"'<c8'"});
  refused("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (6,)}", {"record"});
  refused("{'descr': '<f4', 'fortran_order': 1, 'shape': (6,)}", {"True or False"});
  refused("{'descr': '<f4', 'descr': '<f4', 'shape': (6,)}", {"once"});
  refused("{'descr': '<f4', 'shape': (6,)}", {"fortran_order"});
  refused(npy_header("<f4", "(6,)") + "x", {"end of the header"});
  refused("", {"'{'"});
  expect_refused(read_npz, npz(npy_header("<f4", "(6,)"), kSix, 4), {"version"});
  expect_refused(read_npz, zip_bytes({{"a.npy", "\x93NUMPY"}}), {"6 bytes"});
  expect_refused(read_npz, zip_bytes({{"a.npy", "\x93NUMPY\2" + std::string(5, '\xff')}}), {"header"});
}

TEST(Npz, DamagedArchivesAreRefused) {
  const std::string array = npy_bytes(npy_header("<f4", "(6,)"), kSix);
  expect_refused(read_npz, zip_bytes({{"a.npy", array}, {"a.npy", array}}), {"'a.npy'", "twice"});
  expect_refused(read_npz, zip_bytes({{"a.npy", array, false, 1}}), {"'a.npy'", "encrypted"});
  expect_refused(read_npz, zip_bytes({{"a.npy", array, false, 0, 12}}), {"'a.npy'", "12"});
  expect_refused(read_npz, zip_bytes({{"a.npy", array, true, 0, 0, 1 << 30}}), {"'a.npy'", "expand"});
  expect_refused(read_npz, zip_bytes({{"a.npy", array, false, 0, 0, 8}}), {"'a.npy'", "stored"});
  expect_refused(read_npz, "PK\3\4 no archive", {"zip"});
  expect_refused(read_npz, zip_bytes({}), {"no entries"});
  std::string damaged = zip_bytes({{"a.npy", array}});
  damaged[damaged.find(kSix) + 2] ^= 1;
  expect_refused(read_npz, damaged, {"'a.npy'", "CRC"});
}

TEST(Npz, DamageAnywhereIsRefusedOrHarmless) {
  expect_robust(read_npz, zip_bytes({{"a.npy", npy_bytes(npy_header("<f4", "(3, 2)", "True"), kSix)},
                                     {"b.npy", npy_bytes(npy_header("<f4", "(6,)"), kSix), true}}));
}

TEST(Npz, MarianModelsHaveTheirParametersAndSettings) {
  GLOSS_NEED_SHARED_DATA(folder, "interchange/marian");
  const StoredArrays arrays = read_npz(*folder + "/amun/model.npz");
  EXPECT_TRUE(has(arrays.at("special:model.yml").bytes(1 << 20), "type: amun"));
  EXPECT_EQ(arrays.at("decoder_c_tt").shape(), (std::vector<std::int64_t>{1, 0}));
  double sum = 0;
  for (const float number : numbers_of(arrays.at("Wemb"))) sum += std::abs(number);
  EXPECT_GT(sum, 0);
}

}  // namespace
}  // namespace gloss
