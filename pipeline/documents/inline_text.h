// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_range.h"
#include "pipeline/documents/kept_text.h"
#include "pipeline/documents/mark.h"

namespace gloss {

/// A text with inline markup, found in a document.
struct MarkedBytes {
  ByteRange bytes{};          ///< of the document, from the first word to the last one with the marks between
  std::string text{};         ///< one line, with single spaces
  std::vector<Mark> marks{};  ///< in the order of the text
  std::vector<KeptText> kept{};  ///< the same
};

/// True if a text has a letter to translate.
bool has_letters(std::string_view text);

/// Collects text and inline markup of a document in their order. What is before the first word and after the
/// last one is left outside: white space, marks alone, and pairs around everything or around nothing.
class InlineText {
 public:
  explicit InlineText(std::string_view document) : document_(document) {}

  /// `decoded`: the text that the bytes stand for.
  void add_text(ByteRange bytes, std::string decoded);
  void open(ByteRange bytes, std::string name);
  /// Without an open pair of this name, the mark is alone. Pairs that were opened later are not closed: their
  /// marks are alone.
  void close(ByteRange bytes, const std::string& name);
  /// `is_space` as in Mark.
  void add_alone(ByteRange bytes, bool is_space = false);
  /// Bytes that are a word of the text, `decoded`, and are not translated.
  void add_kept(ByteRange bytes, std::string decoded);
  /// What was collected; nothing if it has no letter to translate. Begins anew.
  std::optional<MarkedBytes> finish();

 private:
  struct Item {
    enum class Kind { text, open, close, alone, kept } kind = Kind::text;
    ByteRange bytes{};
    std::string text{};       // decoded; of pairs, the name
    std::size_t partner = 0;  // number of an item
    bool is_space = false;
  };
  static bool is_blank_text(const Item& item);
  /// True if the items have no text but white space.
  bool is_invisible(std::size_t first, std::size_t last) const;
  void peel(std::size_t& first, std::size_t& last) const;
  /// The bytes of an item that takes the place of a space, with the white space around it, among these items.
  ByteRange with_space_around(std::size_t item, std::size_t first, std::size_t last) const;
  MarkedBytes marked(std::size_t first, std::size_t last) const;

  std::string_view document_;
  std::vector<Item> items_;
  std::vector<std::size_t> open_;  // numbers of items
};

}  // namespace gloss
