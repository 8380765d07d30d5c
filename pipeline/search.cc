#include "pipeline/search.h"

#include "base/error.h"
#include "pipeline/beam.h"
#include "pipeline/sampler.h"

namespace gloss {
namespace {

/// True if `rows` names all of `count` rows in their order, so that there is nothing to select.
bool unchanged(const std::vector<int>& rows, int count) {
  if (static_cast<int>(rows.size()) != count) return false;
  for (int row = 0; row < count; ++row) {
    if (rows[static_cast<std::size_t>(row)] != row) return false;
  }
  return true;
}

std::unique_ptr<RowSearch> begin_search(const RowStart& start) {
  if (start.settings.sampling.sample) return std::make_unique<Sampler>(start);
  return std::make_unique<Beam>(start);
}

}  // namespace

std::vector<std::vector<Hypothesis>> search(const Decoder& decoder, const SearchRows& rows_to_search,
                                            const SearchSettings& settings, const TokenRules& rules) {
  const TokenRows& sources = rows_to_search.sources;
  std::vector<std::vector<Hypothesis>> results(static_cast<std::size_t>(sources.rows()));
  if (results.empty()) return results;
  TokenRules all_rules = rules;
  if (settings.no_repeat_ngram > 0) {
    all_rules.push_back(std::make_shared<NoRepeatedNgram>(settings.no_repeat_ngram));
  }

  struct Sentence {
    std::size_t row;
    std::unique_ptr<RowSearch> search;
  };
  std::vector<Sentence> sentences;
  for (int row = 0; row < sources.rows(); ++row) {
    sentences.push_back(
        {static_cast<std::size_t>(row), begin_search({settings, all_rules, rows_to_search.demands_of(row),
                                                      sources.length(row) - 1, decoder.end()})});
  }

  const auto vocabulary = static_cast<std::size_t>(decoder.vocabulary_size());
  const std::unique_ptr<DecoderState> state = decoder.start(sources);
  std::vector<TokenId> latest(results.size(), decoder.begin());
  SourceAttention attention;
  SourceAttention* const wanted = needs_attention(settings) ? &attention : nullptr;
  std::vector<int> rows;  // of the decoder's rows, those that the next ones continue
  while (true) {
    const Tensor scores = decoder.step(latest, *state, wanted);
    const int present = static_cast<int>(latest.size());
    expects(scores.rows() >= present && scores.columns() == decoder.vocabulary_size(), "step gave ",
            scores.shape().text(), " for ", present, " rows of ", decoder.vocabulary_size(), " scores");
    latest.clear();
    rows.clear();
    int first = 0;
    for (Sentence& sentence : sentences) {
      const auto count = sentence.search->live().size();
      sentence.search->advance(
          {scores.data() + static_cast<std::size_t>(first) * vocabulary, count * vocabulary},
          wanted == nullptr ? std::span<const float>() : attention.of_rows(first, static_cast<int>(count)));
      for (const RowSearch::Live& live : sentence.search->live()) {
        rows.push_back(first + live.parent);
        latest.push_back(live.token);
      }
      first += static_cast<int>(count);
    }
    std::erase_if(sentences, [&](const Sentence& sentence) {
      if (!sentence.search->live().empty()) return false;
      results[sentence.row] = sentence.search->hypotheses();
      return true;
    });
    if (sentences.empty()) return results;
    if (!unchanged(rows, present)) state->select(rows);
  }
}

}  // namespace gloss
