// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/lexicon.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/shown.h"
#include "pipeline/examples/piece_words.h"
#include "pipeline/reading/text_reader.h"
#include "pipeline/reading/two_columns.h"

namespace gloss {

namespace {

/// Clean text without leading and trailing white space, so that '\r' and stray spaces do not prevent matches.
std::string clean_term(const std::string& text, Normalization normalization) {
  return std::string(trimmed(clean_text(text, normalization).text));
}

}  // namespace

std::shared_ptr<const BannedPhrases> read_banned_phrases(const std::string& path, const Subwords& target,
                                                         Normalization normalization) {
  std::vector<std::string> phrases;
  TextReader reader(path);
  for (std::string line; reader.next(line);) {
    if (is_blank(line)) continue;
    // In the form in which translations are decoded. Phrases with unknown pieces are kept, because replaced
    // unknown pieces come from the source.
    phrases.push_back(target.decode_pieces(target.encode_pieces(clean_term(line, normalization))));
    if (is_blank(phrases.back())) {
      throw InputError(concat(path, ":", reader.line_number(), ": the banned phrase has no text"));
    }
  }
  if (phrases.empty()) throw InputError(concat(path, " has no phrases; expected one per line"));
  return std::make_shared<BannedPhrases>(std::move(phrases), piece_texts(target));
}

Lexicon::Lexicon(const std::string& path, const Subwords& target, Normalization normalization,
                 const BannedPhrases* banned)
    : continues_word_(word_continuations(target)) {
  TwoColumns terms(path, {"source term", "target term",
                          [&](const std::string& text) { return clean_term(text, normalization); }});
  while (terms.next()) {
    const std::string& wanted = terms.second();
    const std::vector<TokenId> tokens = target.encode(wanted);
    if (tokens.empty() || std::ranges::find(tokens, target.unknown_id()) != tokens.end()) {
      throw terms.wrong("the model has no pieces to spell ", shown(wanted),
                        "; write the term with characters of its vocabulary");
    }
    if (const std::string* phrase = banned == nullptr ? nullptr : banned->found_in(tokens)) {
      throw terms.wrong(shown(wanted), " is required, but ", shown(*phrase),
                        " is banned; remove one of them");
    }
    RequiredPhrase& forms = terms_[terms.first()];
    if (std::ranges::find(forms, tokens) == forms.end()) forms.push_back(tokens);
    longest_ = std::max(longest_, terms.first().size());
  }
}

std::shared_ptr<const RequiredPhrases> Lexicon::required_for(const std::string& source,
                                                             const TokenEnds& token_ends) const {
  std::vector<RequiredPhrase> found;
  std::vector<std::vector<int>> places;
  std::map<std::string, std::size_t, std::less<>> seen;  // a repeated term is required once
  std::vector<std::size_t> ends;
  const std::string_view text = source;
  for (std::size_t start = 0; start < source.size();) {
    std::size_t length = 0;
    if (source[start] != ' ' && between_words(source, start)) {
      for (length = std::min(longest_, source.size() - start); length > 0; --length) {
        if (terms_.contains(text.substr(start, length)) && between_words(source, start + length)) break;
      }
    }
    if (length > 0) {
      const auto term = terms_.find(text.substr(start, length));
      const auto [phrase, added] = seen.emplace(term->first, found.size());
      if (added) {
        found.push_back(term->second);
        places.emplace_back();
      }
      if (found.size() == 1 && added && token_ends) ends = token_ends();
      const auto first = std::ranges::upper_bound(ends, start);
      const auto last = std::ranges::lower_bound(ends, start + length);
      for (auto token = first; token != ends.end() && token <= last; ++token) {
        places[phrase->second].push_back(static_cast<int>(token - ends.begin()));
      }
    }
    start += std::max<std::size_t>(length, 1);
  }
  if (found.empty()) return nullptr;
  return std::make_shared<RequiredPhrases>(std::move(found), continues_word_, std::move(places));
}

}  // namespace gloss
