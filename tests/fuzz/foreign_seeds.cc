// SPDX-License-Identifier: Apache-2.0

#include "tests/fuzz/foreign_seeds.h"

#include <algorithm>

#include "tests/support/pickle_bytes.h"
#include "tests/support/safetensors_bytes.h"

namespace gloss {

std::vector<ForeignSeed> foreign_seeds() {
  std::vector<ForeignSeed> seeds;
  const std::string array = npy_bytes(npy_header("<f4", "(2, 3)", "True"), std::string(24, 'x'));
  seeds.push_back({"npz", "array", array});
  seeds.push_back({"npz", "archive", zip_bytes({{"a.npy", array}, {"b.npy", array, true}})});
  const std::string block(16 * 8 + 4, '\x40');
  seeds.push_back({"marian_binary", "items",
                   marian_bytes({{"special:model.yml", 0x101, {4}, "a: 1"},
                                 {"b", 0x404, {2, 2}, std::string(16, 'x')},
                                 {"encoder_W1", 0x10001, {16, 8}, block},
                                 {"encoder_W2", 0x18001, {16, 8}, block}},
                                16)});
  const std::string four = little_endian<float>({1, 2, 3, 4});
  seeds.push_back({"ctranslate2", "aliases",
                   ctranslate2_bytes({{"a/weight", {2, 4}, 1, std::string(8, '\x40')},
                                      {"a/weight_scale", {2}, 0, four.substr(8)},
                                      {"b/bias", {2, 2}, 0, four},
                                      {"c/weight", {4}, 2, std::string(8, '\x40')},
                                      {"num_heads", {}, 2, std::string("\2\0", 2)}},
                                     {{"d/weight", "a/weight"}, {"d/weight_scale", "a/weight_scale"}})});
  seeds.push_back({"ctranslate2", "old", ctranslate2_bytes({{"a", {2, 2}, 4, four}}, {}, 2)});
  seeds.push_back(
      {"yaml", "settings", "type: s2s\ndim-vocabs:\n  - 12\nlist:\n  []\nskip: false # no\nx: 1.5e3\n"});
  seeds.push_back({"yaml", "words", "</s>: 0\n\"\\u00fc\\\"\": 1\n~: 2\n'it''s': 3\n? a\n: |\n  b\n"});
  seeds.push_back({"yaml", "flow", "%YAML 1.2\n--- !!map\n{a: &b [*b, \"c\"], d: >-\n  e}\n...\n"});
  using namespace pickled;
  const std::string numbers(24, 'x');
  const std::string object =
      dict({{"a", tensor(storage("0", 6), 0, {3, 2}, {1, 3})},
            {"b", list({number(1), none(), text("c"), tuple({number(1LL << 40)})})},
            {"c", global("argparse", "Namespace") + ")\x81" + dict({{"d", no()}}) + "b"},
            {"e", call("torch._utils", "_rebuild_parameter", {tensor(storage("0", 6), 1, {2}, {2})})}});
  seeds.push_back({"torch_checkpoint", "archive", torch_archive(object, {{"0", numbers}})});
  seeds.push_back({"torch_checkpoint", "old", torch_old_form(object, {{"0", numbers}})});
  seeds.push_back({"torch_checkpoint", "pickle", whole(object)});
  seeds.push_back({"safetensors", "half",
                   safetensors_bytes(tensor_header("a", "F16", "[2,3]", "[0,12]"), numbers.substr(12))});
  seeds.push_back({"safetensors", "scalar",
                   safetensors_bytes(tensor_header("a", "I64", "[]", "[0,8]"), numbers.substr(16))});
  seeds.push_back({"shortlist", "text", "the the 0.5\nca the 0.2\n\u2581cat \u2581s 0.7\nNULL a 0.1\n"});
  // The vocabulary of cat_model: 27 pieces.
  std::vector<std::uint64_t> offsets;
  for (std::uint64_t token = 0; token <= 27; ++token) offsets.push_back(std::min<std::uint64_t>(token, 4));
  seeds.push_back({"shortlist", "binary",
                   little_endian<std::uint64_t>({0xF11A48D5013417F5, 0, 5, 1, offsets.size(), 4}) +
                       little_endian(offsets) + little_endian<std::uint32_t>({9, 12, 1, 3})});
  return seeds;
}

}  // namespace gloss
