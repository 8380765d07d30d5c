// SPDX-License-Identifier: Apache-2.0

#include "model/formats/torch_checkpoint.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/foreign_reading.h"
#include "tests/support/pickle_bytes.h"
#include "tests/support/shared_data.h"

namespace gloss {
namespace {

using namespace pickled;

const std::string kSixFloats = little_endian<float>({0, 1, 2, 3, 4, 5});
using Floats = std::vector<float>;

StoredArrays torch_arrays_of(const std::string& path) { return read_torch_checkpoint(path).arrays; }

TorchCheckpoint written(const std::string& bytes) {
  const TemporaryDirectory folder;
  return read_torch_checkpoint(folder.write("pytorch_model.bin", bytes));
}

/// Tied weights, a transposed matrix, columns of wider rows, and other types.
std::string tensors() {
  return dict({{"shared.weight", tensor(storage("0", 6), 0, {2, 3}, {3, 1})},
               {"tied.weight", tensor(storage("0", 6), 0, {2, 3}, {3, 1})},
               {"turned", tensor(storage("0", 6), 0, {3, 2}, {1, 3})},
               {"columns", tensor(storage("0", 6), 1, {2, 2}, {3, 1})},
               {"scalar", tensor(storage("0", 6), 5, {}, {})},
               {"empty", tensor(storage("0", 6), 0, {0, 3}, {3, 1})}});
}

void expect_tensors(const StoredArrays& arrays) {
  EXPECT_EQ(arrays.all().size(), 6u);
  EXPECT_EQ(numbers_of(arrays.at("shared.weight")), (Floats{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(numbers_of(arrays.at("tied.weight")), (Floats{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(arrays.at("turned").shape(), (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(numbers_of(arrays.at("turned")), (Floats{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(numbers_of(arrays.at("columns")), (Floats{1, 2, 4, 5}));
  EXPECT_EQ(numbers_of(arrays.at("scalar")), (Floats{5}));
  EXPECT_EQ(arrays.at("empty").count(), 0u);
}

TEST(TorchCheckpoint, TensorsOfBothFormsAreRead) {
  expect_tensors(written(torch_archive(tensors(), {{"0", kSixFloats}})).arrays);
  expect_tensors(written(torch_old_form(tensors(), {{"0", kSixFloats}})).arrays);
}

TEST(TorchCheckpoint, StoragesHaveTypes) {
  const auto read = [](const std::string& type, std::int64_t count, const std::string& bytes) {
    const std::string object = dict({{"a", tensor(storage("0", count, type), 0, {count}, {1})}});
    return numbers_of(written(torch_archive(object, {{"0", bytes}})).arrays.at("a"));
  };
  EXPECT_EQ(read("DoubleStorage", 1, little_endian(2.5)), (Floats{2.5F}));
  EXPECT_EQ(read("HalfStorage", 2, little_endian<std::uint16_t>({0x3c00, 0xc000})), (Floats{1, -2}));
  EXPECT_EQ(read("BFloat16Storage", 1, little_endian<std::uint16_t>(0x3fc0)), (Floats{1.5F}));
  EXPECT_EQ(read("LongStorage", 1, little_endian<std::int64_t>(-7)), (Floats{-7}));
  EXPECT_EQ(read("IntStorage", 1, little_endian<std::int32_t>(-7)), (Floats{-7}));
  EXPECT_EQ(read("ShortStorage", 1, little_endian<std::int16_t>(-7)), (Floats{-7}));
  EXPECT_EQ(read("CharStorage", 1, "\xff"), (Floats{-1}));
  EXPECT_EQ(read("ByteStorage", 1, "\xff"), (Floats{255}));
  EXPECT_EQ(read("BoolStorage", 1, "\1"), (Floats{1}));
}

TEST(TorchCheckpoint, NestedDictionariesAndSettingsAreKept) {
  const std::string weights = dict({{"w", tensor(storage("0", 6), 0, {6}, {1})}});
  const std::string settings = global("argparse", "Namespace") + ")\x81" +
                               dict({{"layers", number(6)}, {"share", no()}, {"name", text("\xC3\xBC")}}) +
                               "b";
  const std::string parameter =
      call("torch._utils", "_rebuild_parameter",
           {tensor(storage("0", 6), 0, {2}, {1}), no(), call("collections", "OrderedDict", {})});
  const std::string pairs = call("collections", "OrderedDict", {list({list({text("a"), number(1)})})});
  const TorchCheckpoint checkpoint =
      written(torch_archive(dict({{"model", weights},
                                  {"args", settings},
                                  {"history", list({number(3), none(), parameter})},
                                  {"pairs", pairs}}),
                            {{"0", kSixFloats}}));
  EXPECT_EQ(checkpoint.values,
            nlohmann::json({{"model", {{"w", nullptr}}},
                            {"args", {{"layers", 6}, {"share", false}, {"name", "\xC3\xBC"}}},
                            {"history", {3, nullptr, nullptr}},
                            {"pairs", {{"a", 1}}}}));
  EXPECT_EQ(checkpoint.arrays.at("model/w").count(), 6u);
  EXPECT_EQ(numbers_of(checkpoint.arrays.at("history/2")), (Floats{0, 1}));
}

TEST(TorchCheckpoint, PicklesThatNameAnythingElseAreRefused) {
  const std::string evil = dict({{"a", call("os", "system", {text("touch /tmp/x")})}});
  expect_refused(torch_arrays_of, torch_archive(evil, {}), {"os.system"});
  expect_refused(torch_arrays_of, torch_old_form(evil, {}), {"os.system"});
  expect_refused(torch_arrays_of, torch_old_form(number(1), {}).insert(2, global("os", "system")),
                 {"os.system"});
}

TEST(TorchCheckpoint, TensorsThatDoNotFitTheirStorageAreRefused) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const auto refused = [](const std::string& object, const std::vector<std::string>& parts) {
    std::vector<std::string> all = parts;
    all.push_back("'w'");
    for (const std::string& bytes : {torch_archive(dict({{"w", object}}), {{"0", kSixFloats}}),
                                     torch_old_form(dict({{"w", object}}), {{"0", kSixFloats}})}) {
      expect_refused(torch_arrays_of, bytes, all);
    }
  };
  refused(tensor(storage("0", 6), 0, {7}, {1}), {"[7]", "6 numbers"});
  refused(tensor(storage("0", 6), 1, {6}, {1}), {"5 numbers"});
  refused(tensor(storage("0", 6), 7, {1}, {1}), {"number 7"});
  refused(tensor(storage("0", 6), -1, {1}, {1}), {"number -1"});
  refused(tensor(storage("0", 6), kMost, {1}, {1}), {"number"});
  refused(tensor(storage("0", 6), 0, {2, 2}, {5, 1}), {"strides"});
  refused(tensor(storage("0", 6), 0, {2, 2}, {kMost, kMost}), {"strides"});
  refused(tensor(storage("0", 6), 0, {2}, {-1}), {"stride"});
  refused(tensor(storage("0", 6), 0, {-2}, {1}), {"negative"});
  refused(tensor(storage("0", 6), 0, {kMost, kMost, 4}, {1, 1, 1}), {"numbers"});
  refused(tensor(storage("0", 6), 0, {6, 6}, {0, 1}), {"6 numbers"});
  refused(tensor(storage("0", 6), 0, {6}, {1, 1}), {"strides"});
  const std::string strange = dict({{"w", tensor(number(1), 0, {6}, {1})}});
  expect_refused(torch_arrays_of, torch_archive(strange, {{"0", kSixFloats}}), {"'w'", "a number"});
  const std::string nothing = dict({{"w", call("torch._utils", "_rebuild_tensor_v2", {})}});
  expect_refused(torch_arrays_of, torch_archive(nothing, {{"0", kSixFloats}}), {"'w'", "missing"});
  // Two tensors of one name.
  const std::string six = tensor(storage("0", 6), 0, {6}, {1});
  expect_refused(torch_arrays_of, torch_archive(dict({{"w", six}, {"w", six}}), {{"0", kSixFloats}}),
                 {"'w'", "twice"});
}

TEST(TorchCheckpoint, StoragesThatLieAreRefused) {
  const auto file = [](const std::string& its_storage) {
    return dict({{"w", tensor(its_storage, 0, {2}, {1})}});
  };
  for (const std::int64_t count :
       {std::int64_t{5}, std::int64_t{7}, std::int64_t{-6}, std::int64_t{1} << 62}) {
    expect_refused(torch_arrays_of, torch_archive(file(storage("0", count)), {{"0", kSixFloats}}), {});
    expect_refused(torch_arrays_of, torch_old_form(file(storage("0", count)), {{"0", kSixFloats}}), {});
  }
  expect_refused(torch_arrays_of, torch_archive(file(storage("1", 6)), {{"0", kSixFloats}}),
                 {"'w'", "'1'", "missing"});
  expect_refused(torch_arrays_of, torch_archive(file(storage("0", 6, "Size")), {{"0", kSixFloats}}),
                 {"torch.Size"});
  expect_refused(torch_arrays_of, torch_old_form(file(storage("1", 6)), {{"0", kSixFloats}}), {"'0'"});
  expect_refused(torch_arrays_of, torch_archive(file(storage("0", 6)), {{"0", kSixFloats}}, "big"),
                 {"big-endian"});
  expect_refused(torch_arrays_of, torch_archive(list({}), {}), {"a list", "dictionary"});
  expect_refused(torch_arrays_of, zip_bytes({{"a", "b"}}), {"data.pkl"});
  expect_refused(torch_arrays_of, whole(number(1)), {"magic"});
  expect_refused(torch_arrays_of, "", {"0 bytes", "PyTorch"});
}

TEST(TorchCheckpoint, CirclesAndGrowthAreRefused) {
  const std::string circle = "}q\1(" + text("a") + "h\1u";
  expect_refused(torch_arrays_of, torch_archive(circle, {}), {"circle"});
  // Thirty lists, each with ten times the one before.
  std::string growing = "]q" + std::string(1, '\0');
  for (char i = 0; i < 30; ++i) {
    growing += "0](";
    for (int j = 0; j < 10; ++j) growing += std::string("h") + i;
    growing += std::string("eq") + static_cast<char>(i + 1);
  }
  expect_refused(torch_arrays_of, torch_archive("}(" + text("a") + growing + "u", {}), {"too many"});
}

/// `part` many times.
std::string repeated(const std::string& part, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += part;
  return all;
}

TEST(TorchCheckpoint, TextsThatAreUsedManyTimesAreRefused) {
  const std::string longest(8 << 20, 'x'), remembered = text(longest) + "q\1", again = "h\1";
  const auto refused = [](const std::string& object) {
    expect_refused(torch_arrays_of, torch_archive("}" + text("k") + object + "s", {}), {"texts", "67108864"});
  };
  refused("](" + remembered + repeated(again, 9) + "e");                     // as values
  refused("](" + remembered + repeated("}" + again + "Ns", 9) + "e");        // as keys
  refused("}" + text(longest) + "](" + repeated(number(1), 9) + "e" + "s");  // as part of names
  expect_refused(torch_arrays_of, torch_archive(tensor(storage(longest, 6), 0, {6}, {1}), {}),
                 {"dictionary"});
  expect_refused(torch_arrays_of, torch_archive(dict({{"a", tensor(storage(longest, 6), 0, {6}, {1})}}), {}),
                 {"'a'", "key", "1024"});
}

TEST(TorchCheckpoint, DamageAnywhereIsRefusedOrHarmless) {
  const std::string two = dict({{"w", tensor(storage("0", 6), 0, {3, 2}, {1, 3})}});
  expect_robust(torch_arrays_of, torch_archive(two, {{"0", kSixFloats}}));
  expect_robust(torch_arrays_of, torch_old_form(two, {{"0", kSixFloats}}));
}

TEST(TorchCheckpoint, CheckpointsOfFairseqHaveTheirSettings) {
  GLOSS_NEED_SHARED_DATA(path, "interchange/fairseq/checkpoint_best.pt");
  const TorchCheckpoint checkpoint = read_torch_checkpoint(*path);
  EXPECT_EQ(checkpoint.values.at("args").at("encoder_layers"), 2);
  EXPECT_EQ(checkpoint.arrays.at("model/decoder.embed_tokens.weight").shape().at(1), 40);
}

}  // namespace
}  // namespace gloss
