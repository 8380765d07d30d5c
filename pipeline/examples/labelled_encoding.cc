// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/labelled_encoding.h"

#include <algorithm>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "pipeline/examples/label_set.h"
#include "pipeline/examples/piece_words.h"
#include "pipeline/reading/line_forms.h"

namespace gloss {

ClassifiedRow classified_row(TokenId begin, std::vector<EncodedLine> texts, int most, int pair_ends) {
  if (texts.size() > 1) {
    std::vector<TokenId>& first = texts.front().tokens;
    first.insert(first.end(), index(pair_ends - 1), first.back());
  }
  const auto room = index(most) - 1;
  std::size_t all = 0;
  for (const EncodedLine& text : texts) all += text.tokens.size();
  ClassifiedRow row{{begin}, 0};
  for (; all > room; --all, ++row.left_out) {
    EncodedLine& longest =
        *std::ranges::max_element(texts, {}, [](const EncodedLine& t) { return t.tokens.size(); });
    const std::ptrdiff_t ends = texts.size() > 1 && &longest == &texts.front() ? pair_ends : 1;
    longest.tokens.erase(longest.tokens.end() - ends - 1);  // the end stays
  }
  for (const EncodedLine& text : texts)
    row.tokens.insert(row.tokens.end(), text.tokens.begin(), text.tokens.end());
  return row;
}

std::vector<TokenId> without_some_words(std::span<const TokenId> text, const std::vector<bool>& continues,
                                        double rate, Random& random) {
  std::vector<TokenId> left;
  bool leaves_out = false;
  for (std::size_t place = 0; place + 1 < text.size(); ++place) {
    const bool goes_on = place > 0 && continues[index(text[place])];
    if (!goes_on) leaves_out = random.uniform() < rate;
    if (!leaves_out) left.push_back(text[place]);
  }
  if (left.empty()) return {text.begin(), text.end()};
  left.push_back(text.back());
  return left;
}

LabelledEncoder::LabelledEncoder(LineEncoder encoder, const Subwords& subwords, const LabelledRows& form,
                                 std::vector<std::string> labels, const LabelledNoise& noise)
    : encoder_(std::move(encoder)),
      form_(form),
      labels_(std::move(labels)),
      noise_(noise),
      continues_(word_continuations(subwords)) {}

void LabelledEncoder::encode(const PairView& pair, std::int64_t line, Random* dropout,
                             EncodedPairs& to) const {
  if (pair.too_long) {
    ++to.found.lines;
    to.found.long_lines.add(1, line);
    return;
  }
  Findings& found = to.found;
  ++found.lines;
  std::vector<EncodedLine> texts;
  std::int64_t text_tokens = 0;
  bool blank = true;
  for (const std::string_view text : between_tabs(pair.source)) {
    texts.push_back(encoder_(text, dropout));
    text_tokens += texts.back().text_tokens;
    found.add_faults(texts.back(), line);
    blank = blank && texts.back().tokens.size() <= 1;
    if (dropout != nullptr && noise_.word_dropout > 0) {
      texts.back().tokens =
          without_some_words(texts.back().tokens, *continues_, noise_.word_dropout, *dropout);
    }
  }
  if (blank) {
    found.blank.add(1, line);
    return;
  }
  const ClassifiedRow row = classified_row(form_.begin, std::move(texts), form_.most, form_.pair_ends);
  found.overlong.add(row.left_out > 0 ? 1 : 0, line);
  to.pairs.add(row.tokens, std::vector<TokenId>{class_of(labels_, pair.target)}, pair.weight);
  ++found.pairs;
  found.source_tokens += static_cast<std::int64_t>(row.tokens.size());
  found.source_lengths.add(text_tokens - row.left_out);
  ++found.target_tokens;
}

void LabelledEncoder::report(const Findings& found, const std::string& text, Listener& listener) const {
  report_skipped(found.blank, text, "line", "without text", listener);
  report_long_lines(found, text, "line", listener);
  if (found.overlong.count > 0) {
    listener.warn(concat(text, ": cut ", counted(found.overlong.count, "line"), " to ", form_.most,
                         " tokens, see --max-positions (the first in line ", found.overlong.first_line, ")"));
  }
  report_faults(found, text, listener);
  if (found.pairs == 0) throw InputError(text + ": no line has text; expected lines 'label TAB text'");
  listener.note(concat(text, ": ", counted(found.pairs, "line"), ", ", labels_.size(), " labels, ",
                       found.source_tokens, " tokens"));
}

}  // namespace gloss
