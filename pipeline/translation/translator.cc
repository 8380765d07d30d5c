// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/translator.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "base/shown.h"
#include "base/text.h"
#include "base/threads.h"
#include "pipeline/examples/piece_words.h"
#include "pipeline/search/ctc_search.h"
#include "pipeline/translation/copied_words.h"
#include "pipeline/translation/repetition.h"

namespace gloss {

Translator::Translator(const Decoder& decoder, const Subwords& source, const Subwords& target,
                       Normalization normalization, const TranslationSettings& settings, int threads,
                       PairFrame frame)
    : decoder_(decoder),
      source_(source),
      target_(target),
      normalization_(normalization),
      settings_(settings),
      threads_(threads),
      frame_(std::move(frame)) {
  check(settings.search, decoder.vocabulary_size());
  check(settings.shortlist);
  if (frame_.reverses()) refuse_order_of_tokens(settings);
  if (!settings.lexicon.empty() && settings.search.sampling.sample) {
    throw UsageError("--lexicon requires beam search; remove --sample");
  }
  settings_.search.keep_attention = settings.search.keep_attention || settings.unknown_replacement ||
                                    settings.alignment != Alignment::none ||
                                    (settings.links && decoder.attends());
  rules_ = rules_of(target_, decoder_.vocabulary_size());
  if (!settings.ban.empty()) {
    banned_ = read_banned_phrases(settings.ban, target, normalization);
    rules_.push_back(banned_);
  }
  if (!settings.lexicon.empty()) {
    settings_.search.follow_attention = decoder.attends();
    lexicon_ = std::make_unique<const Lexicon>(settings.lexicon, target, normalization, banned_.get());
  }
  if (!settings.shortlist.shortlist.empty()) {
    shortlist_ = std::make_unique<const Shortlist>(Shortlist::read(
        settings.shortlist.shortlist, source, target, settings.shortlist.shortlist_threshold));
  }
}

void Translator::read_items(ItemRows items) {
  refuse_words_of_source(settings_);
  items_ = std::move(items);
}

void Translator::label_with(const VectorLabeller* labeller) {
  if (labeller == nullptr) {
    throw UsageError(
        "--ctc: the model has no layer that labels vectors; use one that was trained with --ctc-weight");
  }
  refuse_steps_of_decoder(settings_);
  labeller_ = labeller;
}

std::vector<TranslatedLine> Translator::translate(std::span<const std::string> lines,
                                                  const std::function<void(int lines)>& finished,
                                                  std::int64_t first) const {
  std::vector<std::uint64_t> numbers(lines.size());
  std::iota(numbers.begin(), numbers.end(), static_cast<std::uint64_t>(first));
  return translate(lines, numbers, finished);
}

std::vector<TranslatedLine> Translator::translate(std::span<const std::string> lines,
                                                  std::span<const std::uint64_t> numbers,
                                                  const std::function<void(int lines)>& finished) const {
  if (items_ && lines.size() > kItemsTogether) {
    return in_parts<TranslatedLine>(lines.size(), [&](std::size_t begin, std::size_t count) {
      return translate(lines.subspan(begin, count), numbers.subspan(begin, count), finished);
    });
  }
  std::vector<TranslatedLine> results(lines.size());
  std::vector<Prepared> prepared(lines.size());
  for_each_item(threads_, static_cast<std::int64_t>(lines.size()), [&](std::int64_t number) {
    const auto line = index(number);
    prepared[line] = items_ ? prepare_item(lines[line], results[line]) : prepare(lines[line], results[line]);
    prepared[line].demands.number = numbers[line];
  });

  SearchInput rows;
  rows.drafter = drafter_;
  std::vector<std::size_t> line_of_row;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    if (prepared[line].tokens.empty() || !results[line].problem.empty()) {
      results[line].translations.emplace_back();
      continue;
    }
    if (items_) {
      add_to(rows.sources, {prepared[line].tokens, std::move(prepared[line].numbers)});
    } else {
      rows.sources.add(framed(frame_.source, prepared[line].tokens, source_.end_id()));
    }
    rows.demands.push_back(std::move(prepared[line].demands));
    line_of_row.push_back(line);
  }
  if (line_of_row.size() < lines.size()) finished(static_cast<int>(lines.size() - line_of_row.size()));

  // Decodes immediately: the attention of all tokens of a whole window would not fit into memory.
  const auto found = [&](int row, const std::vector<Hypothesis>& hypotheses) {
    const std::size_t line = line_of_row[index(row)];
    decode(hypotheses, prepared[line], results[line]);
  };
  if (labeller_ != nullptr) {
    ctc_search_in_batches(*labeller_, rows.sources, {labeller_->blank(), decoder_.end(), rules_},
                          settings_.search, settings_.batches, threads_, found, finished);
  } else {
    search_in_batches(decoder_, rows, settings_.search, rules_, settings_.batches, threads_, found, finished);
  }
  return results;
}

Translator::Prepared Translator::prepare(std::string line, TranslatedLine& result) const {
  Prepared prepared;
  std::string beginning;
  if (settings_.prefix) {
    const std::vector<std::string> columns = split(line, '\t');
    if (columns.size() > 2) {
      result.problem = concat("found ", columns.size(), " columns, expected SOURCE or SOURCE TAB BEGINNING");
      return prepared;
    }
    if (columns.size() == 2) beginning = columns[1];
    line = columns[0];
  }
  if (is_blank(line)) line.clear();
  const CleanText clean = clean_text(line, normalization_);
  result.replaced = clean.replaced;
  prepared.tokens = source_.encode(clean.text);
  result.read_tokens = result.longest = static_cast<int>(prepared.tokens.size());
  result.left_out = std::max(0, result.read_tokens - settings_.max_source_tokens);
  result.empty = clean.text.empty();
  result.unknown = static_cast<int>(std::ranges::count(prepared.tokens, source_.unknown_id()));
  const auto kept = index(result.read_tokens - result.left_out);
  prepared.tokens.resize(kept);
  const bool demands_of_part = result.left_out > 0 && lexicon_ != nullptr;
  if (settings_.search.keep_attention || settings_.links || demands_of_part) {
    prepared.pieces = source_.encode_pieces(clean.text);
    prepared.pieces.resize(kept);
  }
  if (settings_.links) {
    prepared.places = token_places(source_texts(prepared.tokens, prepared.pieces), line);
  }
  add_demands(demands_of_part ? source_.decode_pieces(prepared.pieces) : clean.text, beginning, prepared);
  prepared.text = std::move(line);
  result.problem = problem_of(beginning, prepared);
  if (shortlist_ != nullptr) {
    prepared.demands.candidates = std::make_shared<const std::vector<TokenId>>(candidates(prepared));
  }
  return prepared;
}

Translator::Prepared Translator::prepare_item(std::string line, TranslatedLine& result) const {
  Prepared prepared;
  result.empty = is_blank(line);
  if (result.empty) return prepared;
  try {
    SourceItem item = items_->read(line);
    prepared.tokens = std::move(item.row);
    prepared.numbers = std::move(item.numbers);
  } catch (const InputError& error) {
    result.problem = error.what();
    return prepared;
  }
  result.read_tokens = static_cast<int>(prepared.tokens.size());
  prepared.demands.longest =
      settings_.search.max_length;  // the number of vectors says nothing about the text
  add_demands("", "", prepared);
  return prepared;
}

std::vector<TokenId> Translator::candidates(const Prepared& prepared) const {
  std::vector<TokenId> always = prepared.demands.prefix;
  if (prepared.demands.required != nullptr) {
    const std::vector<TokenId> required = prepared.demands.required->tokens();
    always.insert(always.end(), required.begin(), required.end());
  }
  always.push_back(decoder_.end());
  return shortlist_->candidates(prepared.tokens, settings_.shortlist, std::move(always));
}

void Translator::add_demands(const std::string& source, const std::string& beginning,
                             Prepared& prepared) const {
  RowDemands& demands = prepared.demands;
  if (!is_blank(beginning)) demands.prefix = target_.encode(clean_text(beginning, normalization_).text);
  demands.prefix.insert(demands.prefix.begin(), frame_.target.begin(), frame_.target.end());
  demands.forced = static_cast<int>(frame_.target.size());
  if (lexicon_ == nullptr) return;
  const auto ends = [&] {
    const std::vector<std::string> pieces =
        prepared.pieces.empty() ? source_.encode_pieces(source) : prepared.pieces;
    std::vector<std::size_t> of_tokens = token_ends(source_texts(prepared.tokens, pieces), source);
    of_tokens.insert(of_tokens.begin(), frame_.source.before.size(), 0);  // these are no part of the text
    return of_tokens;
  };
  demands.required = lexicon_->required_for(source, ends);
}

std::vector<std::string> Translator::source_texts(const std::vector<TokenId>& tokens,
                                                  const std::vector<std::string>& pieces) const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    texts.push_back(tokens[i] == source_.unknown_id() ? pieces[i] : source_.piece_text(tokens[i]));
  }
  return texts;
}

std::string Translator::problem_of(const std::string& beginning, const Prepared& prepared) const {
  const RowDemands& demands = prepared.demands;
  const int most = settings_.search.max_length;
  if (prepared.tokens.empty() && !is_blank(beginning)) {
    return concat("found the beginning ", shown(beginning), " but no source text before the tab");
  }
  if (std::ranges::find(demands.prefix, target_.unknown_id()) != demands.prefix.end()) {
    return concat("the model has no pieces to spell the beginning ", shown(beginning));
  }
  if (banned_ != nullptr && banned_->found_in(demands.prefix) != nullptr) {
    return concat("the beginning ", shown(beginning), " contains the banned phrase ",
                  shown(*banned_->found_in(demands.prefix)));
  }
  if (static_cast<int>(demands.prefix.size()) > most) {
    return concat("the beginning has ", demands.prefix.size(), " tokens, expected at most ", most,
                  " (--max-length, or the positions of the model)");
  }
  if (demands.tokens() > most) {
    return concat("the required terms and the beginning have ", demands.tokens(),
                  " tokens, expected at most ", most, " (--max-length, or the positions of the model)");
  }
  return "";
}

void Translator::decode(const std::vector<Hypothesis>& hypotheses, const Prepared& prepared,
                        TranslatedLine& result) const {
  const bool plain = frame_.target.empty() && frame_.source == LineFrame{} && !frame_.reverses();
  for (const Hypothesis& hypothesis : hypotheses) {
    result.translations.push_back(decode(plain ? hypothesis : without_frame(hypothesis, prepared), prepared));
    result.translations.back().tokens = static_cast<int>(hypothesis.tokens.size());
  }
  if (!items_) result.copied = copied_words(prepared.text, result.translations.front().text);
}

Hypothesis Translator::without_frame(const Hypothesis& hypothesis, const Prepared& prepared) const {
  Hypothesis kept = hypothesis;
  // The length limit may end a hypothesis within the tokens that begin it.
  const auto skipped = static_cast<std::ptrdiff_t>(std::min(frame_.target.size(), hypothesis.tokens.size()));
  kept.tokens.erase(kept.tokens.begin(), kept.tokens.begin() + skipped);
  std::vector<double>& values = kept.token_log_probabilities;
  if (!values.empty()) values.erase(values.begin(), values.begin() + skipped);
  if (frame_.reverses()) {
    std::ranges::reverse(kept.tokens);
    // Behind those of the tokens is that of the end.
    std::reverse(values.begin(), values.begin() + std::min(std::ssize(kept.tokens), std::ssize(values)));
  }
  if (!kept.attention.empty()) {
    kept.attention = gloss::without_frame(hypothesis.attention, frame_, prepared.tokens.size());
  }
  return kept;
}

Translation Translator::decode(const Hypothesis& hypothesis, const Prepared& prepared) const {
  Translation result;
  result.score = hypothesis.score;
  result.log_probability = hypothesis.log_probability;
  result.tokens = static_cast<int>(hypothesis.tokens.size());
  result.cut = hypothesis.cut;
  result.missing = hypothesis.missing;
  result.repeats = phrase_repeats(hypothesis.tokens);
  if (result.repeats > 0 && !items_ && phrase_repeats(prepared.tokens) > 0) result.repeats = 0;
  const std::vector<std::string> pieces = pieces_of(hypothesis, prepared);
  const bool unknown = std::ranges::find(hypothesis.tokens, target_.unknown_id()) != hypothesis.tokens.end();
  result.text = settings_.unknown_replacement && unknown ? target_.decode_pieces(pieces)
                                                         : target_.decode(hypothesis.tokens);
  if (settings_.links) result.links.push_back(links_of(hypothesis, prepared, result.text));
  const PieceWords target_words = words_of(pieces, target_.piece(target_.unknown_id()));
  if (settings_.word_scores) {
    for (const std::vector<std::string>& word : target_words.words) {
      result.words.push_back({word_text(target_, word), 0});
    }
    for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
      const auto word = index(target_words.word_of_piece[piece]);
      result.words[word].log_probability += hypothesis.token_log_probabilities[piece];
    }
    result.end_log_probability = hypothesis.token_log_probabilities.back();
  }
  if (settings_.alignment != Alignment::none) {
    result.alignment = align_words(hypothesis.attention, words_of(prepared.pieces).word_of_piece,
                                   target_words.word_of_piece);
  }
  return result;
}

TokenLinks Translator::links_of(const Hypothesis& hypothesis, const Prepared& prepared,
                                const std::string& text) const {
  TokenLinks links;
  links.sources = prepared.places;
  std::vector<std::string> texts;
  for (const TokenId token : hypothesis.tokens) texts.push_back(target_.piece_text(token));
  links.targets = token_places(texts, text);
  const std::size_t columns = links.sources.size() + 1;  // the last one is the end
  for (std::size_t row = 0; !hypothesis.attention.empty() && row < texts.size(); ++row) {
    const auto first = hypothesis.attention.begin() + static_cast<std::ptrdiff_t>(row * columns);
    links.weights.insert(links.weights.end(), first, first + std::ssize(links.sources));
  }
  return links;
}

std::vector<std::string> Translator::pieces_of(const Hypothesis& hypothesis, const Prepared& prepared) const {
  std::vector<std::string> pieces;
  for (const TokenId token : hypothesis.tokens) pieces.push_back(target_.piece(token));
  if (!settings_.unknown_replacement) return pieces;
  // Prefer unknown source pieces, which are the most likely sources of an unknown target piece.
  std::vector<std::size_t> sources;
  for (std::size_t source = 0; source < prepared.pieces.size(); ++source) {
    if (prepared.tokens[source] == source_.unknown_id()) sources.push_back(source);
  }
  for (std::size_t source = 0; sources.empty() && source < prepared.pieces.size(); ++source) {
    sources.push_back(source);
  }
  const std::size_t columns = prepared.pieces.size() + 1;
  for (std::size_t place = 0; place < pieces.size(); ++place) {
    if (hypothesis.tokens[place] != target_.unknown_id()) continue;
    const float* weights = hypothesis.attention.data() + place * columns;
    const auto best =
        std::ranges::max_element(sources, {}, [&](std::size_t source) { return weights[source]; });
    std::string unknown = std::exchange(pieces[place], prepared.pieces[*best]);
    const bool allowed =
        banned_ == nullptr || banned_->found_in_text(target_.decode_pieces(pieces)) == nullptr;
    if (!allowed) pieces[place] = std::move(unknown);
  }
  return pieces;
}

}  // namespace gloss
