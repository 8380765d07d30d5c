// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/charsmap.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "base/utf8.h"

namespace gloss {
namespace {

constexpr std::size_t kUnitSize = 4;
constexpr std::size_t kMostRules = 32;            // size of SentencePiece's array of matches
constexpr std::size_t kLongestReplacement = 256;  // bytes; Unicode's longest is 18 characters

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = kUnitSize; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// A trie in Darts-clone's format: each unit is a node (label, offset of its children, flag for a value) or a
/// value.
class Trie {
 public:
  Trie(std::string_view units, std::string_view replacements, const std::string& where)
      : units_(units), replacements_(replacements), where_(where) {}

  /// Visits every node that a lookup can reach, children before their parents.
  void check() const {
    // The maximum number of values on a path down from a node; shared nodes are visited once.
    enum : std::uint8_t { unseen = 0xFF, open = 0xFE };
    std::vector<std::uint8_t> rules_below(size(), unseen);
    struct Visit {
      std::size_t node;
      std::size_t children;
      unsigned label = 0;
      std::size_t most = 0;
    };
    std::vector<Visit> path;
    const auto enter = [&](std::size_t node) {
      rules_below[node] = open;
      path.push_back({node, children_of(node)});
    };
    enter(0);
    while (true) {
      Visit& visit = path.back();
      if (visit.label < 256) {
        const unsigned label = visit.label++;
        const std::size_t child = visit.children ^ label;
        if ((unit(child) & 0x800000FFU) != label) continue;
        if (rules_below[child] == open) fail("has a loop");
        if (rules_below[child] == unseen) {
          enter(child);
          continue;
        }
        visit.most = std::max<std::size_t>(visit.most, rules_below[child]);
        continue;
      }
      const std::size_t node = visit.node;
      const std::size_t rules = visit.most + (has_value(node) && node != 0 ? 1 : 0);
      if (has_value(node) && node != 0) check_replacement(unit(visit.children) & 0x7FFFFFFFU);
      if (rules > kMostRules) fail(concat("has more than ", kMostRules, " rules that match one text"));
      rules_below[node] = static_cast<std::uint8_t>(rules);
      path.pop_back();
      if (path.empty()) return;
      path.back().most = std::max(path.back().most, rules);
    }
  }

 private:
  std::size_t size() const { return units_.size() / kUnitSize; }
  std::uint32_t unit(std::size_t index) const {
    return little_endian(units_.substr(index * kUnitSize, kUnitSize));
  }
  bool has_value(std::size_t node) const { return (unit(node) >> 8 & 1) != 0; }

  /// The base of a node's children: child `label` is at index base XOR label.
  std::size_t children_of(std::size_t node) const {
    const std::uint32_t value = unit(node);
    const std::size_t place = node ^ gloss::index(value >> 10) << ((value & 0x200U) >> 6);
    if ((place | 0xFF) >= size()) {
      fail(concat("points from unit ", node, " to unit ", place, ", but has only ", size(), " units"));
    }
    return place;
  }

  void check_replacement(std::size_t start) const {
    if (start >= replacements_.size()) {
      fail(concat("has a replacement at byte ", start, ", but only ", replacements_.size(),
                  " bytes of replacements"));
    }
    const std::string_view rest = replacements_.substr(start);
    const std::size_t length = rest.find('\0');
    if (length == std::string_view::npos) fail("has an unterminated replacement");
    if (length > kLongestReplacement) {
      fail(concat("has a replacement of ", length, " bytes; expected at most ", kLongestReplacement));
    }
    if (!is_valid_utf8(rest.substr(0, length))) fail("has a replacement that is not UTF-8");
  }

  [[noreturn]] void fail(const std::string& what) const { throw InputError(concat(where_, " ", what)); }

  std::string_view units_, replacements_;
  const std::string& where_;
};

}  // namespace

void check_charsmap(std::string_view map, const std::string& where) {
  if (map.empty()) return;
  if (map.size() <= kUnitSize) throw InputError(concat(where, " has only ", map.size(), " bytes"));
  const std::size_t trie_size = little_endian(map);
  map.remove_prefix(kUnitSize);
  if (trie_size == 0 || trie_size % kUnitSize != 0 || trie_size >= map.size()) {
    throw InputError(
        concat(where, " declares a trie of ", trie_size, " bytes, but ", map.size(), " bytes follow"));
  }
  Trie(map.substr(0, trie_size), map.substr(trie_size), where).check();
}

}  // namespace gloss
