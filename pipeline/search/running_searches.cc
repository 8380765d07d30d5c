// SPDX-License-Identifier: Apache-2.0

#include "pipeline/search/running_searches.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/search/beam.h"
#include "pipeline/search/sampler.h"

namespace gloss {
namespace {

/// True if `rows` is 0, 1, ..., `count` - 1, so that the state stays as it is.
bool unchanged(const std::vector<int>& rows, int count) {
  if (static_cast<int>(rows.size()) != count) return false;
  for (int row = 0; row < count; ++row) {
    if (rows[index(row)] != row) return false;
  }
  return true;
}

std::unique_ptr<const OutputPart> part_for(const Decoder& decoder, const RowDemands& demands) {
  if (demands.candidates == nullptr) return nullptr;
  return std::make_unique<const OutputPart>(decoder.output_part(*demands.candidates));
}

std::unique_ptr<RowSearch> begin_search(const RowStart& start) {
  if (start.settings.sampling.sample) return std::make_unique<Sampler>(start);
  return std::make_unique<Beam>(start);
}

}  // namespace

void RunningSearches::NewRows::add(const SearchInput& from, int row) {
  sources.add(from.sources, row);
  demands.push_back(from.demands_of(row));
  numbers.push_back(row);
}

RunningSearches::RunningSearches(const Decoder& decoder, const SearchSettings& settings,
                                 const TokenRules& rules, const Drafter* drafter)
    : decoder_(decoder), settings_(settings), rules_(rules) {
  if (drafter != nullptr) drafts_.emplace(*drafter);
  for (const auto& rule : rules) {
    for (const TokenId token : rule->impossible()) impossible_.push_back(token);
  }
}

void RunningSearches::add(const NewRows& more) {
  if (more.numbers.empty()) return;
  std::vector<int> limits;
  for (int row = 0; row < more.sources.rows(); ++row) {
    const auto at = index(row);
    const int length = more.sources.length(row);
    const RowDemands& demands = more.demands[at];
    const RowStart start{settings_, rules_, demands, length - 1, decoder_.end()};
    rows_.push_back({more.numbers[at], length, begin_search(start), part_for(decoder_, demands)});
    source_tokens_ += length;
    latest_.push_back(decoder_.begin());
    limits.push_back(length_limit(start));
  }
  if (drafts_) drafts_->add(more.sources, more.demands, limits);
  std::unique_ptr<DecoderState> state = decoder_.start(more.sources);
  if (state_ == nullptr) {
    state_ = std::move(state);
  } else {
    state_->append(*state);
  }
}

void RunningSearches::draft() {
  drafted_ = drafts_ && drafts_->propose();
  if (!drafted_) return;
  asked_.clear();
  taken_.clear();
  std::size_t first = 0;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const std::span<const TokenId> draft = drafts_->of(static_cast<int>(row));
    for (std::size_t i = 0; i < rows_[row].search->live().size(); ++i, ++first) {
      asked_.push_back(latest_[first]);
      asked_.insert(asked_.end(), draft.begin(), draft.end());  // empty if there are several
      taken_.push_back(1 + static_cast<int>(draft.size()));
    }
  }
  state_->take(taken_);
}

void RunningSearches::ask_network() {
  wish_.all = false;
  wish_.wanted.best = 1;
  wish_.wanted.watched.clear();
  parts_.clear();
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const auto drafted = draft_of(row).size();
    for (std::size_t ahead = 0; ahead <= drafted; ++ahead) {
      rows_[row].search->add_wish(wish_, static_cast<int>(ahead));
    }
    if (rows_[row].part == nullptr) continue;
    parts_.insert(parts_.end(), rows_[row].search->live().size() + drafted, rows_[row].part.get());
  }
  for (const TokenId token : impossible_) wish_.watch(token);
  const std::vector<TokenId>& tokens = drafted_ ? asked_ : latest_;
  expects(parts_.empty() || parts_.size() == tokens.size(),
          "some rows have candidates, but others have none");
  SourceAttention* const attention = needs_attention(settings_) ? &attention_ : nullptr;
  scores_.clear();
  if (wish_.all) {
    ask_for_all(tokens, attention);
  } else {
    ask_for_best(tokens, attention);
  }
}

void RunningSearches::ask_for_best(std::span<const TokenId> tokens, SourceAttention* attention) {
  const auto present = static_cast<std::int64_t>(tokens.size());
  if (parts_.empty()) {
    decoder_.step_to_best(tokens, *state_, wish_.wanted, top_, attention);
  } else {
    top_.begin(present, decoder_.vocabulary_size(), wish_.wanted);
    const auto use = [&](int row, std::span<const float> scores) {
      top_.add_part(row, parts_[index(row)]->tokens, scores);
    };
    decoder_.step_in_parts(tokens, *state_, parts_, use, attention);
  }
  for (std::int64_t row = 0; row < present; ++row) scores_.emplace_back(top_, row, impossible_);
}

void RunningSearches::ask_for_all(std::span<const TokenId> tokens, SourceAttention* attention) {
  const auto present = static_cast<std::int64_t>(tokens.size());
  if (parts_.empty()) {
    all_ = decoder_.step(tokens, *state_, attention);
  } else {
    all_ = Tensor::uninitialised({present, decoder_.vocabulary_size()});
    std::ranges::fill(all_.values(), -std::numeric_limits<float>::infinity());
    const auto use = [&](int row, std::span<const float> scores) {
      float* const to = all_.data() + row * all_.columns();
      const std::vector<TokenId>& known = parts_[index(row)]->tokens;
      for (std::size_t i = 0; i < known.size(); ++i) to[known[i]] = scores[i];
    };
    decoder_.step_in_parts(tokens, *state_, parts_, use, attention);
  }
  expects(all_.rows() >= present && all_.columns() == decoder_.vocabulary_size(), "step returned ",
          all_.shape().text(), " for ", present, " rows of ", decoder_.vocabulary_size(), " scores");
  const std::span<const float> values = all_.values();
  const auto columns = index(all_.columns());
  for (std::int64_t row = 0; row < present; ++row) {
    scores_.emplace_back(values.subspan(index(row) * columns, columns), impossible_);
  }
}

int RunningSearches::advance(std::size_t row, std::size_t first) {
  RowSearch& search = *rows_[row].search;
  const std::span<const TokenId> draft = draft_of(row);
  for (std::size_t right = 0;; ++right, ++first) {
    const std::size_t count = search.live().size();
    const std::span<const float> attention =
        needs_attention(settings_) ? attention_.of_rows(static_cast<int>(first), static_cast<int>(count))
                                   : std::span<const float>();
    search.advance(std::span(scores_).subspan(first, count), attention);
    if (drafts_) drafts_->continued(static_cast<int>(row), search.live());
    const bool goes_on =
        right < draft.size() && search.live().size() == 1 && search.live().front().token == draft[right];
    if (!goes_on) return static_cast<int>(right);
  }
}

void RunningSearches::step(const Found& found) {
  draft();
  ask_network();
  const int present = static_cast<int>(latest_.size());
  latest_.clear();
  chosen_.clear();
  wrong_.clear();
  std::size_t first = 0;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const std::size_t before = rows_[row].search->live().size(), drafted = draft_of(row).size();
    const int right = advance(row, first);
    const int first_state = static_cast<int>(wrong_.size());
    wrong_.insert(wrong_.end(), before, static_cast<int>(drafted) - right);
    for (const RowSearch::Live& live : rows_[row].search->live()) {
      chosen_.push_back(first_state + live.parent);
      latest_.push_back(live.token);
    }
    if (drafted > 0) drafts_->checked(static_cast<int>(row), right);
    first += before + drafted;
  }
  if (drafted_) state_->forget(wrong_);
  remove_ended(found);
  if (rows_.empty()) {
    state_ = nullptr;
  } else if (!unchanged(chosen_, present)) {
    state_->select(chosen_);
  }
}

void RunningSearches::remove_ended(const Found& found) {
  std::vector<int> kept;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    if (!rows_[row].search->live().empty()) kept.push_back(static_cast<int>(row));
  }
  if (drafts_) drafts_->keep(kept);
  std::erase_if(rows_, [&](const Row& row) {
    if (!row.search->live().empty()) return false;
    source_tokens_ -= row.source_tokens;
    found(row.number, row.search->hypotheses());
    return true;
  });
}

}  // namespace gloss
