// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/networks/batch.h"
#include "pipeline/metrics/link_metric.h"

namespace gloss {

/// The words of a line as alignments count them: separated by ASCII white space. They point into `line`.
std::vector<std::string_view> words_of_line(std::string_view line);

/// The number of the word of `line` that each of its tokens begins in, counted from 0, given the texts of the
/// tokens (as for token_places). A token without text belongs to the word after it; -1 if there is none.
std::vector<int> words_of_tokens(const std::vector<std::string>& tokens, std::string_view line);

/// A line of links `i-j` between the words of two lines (parse_links). Throws InputError that starts with
/// `where` for possible links and for links beyond the words.
std::vector<Link> links_between(std::string_view links, std::string_view source, std::string_view target,
                                const std::string& where);

/// The links of tokens that follow from those of their words: each token of a word is linked with each token
/// of the words that its word is linked with. Ordered by target token, then by source token. Tokens have the
/// numbers of their words, or -1.
std::vector<TokenLink> token_links(const std::vector<Link>&, const std::vector<int>& source_words,
                                   const std::vector<int>& target_words);

}  // namespace gloss
