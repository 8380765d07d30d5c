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
  sources.add(from.sources.row(row));
  demands.push_back(from.demands_of(row));
  numbers.push_back(row);
}

RunningSearches::RunningSearches(const Decoder& decoder, const SearchSettings& settings,
                                 const TokenRules& rules)
    : decoder_(decoder), settings_(settings), rules_(rules) {
  for (const auto& rule : rules) {
    for (const TokenId token : rule->impossible()) impossible_.push_back(token);
  }
}

void RunningSearches::add(const NewRows& more) {
  if (more.numbers.empty()) return;
  for (int row = 0; row < more.sources.rows(); ++row) {
    const auto at = index(row);
    const int length = more.sources.length(row);
    const RowDemands& demands = more.demands[at];
    rows_.push_back({more.numbers[at], length,
                     begin_search({settings_, rules_, demands, length - 1, decoder_.end()}),
                     part_for(decoder_, demands)});
    source_tokens_ += length;
    latest_.push_back(decoder_.begin());
  }
  std::unique_ptr<DecoderState> state = decoder_.start(more.sources);
  if (state_ == nullptr) {
    state_ = std::move(state);
  } else {
    state_->append(*state);
  }
}

void RunningSearches::ask_network() {
  wish_.all = false;
  wish_.wanted.best = 1;
  wish_.wanted.watched.clear();
  for (const Row& row : rows_) row.search->add_wish(wish_);
  for (const TokenId token : impossible_) wish_.watch(token);
  parts_.clear();
  for (const Row& row : rows_) {
    if (row.part != nullptr) parts_.insert(parts_.end(), row.search->live().size(), row.part.get());
  }
  expects(parts_.empty() || parts_.size() == latest_.size(),
          "some rows have candidates, but others have none");
  SourceAttention* const attention = needs_attention(settings_) ? &attention_ : nullptr;
  scores_.clear();
  if (wish_.all) {
    ask_for_all(attention);
  } else {
    ask_for_best(attention);
  }
}

void RunningSearches::ask_for_best(SourceAttention* attention) {
  const auto present = static_cast<std::int64_t>(latest_.size());
  if (parts_.empty()) {
    decoder_.step_to_best(latest_, *state_, wish_.wanted, top_, attention);
  } else {
    top_.begin(present, decoder_.vocabulary_size(), wish_.wanted);
    const auto use = [&](int row, std::span<const float> scores) {
      top_.add_part(row, parts_[index(row)]->tokens, scores);
    };
    decoder_.step_in_parts(latest_, *state_, parts_, use, attention);
  }
  for (std::int64_t row = 0; row < present; ++row) scores_.emplace_back(top_, row, impossible_);
}

void RunningSearches::ask_for_all(SourceAttention* attention) {
  const auto present = static_cast<std::int64_t>(latest_.size());
  if (parts_.empty()) {
    all_ = decoder_.step(latest_, *state_, attention);
  } else {
    all_ = Tensor::uninitialised({present, decoder_.vocabulary_size()});
    std::ranges::fill(all_.values(), -std::numeric_limits<float>::infinity());
    const auto use = [&](int row, std::span<const float> scores) {
      float* const to = all_.data() + row * all_.columns();
      const std::vector<TokenId>& tokens = parts_[index(row)]->tokens;
      for (std::size_t i = 0; i < tokens.size(); ++i) to[tokens[i]] = scores[i];
    };
    decoder_.step_in_parts(latest_, *state_, parts_, use, attention);
  }
  expects(all_.rows() >= present && all_.columns() == decoder_.vocabulary_size(), "step returned ",
          all_.shape().text(), " for ", present, " rows of ", decoder_.vocabulary_size(), " scores");
  const std::span<const float> values = all_.values();
  const auto columns = index(all_.columns());
  for (std::int64_t row = 0; row < present; ++row) {
    scores_.emplace_back(values.subspan(index(row) * columns, columns), impossible_);
  }
}

void RunningSearches::step(const Found& found) {
  ask_network();
  const int present = static_cast<int>(latest_.size());
  latest_.clear();
  chosen_.clear();
  int first = 0;
  for (Row& row : rows_) {
    const auto count = static_cast<int>(row.search->live().size());
    const std::span<const float> attention =
        needs_attention(settings_) ? attention_.of_rows(first, count) : std::span<const float>();
    row.search->advance(std::span(scores_).subspan(index(first), index(count)), attention);
    for (const RowSearch::Live& live : row.search->live()) {
      chosen_.push_back(first + live.parent);
      latest_.push_back(live.token);
    }
    first += count;
  }
  std::erase_if(rows_, [&](const Row& row) {
    if (!row.search->live().empty()) return false;
    source_tokens_ -= row.source_tokens;
    found(row.number, row.search->hypotheses());
    return true;
  });
  if (rows_.empty()) {
    state_ = nullptr;
  } else if (!unchanged(chosen_, present)) {
    state_->select(chosen_);
  }
}

}  // namespace gloss
