// SPDX-License-Identifier: Apache-2.0
// Models that read matrices of numbers, through the real binary.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "base/text.h"
#include "model/formats/npz_writer.h"
#include "model/formats/safetensors.h"
#include "tests/support/failure.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

/// A .npy file of f32 numbers.
std::string npy_bytes(int rows, int columns, const std::vector<float>& values) {
  std::string header =
      concat("{'descr': '<f4', 'fortran_order': False, 'shape': (", rows, ", ", columns, "), }");
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += {'\x01', '\0', static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  bytes += header;
  return bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

/// Matrices whose rows are large in the first or in the second number, and the names of the rows.
class FeatureCommand : public testing::Test {
 protected:
  static constexpr int kMatrices = 24;

  FeatureCommand() {
    std::vector<NpzArray> in_npz;
    std::vector<NamedArray> in_safetensors;
    for (int i = 0; i < kMatrices; ++i) {
      std::vector<float>& values = matrices.emplace_back();
      std::string text;
      const int rows = 1 + i % 4;
      for (int row = 0; row < rows; ++row) {
        const bool first = (i >> row) % 2 == 0;
        text += concat(row == 0 ? "" : " ", first ? "left" : "right");
        const float small = 0.1f * static_cast<float>(i % 3), large = 5 + 0.2f * static_cast<float>(row);
        values.insert(values.end(), {first ? large : small, first ? small : large, 1.0f});
      }
      folder.write(concat("m ", i, ".npy"), npy_bytes(rows, 3, values));
      list += concat("m ", i, ".npy\n");
      of_npz += concat("all.npz#m", i, "\n");
      of_safetensors += concat("all.safetensors#m", i, "\n");
      texts += text + "\n";
    }
    for (int i = 0; i < kMatrices; ++i) {
      const std::vector<float>& values = matrices[index(i)];
      const auto rows = static_cast<std::int64_t>(values.size()) / 3;
      in_npz.push_back({concat("m", i), NumberType::f32, {rows, 3}, [&values] {
                          return std::as_bytes(std::span(values));
                        }});
      in_safetensors.push_back({concat("m", i), DType::f32, {rows, 3}, values.data()});
    }
    write_npz(folder / "all.npz", in_npz);
    AtomicFile file(folder / "all.safetensors");
    write_safetensors(file, in_safetensors);
    file.commit();
    folder.write("list", list);
    folder.write("npz", of_npz);
    folder.write("safetensors", of_safetensors);
    folder.write("texts", texts);
  }

  ProgramResult train(const std::string& output, const std::vector<std::string>& more,
                      const std::string& source = "list") {
    std::vector<std::string> words{kGlossBinary,
                                   "train",
                                   "--source-type",
                                   "features",
                                   "--output",
                                   folder / output,
                                   "--source",
                                   folder / source,
                                   "--target",
                                   folder / "texts",
                                   "--vocab-type",
                                   "word",
                                   "--vocab-size",
                                   "20",
                                   "--width",
                                   "16",
                                   "--heads",
                                   "2",
                                   "--feed-forward-width",
                                   "16",
                                   "--encoder-layers",
                                   "1",
                                   "--decoder-layers",
                                   "1",
                                   "--norm",
                                   "pre",
                                   "--batch-tokens",
                                   "60",
                                   "--learning-rate",
                                   "0.01",
                                   "--warmup-updates",
                                   "10",
                                   "--dropout",
                                   "0",
                                   "--embedding-dropout",
                                   "0",
                                   "--seed",
                                   "3"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }
  std::string translated(const std::string& input) {
    const ProgramResult result =
        run_program({kGlossBinary, "translate", "-m", folder / "run", "-i", folder / input});
    EXPECT_EQ(result.status, 0) << result.errors;
    return result.output;
  }

  TemporaryDirectory folder;
  std::vector<std::vector<float>> matrices;
  std::string list, of_npz, of_safetensors, texts;
};

TEST_F(FeatureCommand, ReadsMatricesFromFilesOfAllFormats) {
  const ProgramResult trained = train("run", {"--max-updates", "250"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_EQ(translated("list"), texts);
  EXPECT_EQ(translated("npz"), texts);
  EXPECT_EQ(translated("safetensors"), texts);
}

TEST_F(FeatureCommand, AGridHasPositionsInTwoDimensions) {
  ASSERT_EQ(train("run", {"--max-updates", "3", "--feature-columns", "2", "--no-feature-norm"}).status, 0);
  translated("npz");
  expect_failure(train("refused", {"--feature-columns", "2", "--positions", "rotary"}), 2, {"rotary"});
}

TEST_F(FeatureCommand, ReadsMoreFilesThanCanBeOpen) {
  constexpr int kFiles = 200;
  ASSERT_EQ(train("run", {"--max-updates", "2"}).status, 0);
  std::string names;
  for (int i = 0; i < kFiles; ++i) {
    folder.write(concat(i, ".npz"), folder.read("all.npz"));
    names += concat(i, ".npz#m", i % kMatrices, "\n");
  }
  folder.write("names", names);
  const ProgramResult result =
      run_program({"/bin/sh", "-c", "ulimit -n 100; exec \"$0\" \"$@\"", kGlossBinary, "translate", "-m",
                   folder / "run", "-i", folder / "names"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(std::ranges::count(result.output, '\n'), kFiles);
}

TEST_F(FeatureCommand, NamesListLineAndFileOfAProblem) {
  ASSERT_EQ(train("run", {"--max-updates", "2"}).status, 0);
  const auto refused = [&](const std::string& name, const std::string& bytes,
                           const std::vector<std::string>& parts) {
    folder.write(name, bytes);
    folder.write("bad", "m 0.npy\n" + name + "\n");
    std::vector<std::string> all{"bad:2", name};
    all.insert(all.end(), parts.begin(), parts.end());
    expect_failure(run_program({kGlossBinary, "translate", "-m", folder / "run", "-i", folder / "bad"}), 3,
                   all);
  };
  folder.write("named", "m 1.npy#x\n");
  expect_failure(run_program({kGlossBinary, "translate", "-m", folder / "run", "-i", folder / "named"}), 3,
                 {"named:1", "m 1.npy", "'#x'"});
  refused("wide.npy", npy_bytes(1, 4, {1, 2, 3, 4}), {"4 numbers", "3"});
  refused("nan.npy", npy_bytes(1, 3, {1, std::bit_cast<float>(0x7fc00000u), 3}), {"position 1, 2"});
  refused("huge.npy", npy_bytes(1, 3, {1, 1e30f, 3}), {"position 1, 2", "1e+30"});
  refused("far.npy", npy_bytes(1, 3, {1, 2, 1e9f}), {"position 1, 3", "times the deviation"});
  refused("cut.npy", npy_bytes(2, 3, {1, 2, 3, 4, 5, 6}).substr(0, 140), {});
  refused("none.npy", npy_bytes(0, 3, {}), {"[0, 3]"});
  refused("text.txt", "1 2 3", {"FILE.npy"});
  folder.write("bad", "all.npz#missing\nall.npz\n");
  expect_failure(run_program({kGlossBinary, "translate", "-m", folder / "run", "-i", folder / "bad"}), 3,
                 {"missing", "24 arrays"});
  folder.write("huge", "m 0.npy\nhuge.npy\n");
  folder.write("two", "left\nright\n");
  expect_failure(run_program({kGlossBinary, "train", "--source-type", "features", "--source", folder / "huge",
                              "--target", folder / "two", "--vocab-type", "word", "--vocab-size", "20",
                              "--output", folder / "refused"}),
                 3, {"huge:2", "huge.npy", "1e+30"});
  folder.write("images.idx", std::string("\0\0\x08\x03\0\0\0\x01\0\0\0\x01\0\0\0\x01\x07", 17));
  expect_failure(run_program({kGlossBinary, "translate", "-m", folder / "run", "-i", folder / "images.idx"}),
                 2, {"idx archive", "matrices"});
  expect_failure(train("refused", {"--stem-widths", "4"}), 2, {"--stem-widths"});
  expect_failure(train("refused", {"--audio-bands", "4"}), 2, {"--audio-bands", "audio"});
}

}  // namespace
}  // namespace gloss
