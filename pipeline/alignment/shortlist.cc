// SPDX-License-Identifier: Apache-2.0

#include "pipeline/alignment/shortlist.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "base/json.h"
#include "base/mapped_file.h"
#include "base/paths.h"
#include "base/random.h"
#include "pipeline/alignment/marian_shortlist.h"

namespace gloss {
namespace {

static_assert(std::endian::native == std::endian::little, "the numbers of the file are little-endian");

constexpr std::string_view kMark = "gloss shortlist\n";
constexpr int kShortlistFormat = 1;

/// The header of the file, before the arrays of numbers.
struct Header {
  int format = kShortlistFormat;
  int source_pieces = 0, target_pieces = 0;
  std::string source_vocabulary, target_vocabulary;  ///< fingerprints
  std::int64_t frequent = 0, translations = 0;       ///< lengths of the arrays
};

Fields fields_of(Header& header) {
  constexpr double kMost = 1U << 31;
  return {{"format", &header.format, "version of the file format"},
          {"source_pieces", &header.source_pieces, "size of the source vocabulary", {1, kMost}},
          {"target_pieces", &header.target_pieces, "size of the target vocabulary", {1, kMost}},
          {"source_vocabulary", &header.source_vocabulary, "fingerprint of the source vocabulary"},
          {"target_vocabulary", &header.target_vocabulary, "fingerprint of the target vocabulary"},
          {"frequent", &header.frequent, "number of target tokens by frequency", {0, kMost}},
          {"translations", &header.translations, "number of translations of source tokens", {0, kMost}}};
}

/// A hash of all pieces, in hexadecimal.
std::string fingerprint(const Subwords& vocabulary) {
  std::uint64_t hash = 0;
  for (int id = 0; id < vocabulary.size(); ++id) {
    for (const char byte : vocabulary.piece(id)) hash = mix_bits(hash ^ static_cast<unsigned char>(byte));
    hash = mix_bits(hash + 0x100);
  }
  return hexadecimal(hash);
}

void expect_vocabulary(const std::string& path, const std::string& side, const std::string& found,
                       const Subwords& vocabulary) {
  if (found == fingerprint(vocabulary)) return;
  throw InputError(concat(path, " was made for another ", side,
                          " vocabulary; make a shortlist for this model with 'gloss shortlist -m'"));
}

template <class Number>
std::string_view bytes_of(const std::vector<Number>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

template <class Number>
std::vector<Number> take(std::string_view& bytes, std::size_t count) {
  std::vector<Number> numbers(count);
  if (count > 0) std::memcpy(numbers.data(), bytes.data(), count * sizeof(Number));
  bytes.remove_prefix(count * sizeof(Number));
  return numbers;
}

void expect_tokens(const std::string& path, const std::vector<TokenId>& tokens, int vocabulary) {
  const auto wrong = std::ranges::find_if(tokens, [&](TokenId t) { return t < 0 || t >= vocabulary; });
  if (wrong == tokens.end()) return;
  throw InputError(
      concat(path, " is damaged: it has the target token ", *wrong, ", expected 0 to ", vocabulary - 1));
}

[[noreturn]] void refuse_threshold(const std::string& path) {
  throw UsageError(concat("--shortlist-threshold has no effect: ", path,
                          " has no probabilities, unlike a text shortlist of Marian; leave it out"));
}

/// Each of the tokens once, in ascending order. Marks them, which is faster than sorting: most occur many
/// times.
std::vector<TokenId> ascending(std::span<const TokenId> tokens) {
  if (tokens.empty()) return {};
  constexpr std::size_t kBits = 64;
  std::vector<std::uint64_t> marks(index(std::ranges::max(tokens)) / kBits + 1);
  for (const TokenId token : tokens) marks[index(token) / kBits] |= std::uint64_t{1} << index(token) % kBits;
  std::vector<TokenId> all;
  for (std::size_t word = 0; word < marks.size(); ++word) {
    for (std::uint64_t left = marks[word]; left != 0; left &= left - 1) {
      all.push_back(static_cast<TokenId>(word * kBits + index(std::countr_zero(left))));
    }
  }
  return all;
}

}  // namespace

Fields fields_of(ShortlistSettings& settings) {
  return {{"shortlist",
           &settings.shortlist,
           "use this file from 'gloss shortlist' or of Marian to restrict each line to its likely pieces, "
           "which is "
           "faster; probabilities are normalised over these pieces",
           {},
           0,
           "FILE"},
          {"shortlist_first", &settings.shortlist_first, "always allow the N most frequent pieces", {0, 1e9}},
          {"shortlist_best", &settings.shortlist_best, "allow N pieces for each source piece", {0, 1e9}},
          {"shortlist_threshold",
           &settings.shortlist_threshold,
           "allow only pieces with a larger probability, in a text shortlist of Marian",
           {0, 1}}};
}

void check(const ShortlistSettings& settings) {
  const ShortlistSettings defaults;
  const bool changed = settings.shortlist_first != defaults.shortlist_first ||
                       settings.shortlist_best != defaults.shortlist_best ||
                       settings.shortlist_threshold != defaults.shortlist_threshold;
  if (changed && settings.shortlist.empty()) {
    throw UsageError(
        "--shortlist-first, --shortlist-best and --shortlist-threshold require --shortlist FILE");
  }
}

Shortlist::Shortlist(std::vector<TokenId> frequent, const std::vector<std::vector<TokenId>>& translations)
    : frequent_(std::move(frequent)) {
  for (const std::vector<TokenId>& of_token : translations) {
    translations_.insert(translations_.end(), of_token.begin(), of_token.end());
    starts_.push_back(static_cast<std::uint32_t>(translations_.size()));
  }
}

void Shortlist::write(const std::string& path, const Subwords& source, const Subwords& target) const {
  Header header{.source_pieces = source.size(),
                .target_pieces = target.size(),
                .source_vocabulary = fingerprint(source),
                .target_vocabulary = fingerprint(target),
                .frequent = static_cast<std::int64_t>(frequent_.size()),
                .translations = size()};
  AtomicFile file(path);
  file.write(concat(kMark, json_line(fields_to_json(fields_of(header))), "\n"));
  file.write(bytes_of(frequent_));
  file.write(bytes_of(starts_));
  file.write(bytes_of(translations_));
  file.commit();
}

Shortlist Shortlist::read_marian(std::string_view bytes, const std::string& path, const Subwords& source,
                                 const Subwords& target, double threshold) {
  const bool binary = is_marian_binary_shortlist(bytes);
  if (binary && threshold > 0) refuse_threshold(path);
  const MarianLists lists = binary ? read_marian_binary_shortlist(bytes, path, source.size(), target.size())
                                   : read_marian_text_shortlist(bytes, path, source, target, threshold);
  std::vector<TokenId> frequent(index(lists.first < 0 ? target.size() : lists.first));
  std::iota(frequent.begin(), frequent.end(), 0);
  Shortlist list(std::move(frequent), lists.translations);
  list.marian_ = {source.end_id(), fingerprint(source) == fingerprint(target), target.size()};
  return list;
}

bool Shortlist::is_gloss_shortlist(const std::string& path) {
  if (!is_file(path)) return false;  // a pipe can be read only once
  std::ifstream file(path, std::ios::binary);
  std::string start(kMark.size(), '\0');
  return file.read(start.data(), std::ssize(start)) && start == kMark;
}

Shortlist Shortlist::read(const std::string& path, const Subwords& source, const Subwords& target,
                          double threshold) {
  const MappedFile file(path);
  std::string_view bytes = file.text();
  if (!bytes.starts_with(kMark)) return read_marian(bytes, path, source, target, threshold);
  if (threshold > 0) refuse_threshold(path);
  const std::size_t end = bytes.find('\n', kMark.size());
  if (end == std::string_view::npos) throw InputError(path + " is truncated: it has no second line");
  Header header;
  const std::string where = path + ": the second line";
  const nlohmann::json line = parse_json(bytes.substr(kMark.size(), end - kMark.size()), where, kLineJson);
  fields_from_json(fields_of(header), line, where);
  if (header.format != kShortlistFormat) {
    throw InputError(concat(path, ": 'format' is ", header.format, ", expected ", kShortlistFormat));
  }
  expect_vocabulary(path, "source", header.source_vocabulary, source);
  expect_vocabulary(path, "target", header.target_vocabulary, target);
  bytes.remove_prefix(end + 1);
  const auto starts = index(source.size()) + 1, frequent = index(header.frequent),
             translations = index(header.translations);
  const std::size_t expected = (frequent + starts + translations) * sizeof(std::uint32_t);
  if (header.source_pieces != source.size() || bytes.size() != expected) {
    throw InputError(concat(path, " is truncated or damaged: it has ", bytes.size(),
                            " bytes after its second line, expected ", expected));
  }
  Shortlist list;
  list.frequent_ = take<TokenId>(bytes, frequent);
  list.starts_ = take<std::uint32_t>(bytes, starts);
  list.translations_ = take<TokenId>(bytes, translations);
  if (list.starts_.front() != 0 || list.starts_.back() != translations ||
      !std::ranges::is_sorted(list.starts_)) {
    throw InputError(concat(path, " is damaged: the offsets of the translations are not in order"));
  }
  expect_tokens(path, list.frequent_, target.size());
  expect_tokens(path, list.translations_, target.size());
  return list;
}

std::vector<TokenId> Shortlist::candidates(std::span<const TokenId> source, const ShortlistSettings& settings,
                                           std::vector<TokenId> others) const {
  const auto add = [&](std::span<const TokenId> tokens, int most) {
    const auto count = std::min(tokens.size(), index(most));
    others.insert(others.end(), tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(count));
  };
  add(frequent_, settings.shortlist_first);
  const auto add_translations = [&](TokenId token) { add(translations_of(token), settings.shortlist_best); };
  for (const TokenId token : source) add_translations(token);
  if (marian_) {
    add_translations(marian_->source_end);
    if (marian_->copies_source) others.insert(others.end(), source.begin(), source.end());
  }
  others = ascending(others);
  if (marian_) {
    constexpr std::size_t kMultiple = 8;
    for (TokenId next = 0; others.size() % kMultiple != 0 && next < marian_->target_vocabulary; ++next) {
      const auto place = std::lower_bound(others.begin(), others.end(), next);
      if (place == others.end() || *place != next) others.insert(place, next);
    }
  }
  return others;
}

}  // namespace gloss
