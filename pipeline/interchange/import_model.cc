// SPDX-License-Identifier: Apache-2.0

#include "pipeline/interchange/import_model.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "base/paths.h"
#include "base/text.h"
#include "model/model_directory.h"
#include "model/networks/factory.h"
#include "pipeline/ctranslate2/ctranslate2_model.h"
#include "pipeline/data/tokenizer_files.h"
#include "pipeline/hugging_face/hugging_face.h"
#include "pipeline/interchange/fairseq.h"
#include "pipeline/marian/marian.h"

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

/// The row for a model; null if there is none.
const ForeignFormat* format_of(const std::string& path) {
  const auto formats = foreign_formats();
  const auto found =
      std::ranges::find_if(formats, [&](const ForeignFormat& format) { return format.recognises(path); });
  return found == formats.end() ? nullptr : &*found;
}

/// Calls a function; what the file system refuses, such as links in a circle, becomes an InputError.
template <class Call>
auto with_files(const Call& call) {
  try {
    return call();
  } catch (const std::filesystem::filesystem_error& error) {
    throw InputError(concat("cannot read ", error.path1().string(), ": ", error.code().message()));
  }
}

/// True for the small text that git-lfs leaves in place of a file that has not been downloaded.
bool is_pointer(const std::string& path) {
  constexpr std::string_view kStart = "version https://git-lfs.github.com/spec/";
  constexpr std::uintmax_t kMostBytes = 1024;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) > kMostBytes)
    return false;
  return read_file(path).starts_with(kStart);
}

/// Throws InputError if a file that the message of an error names is a pointer of git-lfs.
void explain_pointers(const std::string& path, std::string_view message) {
  std::error_code error;
  const std::string directory = std::filesystem::is_directory(path, error) ? path : folder_of(path);
  for (const std::string& name : names_in(directory)) {
    const std::string file = concat(directory, "/", name);
    if (message.find(name) == std::string_view::npos || !is_pointer(file)) continue;
    throw InputError(
        concat(file, " is only a pointer of git-lfs to the file; run 'git lfs pull' in ", directory));
  }
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
    model.notes.emplace_back("--search-as-trained changes nothing: this model searches as it was trained");
  }
}

ForeignModel read(const ForeignFormat& format, const std::string& path, ImportedSearch search) {
  try {
    ForeignModel model = format.read(path);
    expect_consistent(model, path);
    choose_search(model, search);
    return model;
  } catch (const InputError& error) {
    explain_pointers(path, error.what());
    throw;
  }
}

/// The progress of writing f32 numbers. It never ends: a small model has no line for its end.
Progress progress_of(std::int64_t written, std::int64_t all) {
  constexpr std::int64_t kPerMegabyte = 1'000'000 / sizeof(float);
  return {
      .done = written / kPerMegabyte, .total = all / kPerMegabyte + 1, .unit = "MB", .details = "converting"};
}

}  // namespace

std::span<const ForeignFormat> foreign_formats() {
  static const std::array<ForeignFormat, 4> formats{
      ForeignFormat{"CTranslate2 directory", is_ctranslate2, read_ctranslate2_model},
      {"fairseq checkpoint with its dictionaries", is_fairseq, read_fairseq},
      {"Hugging Face directory", is_hugging_face, read_hugging_face},
      {"model of Marian", is_marian, read_marian}};
  return formats;
}

bool is_foreign_model(const std::string& path) {
  return with_files([&] { return format_of(path) != nullptr; });
}

ForeignModel read_foreign_model(const std::string& path, ImportedSearch search) {
  return with_files([&] {
    if (const ForeignFormat* const format = format_of(path)) return read(*format, path, search);
    if (!std::filesystem::exists(path))
      throw InputError(concat("there is no ", path, "; expected a model to import"));
    std::vector<std::string> names;
    for (const ForeignFormat& format : foreign_formats()) names.push_back(format.name);
    throw InputError(concat(path, " is no model that can be imported; expected a ", join(names, " or a ")));
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
  write_model(directory, model.network, weights, {{"text", text_settings(model.format)}},
              tokenizer_files(*model.tokenizers.source, *model.tokenizers.target));
}

}  // namespace gloss
