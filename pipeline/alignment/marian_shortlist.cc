// SPDX-License-Identifier: Apache-2.0

#include "pipeline/alignment/marian_shortlist.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <unordered_map>

#include "base/error.h"
#include "base/index.h"
#include "model/formats/byte_reader.h"

namespace gloss {
namespace {

constexpr std::uint64_t kMagic = 0xF11A48D5013417F5;

/// Ids of pieces by their texts.
class Ids {
 public:
  explicit Ids(const Subwords& vocabulary) : unknown_(vocabulary.unknown_id()) {
    for (int id = 0; id < vocabulary.size(); ++id) ids_.emplace(vocabulary.piece(id), id);
  }
  bool has(std::string_view piece) const { return ids_.contains(piece); }
  TokenId operator()(std::string_view piece) const {
    const auto found = ids_.find(piece);
    return found == ids_.end() ? unknown_ : found->second;
  }

 private:
  std::unordered_map<std::string_view, TokenId> ids_;
  TokenId unknown_;
};

/// Throws InputError for the shortlist of another model. In one of this model, few lines have words that the
/// vocabularies lack: rare characters.
void expect_known(std::int64_t unknown, std::int64_t lines, const std::string& path) {
  constexpr std::int64_t kMostUnknown = 4;  // one of so many lines
  if (unknown * kMostUnknown <= lines) return;
  throw InputError(
      concat(path, ": ", unknown, " of ", lines,
             " lines have pieces that the model's vocabularies do not have; expected a shortlist "
             "that was made for this model"));
}

/// The parts of a line between spaces or tabs.
std::vector<std::string_view> columns_of(std::string_view line) {
  constexpr std::string_view kSpaces = " \t\r";
  std::vector<std::string_view> columns;
  for (std::size_t at = line.find_first_not_of(kSpaces); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kSpaces, at), line.size());
    columns.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kSpaces, end);
  }
  return columns;
}

}  // namespace

bool is_marian_binary_shortlist(std::string_view bytes) {
  return bytes.size() >= sizeof kMagic && std::memcmp(bytes.data(), &kMagic, sizeof kMagic) == 0;
}

MarianLists read_marian_binary_shortlist(std::string_view bytes, const std::string& path, int source,
                                         int target) {
  ByteReader reader(std::as_bytes(std::span(bytes)), path);
  reader.take(sizeof kMagic, "the mark");
  reader.number<std::uint64_t>("the checksum");
  const auto first = reader.number<std::uint64_t>("the number of tokens that are always allowed");
  reader.number<std::uint64_t>("the number of translations of a token");
  const auto offsets = reader.number<std::uint64_t>("the number of offsets");
  const auto count = reader.number<std::uint64_t>("the number of translations");
  if (offsets != index(source) + 1) {
    throw InputError(concat(path, " has ", offsets, " offsets; expected ", source + 1,
                            " for the source vocabulary: it was made for another one"));
  }
  if (first > index(target)) {
    throw InputError(concat(path, " always allows ", first, " tokens; expected at most ", target,
                            ", the size of the target vocabulary"));
  }
  MarianLists lists{static_cast<int>(first), {}};
  const auto starts = reader.take(offsets * sizeof(std::uint64_t), "the offsets");
  if (count > reader.left() / sizeof(std::uint32_t)) {
    throw InputError(concat(path, " is truncated or damaged: it claims ", count, " translations, but has ",
                            reader.left(), " bytes for them"));
  }
  const auto ids = reader.take(count * sizeof(std::uint32_t), "the translations");
  const auto number = [](const auto& of, std::uint64_t place, auto value) {
    std::memcpy(&value, of.data() + place * sizeof value, sizeof value);
    return value;
  };
  for (int token = 0; token < source; ++token) {
    const auto begin = number(starts, index(token), std::uint64_t{}),
               end = number(starts, index(token) + 1, std::uint64_t{});
    if (begin > end || end > count) {
      throw InputError(concat(path, " is damaged: the translations of source token ", token, " are from ",
                              begin, " to ", end, ", expected at most ", count));
    }
    std::vector<TokenId>& translations = lists.translations.emplace_back();
    for (std::uint64_t place = begin; place < end; ++place) {
      const auto id = number(ids, place, std::uint32_t{});
      if (id >= index(target)) {
        throw InputError(
            concat(path, " is damaged: it has the target token ", id, ", expected 0 to ", target - 1));
      }
      translations.push_back(static_cast<TokenId>(id));
    }
  }
  return lists;
}

MarianLists read_marian_text_shortlist(std::string_view text, const std::string& path, const Subwords& source,
                                       const Subwords& target, double threshold) {
  const Ids of_source(source), of_target(target);
  std::vector<std::map<TokenId, double>> found(index(source.size()));
  std::int64_t number = 0, entries = 0, unknown = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    const std::vector<std::string_view> columns = columns_of(line);
    if (columns.empty()) continue;
    double probability = 0;
    const auto expected = [&] {
      throw InputError(
          concat(path, ":", number,
                 ": expected a shortlist of 'gloss shortlist' or of Marian, with a target piece, a "
                 "source piece and a probability in each line"));
    };
    if (columns.size() != 3) expected();
    const char* const last = columns[2].data() + columns[2].size();
    if (const auto [at, error] = std::from_chars(columns[2].data(), last, probability);
        error != std::errc() || at != last || !(probability >= 0)) {
      expected();
    }
    if (columns[0] == "NULL" || columns[1] == "NULL") continue;
    ++entries;
    if (!of_source.has(columns[1]) || !of_target.has(columns[0])) ++unknown;
    found[index(of_source(columns[1]))][of_target(columns[0])] = probability;
  }
  if (entries == 0) {
    throw InputError(path + " has no entries; expected a shortlist of 'gloss shortlist' or of Marian");
  }
  expect_known(unknown, entries, path);
  MarianLists lists{-1, {}};
  for (const std::map<TokenId, double>& of_token : found) {
    std::vector<std::pair<double, TokenId>> sorted;
    for (const auto& [token, probability] : of_token) {
      if (probability > threshold) sorted.emplace_back(probability, token);
    }
    std::ranges::sort(sorted, std::greater());
    std::vector<TokenId>& translations = lists.translations.emplace_back();
    for (const auto& [probability, token] : sorted) translations.push_back(token);
  }
  return lists;
}

}  // namespace gloss
