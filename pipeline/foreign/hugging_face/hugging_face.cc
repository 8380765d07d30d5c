// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face.h"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "base/json.h"
#include "base/paths.h"
#include "base/text.h"
#include "pipeline/foreign/hugging_face/hugging_face_members.h"
#include "pipeline/foreign/hugging_face/hugging_face_weights.h"
#include "pipeline/foreign/hugging_face/tokenizer_to_export.h"
#include "pipeline/foreign/shared/foreign_model.h"
#include "tokenizer/characters.h"
#include "tokenizer/subword.h"

namespace gloss {
namespace {

/// A note if many pieces of a byte-level BPE come from no merge: a file of merges was cut, perhaps. Empty for
/// other tokenizers.
std::vector<std::string> notes_on_merges(const Subwords& subwords, const std::string& directory) {
  const TokenizerToExport tokenizer(subwords);
  if (tokenizer.kind() != TokenizerToExport::Kind::byte_pairs) return {};
  std::unordered_set<std::string> merged;
  const auto merges = tokenizer.merges();
  for (const auto& [left, right] : merges) merged.insert(left + right);
  int unmade = 0;
  for (int id = 0; id < tokenizer.used(); ++id) {
    const std::string& piece = tokenizer.piece(id);
    if (!tokenizer.is_special(id) && !merged.contains(piece) && code_points(piece).size() > 1) ++unmade;
  }
  // Real vocabularies have a few, such as RoBERTa's madeupword0000.
  constexpr int kFew = 20;
  if (unmade <= tokenizer.used() / kFew) return {};
  return {concat(directory, ": ", unmade, " of ", tokenizer.used(),
                 " tokens come from no merge; if merges are missing", " (there are ", merges.size(),
                 "), text is split into wrong tokens")};
}

using Names = std::vector<std::string>;

/// A kind of model: a row for each model_type.
struct Family {
  std::string model_type;  ///< in config.json
  std::string classes;     ///< the beginning of the names of its classes
  ForeignModel (*read)(const HuggingFaceFiles&);
  Names classes_of_models{};  ///< the names of those that gloss reads, in `architectures`
  Names tokenizer{};          ///< the files of its usual tokenizer
  bool takes_whole = true;    ///< tokenizer.json can take their place
};

/// The files of the tokenizers that gloss reads. Models that gloss exported may have one of another family.
const Names kByteNames{"vocab.json", "merges.txt"}, kMarianNames{"vocab.json", "source.spm", "target.spm"},
    kFairseqNames{"sentencepiece.bpe.model"}, kWordPieceNames{"vocab.txt"}, kPieceNames{"spiece.model"},
    kContinuedNames{"tokenizer.model"};

const std::array<Family, 11>& import_families() {
  static const Names encoder{"ForMaskedLM", "ForPreTraining", "ForSequenceClassification", "Model"};
  const auto with = [](const Names& prefixes, const Names& heads) {
    Names all;
    for (const std::string& prefix : prefixes) {
      for (const std::string& head : heads) all.push_back(prefix + head);
    }
    return all;
  };
  const Names seq{"ForConditionalGeneration", "Model"};
  const Names t5 = with({"T5", "MT5"}, {"ForConditionalGeneration", "Model", "WithLMHeadModel"});
  static const std::array<Family, 11> all{
      Family{"marian",
             "Marian",
             read_hugging_face_marian,
             {"MarianMTModel", "MarianModel"},
             kMarianNames,
             false},
      {"bart", "Bart", read_hugging_face_bart, with({"Bart"}, seq), kByteNames},
      {"mbart", "MBart", read_hugging_face_mbart, with({"MBart"}, seq), kFairseqNames},
      {"m2m_100", "M2M100", read_hugging_face_m2m, with({"M2M100"}, seq), kFairseqNames},
      {"pegasus", "Pegasus", read_hugging_face_pegasus, with({"Pegasus"}, seq), kMarianNames, false},
      {"bert", "Bert", read_hugging_face_bert, with({"Bert"}, encoder), kWordPieceNames},
      {"roberta", "Roberta", read_hugging_face_roberta, with({"Roberta"}, encoder), kByteNames},
      {"xlm-roberta", "XLMRoberta", read_hugging_face_roberta, with({"XLMRoberta", "Roberta"}, encoder),
       kFairseqNames},
      {"gpt2", "GPT2", read_hugging_face_gpt2, {"GPT2LMHeadModel", "GPT2Model"}, kByteNames},
      {"t5", "T5", read_hugging_face_t5, t5, kPieceNames},
      {"mt5", "MT5", read_hugging_face_t5, t5, kPieceNames}};
  return all;
}

std::string in(const std::string& directory, const std::string& name) { return concat(directory, "/", name); }

/// True for the config.json of gloss's own models.
bool is_own(const nlohmann::json& config) { return config.is_object() && config.contains("format"); }

/// Those of the names that a directory does not have.
Names missing_files(const std::string& directory, const Names& names) {
  Names missing;
  for (const std::string& name : names) {
    if (!path_exists(in(directory, name))) missing.push_back(name);
  }
  return missing;
}

/// True if a directory has all files of an older tokenizer.
bool has_older_tokenizer(const std::string& directory) {
  const std::array tokenizers{kByteNames,      kMarianNames, kFairseqNames,
                              kWordPieceNames, kPieceNames,  kContinuedNames};
  return std::ranges::any_of(tokenizers,
                             [&](const Names& names) { return missing_files(directory, names).empty(); });
}

/// tokenizer.json, unless the directory has the files of older tokenizers, which are those of the model.
std::shared_ptr<const TokenizerJson> read_tokenizer(const std::string& directory) {
  if (has_older_tokenizer(directory)) return nullptr;
  const std::string path = in(directory, "tokenizer.json");
  return path_exists(path) ? std::make_shared<const TokenizerJson>(read_tokenizer_json(path)) : nullptr;
}

/// The model_type of config.json, or of the name of the model's class in files from before there was one.
std::string model_type_of(const HuggingFaceFiles& files) {
  const ForeignConfig& config = files.config;
  if (config.has("model_type")) return config.text("model_type", "");
  const std::string classes = config.has("architectures") ? config.at("architectures").dump() : "";
  for (const Family& family : import_families()) {
    if (!family.classes.empty() && classes.starts_with("[\"" + family.classes)) return family.model_type;
  }
  if (config.has("n_embd")) return "gpt2";
  if (config.has("type_vocab_size"))
    return files.has_tokenizer(TokenizerJson::Kind::word_pieces, "vocab.txt") ? "bert" : "roberta";
  return "";
}

/// Throws InputError if the model is of a class with another head.
void expect_class(const ForeignConfig& config, const Names& expected) {
  const std::string member = "architectures";
  if (!config.has(member)) return;
  const nlohmann::json& found = config.at(member);
  const auto known = [&](const nlohmann::json& name) {
    return name.is_string() && std::ranges::count(expected, name.get<std::string>()) > 0;
  };
  if (!found.is_array() || !std::ranges::all_of(found, known))
    config.refuse(member, "a list of one of " + join(expected, ", "));
}

/// Throws InputError if the directory has no tokenizer.
void expect_tokenizer(const HuggingFaceFiles& files, const Family& family) {
  if ((files.tokenizer && family.takes_whole) || has_older_tokenizer(files.directory)) return;
  throw InputError(concat(files.directory, " has no ",
                          join(missing_files(files.directory, family.tokenizer), " and no "),
                          "; the tokenizer of a model of the type ", family.model_type, " is in ",
                          join(family.tokenizer, ", "), family.takes_whole ? ", or in tokenizer.json" : ""));
}

}  // namespace

std::string HuggingFaceFiles::needed_file(const std::string& name) const {
  if (path_exists(file(name))) return file(name);
  throw InputError(
      concat(directory, " has no ", name, "; expected it with the other files of the tokenizer"));
}

bool HuggingFaceFiles::has_tokenizer(TokenizerJson::Kind kind, const std::string& name) const {
  return tokenizer ? tokenizer->kind == kind : path_exists(file(name));
}

bool is_hugging_face(const std::string& path) {
  const std::string config = in(path, "config.json");
  return is_file(config) && !is_own(read_json(config));
}

ForeignModel read_hugging_face(const std::string& path) {
  const std::string file = in(path, "config.json");
  const std::string generation = in(path, "generation_config.json");
  const std::string generation_file = path_exists(generation) ? generation : file;
  const HuggingFaceFiles files{path, ForeignConfig(file, read_json(file)),
                               ForeignConfig(generation_file, read_json(generation_file)),
                               read_hugging_face_weights(path), read_tokenizer(path)};
  const std::string type = model_type_of(files);
  std::vector<std::string> types;
  for (const Family& family : import_families()) {
    types.push_back(family.model_type);
    if (family.model_type != type) continue;
    expect_class(files.config, family.classes_of_models);
    expect_tokenizer(files, family);
    ForeignModel model = family.read(files);
    expect_all_used(model, path);
    for (std::string& note : check_hugging_face_members(files)) model.notes.push_back(std::move(note));
    for (std::string& note : notes_on_merges(*model.tokenizers.source, path))
      model.notes.push_back(std::move(note));
    return model;
  }
  files.config.refuse("model_type", "one of " + join(types, ", "));
}

}  // namespace gloss
