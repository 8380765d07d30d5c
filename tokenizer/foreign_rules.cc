// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/foreign_rules.h"

#include "base/error.h"
#include "base/index.h"
#include "tokenizer/model_file.h"
#include "tokenizer/subword.h"
#include "tokenizer/wire.h"

namespace gloss {
namespace {

// Numbers of fields. Ids are stored plus one: 0 is none.
enum Field : std::uint32_t {
  kKind = 1,
  kSize = 2,
  kBegin = 3,
  kEnd = 4,
  kSpecial = 5,
  kLowerCase = 6,
  kAttachesPunctuation = 7,
  kMerge = 8,
  kNeverGenerated = 9,
  kNeverProbable = 10,
  kContinuesSpecials = 11,
  // of kSpecial
  kSpecialId = 1,
  kTakesSpaces = 2,
  // of kMerge
  kLeft = 1,
  kRight = 2,
};

std::uint64_t stored(int id) { return static_cast<std::uint64_t>(id + 1); }

/// Reads ids of a vocabulary, and other numbers.
class IdReader {
 public:
  IdReader(std::size_t pieces, const std::string& where) : pieces_(pieces), where_(where) {}
  int operator()(const WireReader& reader, std::string_view name) const {
    const std::uint64_t value = reader.varint(name);
    if (value > pieces_) {
      throw InputError(
          concat(where_, ": ", name, " is ", value - 1, "; expected an id of the ", pieces_, " pieces"));
    }
    return static_cast<int>(value) - 1;
  }
  /// An id that must be there.
  int required(int id, std::string_view name) const {
    if (id < 0)
      throw InputError(concat(where_, ": ", name, " is missing; expected an id of the ", pieces_, " pieces"));
    return id;
  }

  /// A number from `least` to `most`.
  int number(const WireReader& reader, std::string_view name, std::uint64_t least, std::uint64_t most) const {
    const std::uint64_t value = reader.varint(name);
    if (value < least || value > most)
      throw InputError(concat(where_, ": ", name, " is ", value, "; expected ", least, " to ", most));
    return static_cast<int>(value);
  }

 private:
  std::size_t pieces_;
  const std::string& where_;
};

/// The ids of two pieces to merge.
std::pair<int, int> read_merge(std::string_view message, const IdReader& id, const std::string& where) {
  int left = -1, right = -1;
  for (WireReader reader(message, where); reader.next();) {
    if (reader.field() == kLeft) left = id(reader, "left");
    if (reader.field() == kRight) right = id(reader, "right");
  }
  return {id.required(left, "left"), id.required(right, "right")};
}

ForeignRules::Special read_special(std::string_view message, const IdReader& id, const std::string& where) {
  ForeignRules::Special special{-1, false};
  for (WireReader reader(message, where); reader.next();) {
    if (reader.field() == kSpecialId) special.id = id(reader, "special");
    if (reader.field() == kTakesSpaces) special.takes_spaces = reader.varint("takes_spaces") != 0;
  }
  id.required(special.id, "special");
  return special;
}

/// Throws InputError if an id of the rules is beyond the pieces in use.
void expect_in_use(const ForeignRules& rules, const std::string& where) {
  const auto expect = [&](int id, std::string_view name) {
    if (id < rules.size) return;
    throw InputError(
        concat(where, ": ", name, " is ", id, "; expected an id of the ", rules.size, " pieces in use"));
  };
  expect(rules.begin, "begin");
  expect(rules.end, "end");
  for (const ForeignRules::Special& special : rules.specials) expect(special.id, "special");
  for (const int id : rules.never_generated) expect(id, "never_generated");
}

}  // namespace

std::string write_rules(const ForeignRules& rules) {
  std::string message;
  append_varint(message, kKind, static_cast<std::uint64_t>(rules.kind));
  append_varint(message, kSize, static_cast<std::uint64_t>(rules.size));
  append_varint(message, kBegin, stored(rules.begin));
  append_varint(message, kEnd, stored(rules.end));
  for (const ForeignRules::Special& special : rules.specials) {
    std::string entry;
    append_varint(entry, kSpecialId, stored(special.id));
    if (special.takes_spaces) append_varint(entry, kTakesSpaces, 1);
    append_bytes(message, kSpecial, entry);
  }
  for (const int id : rules.never_generated) append_varint(message, kNeverGenerated, stored(id));
  if (rules.never_probable) append_varint(message, kNeverProbable, 1);
  if (rules.lower_case) append_varint(message, kLowerCase, 1);
  if (rules.attaches_punctuation) append_varint(message, kAttachesPunctuation, 1);
  if (rules.continues_specials) append_varint(message, kContinuesSpecials, 1);
  for (const auto& [left, right] : rules.merges) {
    std::string entry;
    append_varint(entry, kLeft, stored(left));
    append_varint(entry, kRight, stored(right));
    append_bytes(message, kMerge, entry);
  }
  return message;
}

ForeignRules read_rules(std::string_view message, std::size_t pieces, const std::string& where) {
  ForeignRules rules;
  const IdReader id(pieces, where);
  for (WireReader reader(message, where); reader.next();) {
    switch (reader.field()) {
      case kKind:
        rules.kind = static_cast<ForeignRules::Kind>(id.number(reader, "kind", 0, 3));
        break;
      case kSize:
        rules.size = id.number(reader, "size", 1, pieces);
        break;
      case kBegin:
        rules.begin = id(reader, "begin");
        break;
      case kEnd:
        rules.end = id(reader, "end");
        break;
      case kSpecial:
        rules.specials.push_back(read_special(reader.bytes("specials"), id, where));
        break;
      case kLowerCase:
        rules.lower_case = reader.varint("lower_case") != 0;
        break;
      case kAttachesPunctuation:
        rules.attaches_punctuation = reader.varint("attaches_punctuation") != 0;
        break;
      case kNeverGenerated:
        rules.never_generated.push_back(id.required(id(reader, "never_generated"), "never_generated"));
        break;
      case kNeverProbable:
        rules.never_probable = reader.varint("never_probable") != 0;
        break;
      case kContinuesSpecials:
        rules.continues_specials = reader.varint("continues_specials") != 0;
        break;
      case kMerge:
        rules.merges.push_back(read_merge(reader.bytes("merges"), id, where));
        break;
      default:
        break;  // other fields are ignored
    }
  }
  if (rules.size == 0) throw InputError(concat(where, ": size is missing; expected 1 to ", pieces));
  expect_in_use(rules, where);
  return rules;
}

bool never_probable(const Subwords& subwords) {
  if (subwords.never_generated().empty()) return false;
  const ModelFile file = read_model_file(subwords.bytes(), "a tokenizer");
  return file.foreign && file.foreign->never_probable;
}

}  // namespace gloss
