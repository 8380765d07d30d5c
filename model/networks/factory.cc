#include "model/networks/factory.h"

#include "base/error.h"
#include "model/networks/transformer.h"

namespace gloss {

Fields fields_of(NetworkSettings& s) {
  Fields fields = {{"architecture", choice(s.architecture, {"transformer"}), "kind of network"}};
  for (Field& field : fields_of(s.transformer)) fields.push_back(std::move(field));
  return fields;
}

Fields all_fields_of(NetworkSettings& s) {
  constexpr double kMostPieces = 1 << 24;
  Fields fields = fields_of(s);
  fields.push_back({"source_vocabulary", &s.source_vocabulary, "source pieces", {3, kMostPieces}});
  fields.push_back({"target_vocabulary", &s.target_vocabulary, "target pieces", {3, kMostPieces}});
  fields.push_back({"begin_token", &s.begin_token, "id that starts a target", {0, kMostPieces}});
  fields.push_back({"end_token", &s.end_token, "id that ends sources and targets", {0, kMostPieces}});
  return fields;
}

void check(const NetworkSettings& s) {
  const TransformerSettings& t = s.transformer;
  if (t.width % t.heads != 0) {
    throw UsageError(
        concat("width ", t.width, " is not divisible by heads ", t.heads, "; choose heads that divide it"));
  }
  if (t.positions == Positions::sinusoidal && t.width % 2 != 0) {
    throw UsageError(concat("sinusoidal positions need an even width, not ", t.width));
  }
  constexpr std::int64_t kMostPositionNumbers = 1 << 24;  // a table is made before the weights are checked
  if (std::int64_t{t.max_positions} * t.width > kMostPositionNumbers) {
    throw UsageError(concat("max_positions ", t.max_positions, " times width ", t.width, " is more than ",
                            kMostPositionNumbers, " numbers; choose fewer positions"));
  }
  if (t.tied_embeddings == TiedEmbeddings::all && s.source_vocabulary != s.target_vocabulary) {
    throw UsageError(concat("tied embeddings 'all' need one vocabulary, but the source has ",
                            s.source_vocabulary, " pieces and the target ", s.target_vocabulary,
                            "; choose 'target' or 'none'"));
  }
  if (s.begin_token >= s.target_vocabulary || s.end_token >= s.target_vocabulary ||
      s.end_token >= s.source_vocabulary) {
    throw UsageError(concat("begin token ", s.begin_token, " or end token ", s.end_token,
                            " is outside the vocabularies of ", s.source_vocabulary, " and ",
                            s.target_vocabulary, " pieces"));
  }
}

std::unique_ptr<Network> make_network(const NetworkSettings& s, Parameters& parameters) {
  check(s);
  const VocabularySettings vocabulary{s.source_vocabulary, s.target_vocabulary, s.begin_token, s.end_token};
  switch (s.architecture) {
    case Architecture::transformer:
      return std::make_unique<Transformer>(s.transformer, vocabulary, parameters);
  }
  throw BrokenPromise("an architecture without a network");
}

}  // namespace gloss
