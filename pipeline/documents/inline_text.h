// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_range.h"
#include "pipeline/documents/marked_bytes.h"
#include "pipeline/documents/section_ends.h"

namespace gloss {

/// Collects text and inline markup of a document in their order, and divides them at white space that is
/// kept. A pair that ends inside a later one divides the later one: its tags are repeated, so that all pairs
/// are nested. What is before the first word and after the last one is left outside: white space, marks
/// alone, and pairs around everything or around nothing.
class InlineText {
 public:
  explicit InlineText(std::string_view document) : document_(document) {}

  /// `decoded`: the text that the bytes stand for.
  void add_text(ByteRange bytes, std::string decoded, SectionEnds section = {});
  /// White space of a text whose white space is kept; the texts before and after it have none at their ends.
  /// Unless it is a single space between words, it divides the text, as do the marks of pairs around it.
  void add_space(ByteRange bytes, std::string decoded);
  /// `is_code`: the marks are elements of their own, which need not be nested with other pairs.
  void open(ByteRange bytes, std::string name, bool is_code = false);
  /// Without an open pair of this name, the mark is alone. Pairs that were opened later stay open, but code
  /// among them is alone. The end of code that was opened before another pair that is open is alone itself.
  void close(ByteRange bytes, const std::string& name, bool is_code = false);
  /// `is_space` as in Mark.
  void add_alone(ByteRange bytes, bool is_space = false);
  /// Bytes that are a word of the text, `decoded`, and are not translated.
  void add_kept(ByteRange bytes, std::string decoded);
  /// The texts that were collected, without those that have no letter to translate. Begins anew.
  std::vector<MarkedBytes> finish();

 private:
  struct Item {
    enum class Kind { text, space, open, close, alone, kept } kind = Kind::text;
    ByteRange bytes{};
    std::string text{};       // decoded; of pairs, the name
    std::size_t partner = 0;  // number of an item
    bool is_space = false;
    SectionEnds section{};
    bool is_code = false;
    bool is_copy = false;  // `bytes` are those of a tag elsewhere
  };
  /// The numbers of the first item of a text and of the one after its last.
  struct Span {
    std::size_t first, last;
  };
  static bool is_text(const Item& item);
  static bool is_blank_text(const Item& item);
  /// True for white space that is kept.
  bool is_kept_space(std::size_t item) const;
  /// The items between kept spaces and the pairs around them.
  std::vector<Span> divided() const;
  /// True if the items have no text but white space.
  bool is_invisible(std::size_t first, std::size_t last) const;
  void peel(std::size_t& first, std::size_t& last) const;
  /// Takes these items, with their pairs nested; partners are numbers of the result.
  std::vector<Item> nested(std::size_t first, std::size_t last);
  /// The bytes of an item that takes the place of a space, with the white space around it, among these items.
  ByteRange with_space_around(std::size_t item, std::span<const Item> items) const;
  MarkedBytes marked(std::size_t first, std::size_t last);

  std::string_view document_;
  std::vector<Item> items_;
  std::vector<std::size_t> open_;  // numbers of items
};

}  // namespace gloss
