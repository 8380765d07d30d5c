// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/import_model.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/index.h"
#include "base/paths.h"
#include "model/model_directory.h"
#include "model/networks/factory.h"
#include "pipeline/examples/tokenizer_files.h"
#include "pipeline/foreign/file_errors.h"
#include "pipeline/foreign/foreign_formats.h"
#include "pipeline/foreign/no_model.h"
#include "pipeline/foreign/shared/exported_tokenizers.h"

namespace gloss {
namespace {

/// Throws InputError unless the network is possible and its vocabularies are those of the tokenizers.
void expect_consistent(const ForeignModel& model, const std::string& path) {
  const NetworkSettings& network = model.network;
  const auto expect_size = [&](int pieces, int size, const std::string& side) {
    if (pieces == size) return;
    throw InputError(concat(path, ": the ", side, " vocabulary has ", pieces,
                            " pieces, but config.json says ", size,
                            "; expected the vocabulary with which the model was trained"));
  };
  expect_size(model.tokenizers.source->size(), network.source_vocabulary, "source");
  expect_size(model.tokenizers.target->size(), network.target_vocabulary, "target");
  const int source = model.tokenizers.source->size(), target = model.tokenizers.target->size();
  expect_pieces(model.format, source, target, path);
  NetworkSettings copy = network;
  network_settings({{"network", fields_to_json(all_fields_of(copy))}}, path);  // as the model will be read
}

bool are_equal(NetworkSettings one, NetworkSettings other) {
  return fields_to_json(all_fields_of(one)) == fields_to_json(all_fields_of(other));
}

/// Chooses what the search computes, and notes what the choice means for this model.
void choose_search(ForeignModel& model, ImportedSearch search) {
  const NetworkSettings trained = trained_further(model.network);
  const bool differs = !are_equal(model.network, trained), as_trained = search == ImportedSearch::as_trained;
  if (differs && as_trained) {
    model.network = trained;
  } else if (differs) {
    model.notes.emplace_back(
        "translations are those of Marian, whose search leaves out norms that the training had; "
        "'gloss import --search-as-trained' computes them, which usually translates better (one model on "
        "Multi30k: 18.4 instead of 10.4 BLEU)");
  } else if (as_trained) {
    model.notes.emplace_back(
        "--search-as-trained has no effect: this model translates with the network that was trained");
  }
}

/// Notes that text must be split before.
void note_words(ForeignModel& model, const std::string& path) {
  if (!takes_words(*model.tokenizers.source) && !takes_words(*model.tokenizers.target)) return;
  model.notes.push_back(concat(path,
                               " has no SentencePiece model for its vocabulary: words between spaces are ",
                               "the tokens; split text as that of the training was"));
}

/// The progress of writing f32 numbers. It never ends: a small model has no line for its end.
Progress progress_of(std::int64_t written, std::int64_t all) {
  constexpr std::int64_t kPerMegabyte = 1'000'000 / sizeof(float);
  return {
      .done = written / kPerMegabyte, .total = all / kPerMegabyte + 1, .unit = "MB", .details = "converting"};
}

}  // namespace

ForeignModel read_foreign_model(const std::string& named, ImportedSearch search) {
  const std::string path = without_last_slashes(named);
  const ForeignFormat* const format = foreign_format_of(path);
  if (format == nullptr) throw InputError(why_no_model(path));
  return with_file_errors(path, [&] {
    ForeignModel model = format->read(path);
    model.kind = format->name;
    expect_consistent(model, path);
    choose_search(model, search);
    note_words(model, path);
    return model;
  });
}

void write_foreign_model(const ForeignModel& model, const std::string& directory, Listener& listener) {
  Parameters parameters;
  make_network(model.network, parameters);
  WeightsToWrite weights;
  for (const Parameters::Entry& entry : parameters.entries()) {
    // Before anything is allocated or written: the sizes come from settings that may lie.
    model.weights.expect_fits(entry.name, entry.tensor.shape());
    weights.arrays.push_back({entry.name, DType::f32, entry.tensor.shape(), nullptr});
  }
  std::vector<float> values;
  std::int64_t written = 0;  // numbers
  weights.data_of = [&](const NamedArray& array) -> const void* {
    const std::size_t count = index(array.shape.count());
    listener.progress(progress_of(written, parameters.count()));
    written += array.shape.count();
    if (values.capacity() < count) values = std::vector<float>();  // not two large ones at a time
    values.resize(count);
    model.weights.read(array.name, array.shape, values);
    return values.data();
  };
  const nlohmann::json imported{{"format", model.kind}, {"model", model.description}};
  write_model(directory, model.network, weights,
              {{"text", text_settings(model.format)}, {"imported", imported}},
              tokenizer_files(*model.tokenizers.source, *model.tokenizers.target));
}

}  // namespace gloss
