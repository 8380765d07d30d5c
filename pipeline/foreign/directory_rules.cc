// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "model/model_paths.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_vocabulary.h"
#include "pipeline/foreign/fairseq/fairseq_dictionaries.h"
#include "pipeline/foreign/model_kinds.h"
#include "pipeline/foreign/model_rules.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

std::string own_model(const Place& place) {
  if (model_directory_of(place.path).empty()) return "";
  return place.path + " is a model of gloss already; all commands take it as it is";
}

/// models--NAME in the cache of the Hugging Face hub: snapshots have the files.
std::string hub_cache(const Place& place) {
  const std::string snapshots = place.path + "/snapshots";
  std::vector<std::string> paths;
  for (const std::string& name : names_in(snapshots)) paths.push_back(concat(snapshots, "/", name));
  if (paths.empty()) return "";
  std::ranges::sort(paths);
  return concat(place.path, " is a directory of the Hugging Face cache; give ",
                paths.size() == 1 ? "its snapshot " : "one of its snapshots: ", some_of(paths));
}

std::string checkpoints(const Place& place) {
  const std::vector<std::string> found = place.ending({".pt"});
  if (found.size() == 1) return checkpoint_alone({concat(place.path, "/", found.front())});
  if (found.empty()) return "";
  return concat(place.path, " has ", found.size(), " checkpoints: ", some_of(found),
                "; give the path of one of them");
}

/// What PEFT writes.
std::string adapter(const Place& place) {
  if (!place.has("adapter_config.json")) return "";
  return concat(place.path,
                " has adapter_config.json: it is an adapter of another model; merge the two with "
                "merge_and_unload of PEFT, save the result, and give its directory");
}

std::string weights_alone(const Place& place) {
  const std::vector<std::string> found = place.ending({".safetensors", ".safetensors.index.json", ".bin"});
  if (found.empty() || place.has(kConfigFile)) return "";
  return concat(place.path, " has ", found.front(), ", but no config.json; expected all files of the model");
}

std::string vocabularies_alone(const Place& place) {
  const auto without = [&](const std::string& vocabularies, const std::string& weights) {
    return concat(place.path, " has ", vocabularies, ", but no ", weights,
                  "; expected all files of the model");
  };
  if (has_ctranslate2_vocabulary(place.path)) return without("vocabularies of CTranslate2", "model.bin");
  if (has_fairseq_dictionary(place.path)) return without("dictionaries of fairseq", "checkpoint (.pt)");
  const std::vector<std::string> models = place.ending({".spm"});
  return models.empty() ? "" : without(some_of(models), "weights, such as model.npz of Marian");
}

std::string models_inside(const Place& place) {
  constexpr std::size_t kMost = 100;
  std::vector<std::string> found;
  for (std::size_t i = 0; i < std::min(place.names.size(), kMost); ++i) {
    const std::string path = concat(place.path, "/", place.names[i]);
    std::error_code error;
    if (!fs::is_directory(path, error)) continue;
    if (!hub_cache({path}).empty() || !kind_of_model(path).empty()) found.push_back(path);
  }
  if (found.empty()) return "";
  return concat(place.path, " is a directory of models; give one of them, such as ", some_of(found));
}

std::string no_files(const Place& place) {
  return place.names.empty() ? concat(place.path, " is an empty directory; ", expected_models()) : "";
}

std::string other_directory(const Place& place) {
  return concat(place.path, " has no model; ", expected_models());
}

}  // namespace

std::span<const ModelRule> rules_of_directories() {
  static constexpr std::array<ModelRule, 12> kRules{
      own_model,          not_downloaded_well, hub_cache, checkpoints, adapter,  weights_alone,
      vocabularies_alone, models_inside,       packed,    unread_form, no_files, other_directory};
  return kRules;
}

}  // namespace gloss
