#include "pipeline/search.h"

#include "base/error.h"

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

}  // namespace

std::vector<std::vector<Hypothesis>> search(const Decoder& decoder, const TokenRows& sources,
                                            const SearchSettings& settings) {
  std::vector<std::vector<Hypothesis>> results(static_cast<std::size_t>(sources.rows()));
  if (results.empty()) return results;

  struct Sentence {
    std::size_t row;
    Beam beam;
  };
  std::vector<Sentence> sentences;
  for (int row = 0; row < sources.rows(); ++row) {
    sentences.push_back(
        {static_cast<std::size_t>(row), Beam(settings, sources.length(row) - 1, decoder.end())});
  }

  const auto vocabulary = static_cast<std::size_t>(decoder.vocabulary_size());
  const std::unique_ptr<DecoderState> state = decoder.start(sources);
  std::vector<TokenId> latest(results.size(), decoder.begin());
  std::vector<int> rows;  // of the decoder's rows, those that the next ones continue
  while (true) {
    const Tensor scores = decoder.step(latest, *state);
    const int present = static_cast<int>(latest.size());
    expects(scores.rows() >= present && scores.columns() == decoder.vocabulary_size(), "step gave ",
            scores.shape().text(), " for ", present, " rows of ", decoder.vocabulary_size(), " scores");
    latest.clear();
    rows.clear();
    int first = 0;
    for (Sentence& sentence : sentences) {
      const auto count = sentence.beam.live().size();
      sentence.beam.advance(
          {scores.data() + static_cast<std::size_t>(first) * vocabulary, count * vocabulary});
      for (const Beam::Live& live : sentence.beam.live()) {
        rows.push_back(first + live.parent);
        latest.push_back(live.token);
      }
      first += static_cast<int>(count);
    }
    std::erase_if(sentences, [&](const Sentence& sentence) {
      if (sentence.beam.ended()) results[sentence.row] = sentence.beam.hypotheses();
      return sentence.beam.ended();
    });
    if (sentences.empty()) return results;
    if (!unchanged(rows, present)) state->select(rows);
  }
}

}  // namespace gloss
