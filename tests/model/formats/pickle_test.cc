// SPDX-License-Identifier: Apache-2.0

#include "model/formats/pickle.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/support/has.h"
#include "tests/support/pickle_bytes.h"

namespace gloss {
namespace {

using Kind = PickleObject::Kind;
constexpr std::array<std::string_view, 2> kGlobals{"collections.OrderedDict", "torch.Size"};

Pickle read(const std::string& bytes) {
  ByteReader reader(std::as_bytes(std::span(bytes)), "model.pkl");
  return {reader, kGlobals};
}

std::string refusal(const std::string& bytes) {
  try {
    read(bytes);
    return "";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).find("model.pkl"), 0u) << error.what();
    return error.what();
  }
}

PickleObject only(const std::string& object) { return read(pickled::whole(object)).root(); }

TEST(Pickle, NumbersAndTextsOfEverySizeAreRead) {
  const auto integer = [](const std::string& bytes) {
    const PickleObject object = only(bytes);
    EXPECT_EQ(object.kind, Kind::integer);
    return object.integer;
  };
  EXPECT_EQ(integer("K\xff"), 255);
  EXPECT_EQ(integer("M\xff\xff"), 65535);
  EXPECT_EQ(integer("J\xfe\xff\xff\xff"), -2);
  EXPECT_EQ(integer(std::string("\x8a\0", 2)), 0);
  EXPECT_EQ(integer("\x8a\x01\xff"), -1);
  EXPECT_EQ(integer(std::string("\x8a\x02\xff\0", 4)), 255);
  EXPECT_EQ(integer(std::string("\x8b\x01\0\0\0\x80", 6)), -128);
  EXPECT_EQ(integer("\x8a\x08" + little_endian(INT64_MIN)), INT64_MIN);
  EXPECT_EQ(only("\x8a\x09"
                 "123456789")
                .kind,
            Kind::text);
  EXPECT_EQ(only(std::string("G\x3f\xf8\0\0\0\0\0\0", 9)).real, 1.5);
  EXPECT_EQ(only("\x88").integer, 1);
  EXPECT_EQ(only("\x89").kind, Kind::boolean);
  EXPECT_EQ(only("N").kind, Kind::none);
  EXPECT_EQ(only("\x8c\x02"
                 "ab")
                .text,
            "ab");
  EXPECT_EQ(only(std::string("X\x02\0\0\0ab", 7)).text, "ab");
  EXPECT_EQ(only("\x8d" + little_endian<std::uint64_t>(2) + "ab").text, "ab");
  EXPECT_EQ(only("C\x02"
                 "ab")
                .kind,
            Kind::bytes);
}

TEST(Pickle, ContainersHaveTheirItems) {
  const Pickle list =
      read(pickled::whole("]K\1a(K\2K\3eK\4\x85"
                          "a"));
  ASSERT_EQ(list.root().items.size(), 4u);
  EXPECT_EQ(list.root().items[2]->integer, 3);
  EXPECT_EQ(list.root().items[3]->kind, Kind::tuple);
  EXPECT_EQ(only("}K\1K\2s(K\3K\4u").items.size(), 4u);
  EXPECT_EQ(only("(K\1K\2d").kind, Kind::dict);
  EXPECT_EQ(only("(K\1K\2l").items.size(), 2u);
  EXPECT_EQ(only("K\1K\2K\3\x87").items.size(), 3u);
  EXPECT_EQ(only(")").kind, Kind::tuple);
}

TEST(Pickle, TheMemoGivesTheSameObjectAgain) {
  const Pickle pair = read(pickled::whole("]q\1h\1\x86"));
  EXPECT_EQ(pair.root().items[0], pair.root().items[1]);
  const Pickle numbered = read(
      "\x80\4"
      "]\x94"
      "h" +
      std::string(1, '\0') + "\x86.");
  EXPECT_EQ(numbered.root().items[0], numbered.root().items[1]);
  const Pickle circle = read(pickled::whole("]q\1h\1a"));
  EXPECT_EQ(circle.root().items[0], &circle.root());
}

TEST(Pickle, CallsStayCalls) {
  const PickleObject size = only(pickled::call("torch", "Size", {pickled::numbers({2, 3})}));
  EXPECT_EQ(size.kind, Kind::call);
  EXPECT_EQ(size.text, "torch.Size");
  EXPECT_EQ(size.items.size(), 1u);
  EXPECT_EQ(only(pickled::call("collections", "OrderedDict", {}) + "K\1K\2s").items.size(), 2u);
  EXPECT_EQ(only("\x8c\x05torch\x8c\x04Size\x93").text, "torch.Size");
  EXPECT_EQ(only("K\1Q").kind, Kind::persistent);
}

TEST(Pickle, NothingElseCanBeNamed) {
  for (const auto& [module, name] :
       std::vector<std::pair<std::string, std::string>>{{"os", "system"},
                                                        {"builtins", "eval"},
                                                        {"torch", "Size.__class__"},
                                                        {"", "torch.Size"},
                                                        {"torch.Size", ""}}) {
    for (const std::string& bytes : {pickled::call(module, name, {pickled::text("touch /tmp/x")}),
                                     pickled::text(module) + pickled::text(name) + "\x93"}) {
      const std::string message = refusal(pickled::whole(bytes));
      EXPECT_TRUE(has(message, "'" + module + "." + name + "'")) << message;
    }
  }
}

TEST(Pickle, DamageIsRefused) {
  const std::string good =
      pickled::whole(pickled::dict({{"a", pickled::list({pickled::number(1), pickled::text("b")})},
                                    {"c", pickled::call("torch", "Size", {pickled::numbers({1LL << 40})})}}));
  ASSERT_EQ(refusal(good), "");
  for (std::size_t size = 0; size < good.size(); ++size) EXPECT_NE(refusal(good.substr(0, size)), "") << size;
  for (const std::string bytes : {"K\1", "\x80\1N.", "\x80\6N.", "N."}) EXPECT_NE(refusal(bytes), "");
  // Too few objects, a missing mark, the wrong kinds, an unknown place and operation, a huge text.
  for (const std::string object :
       {"", "0", "\x85", "K\1\x86", "t", "u", "}(K\1u", "K\1K\2a", "]K\1K\2s", "K\1)R", "h\1", "I1\n",
        "(K\1]a", "X\xff\xff\xff\xff", "\x8d\xff\xff\xff\xff\xff\xff\xff\xff", "\x8b\xff\xff\xff\xff",
        "K\1K\2\x93", "ctorch"}) {
    EXPECT_NE(refusal(pickled::whole(object)), "") << object;
  }
}

TEST(Pickle, TheNumberOfObjectsIsLimited) {
  EXPECT_TRUE(has(refusal(pickled::whole(std::string(3'000'000, 'N'))), "objects"));
  EXPECT_TRUE(has(refusal(pickled::whole(std::string(3'000'000, '('))), "objects"));
  EXPECT_TRUE(has(refusal(pickled::whole("]" + std::string(3'000'000, '2'))), "objects"));
  std::string doubling = "](";
  for (int i = 0; i < 40; ++i) doubling = "](" + doubling + "q\1h\1e";
  refusal(pickled::whole(doubling));
}

}  // namespace
}  // namespace gloss
