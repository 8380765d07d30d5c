// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gloss {

/// The words of a line as alignments count them: separated by ASCII white space. They point into `line`.
std::vector<std::string_view> words_of_line(std::string_view line);

/// A link between a word of a sentence and a word of its translation, numbered from 0.
struct Link {
  int source = 0, target = 0;
  bool sure = true;  ///< false for possible links: neither their presence nor their absence is an error

  /// The linked words, by which links are ordered and compared.
  std::pair<int, int> words() const { return {source, target}; }
};

/// Parses a line of links "i-j" (sure) and "ipj" (possible), separated by spaces. Returns them sorted without
/// duplicates; links that are both are sure. Throws InputError that starts with `where`.
std::vector<Link> parse_links(std::string_view line, int first_word, const std::string& where);

/// A line of links `i-j` between the words of two lines (parse_links). Throws InputError that starts with
/// `where` for possible links and for links beyond the words.
std::vector<Link> links_between(std::string_view links, std::string_view source, std::string_view target,
                                const std::string& where);

}  // namespace gloss
