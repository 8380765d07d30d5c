// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/fairseq/fairseq_dictionaries.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/paths.h"
#include "base/text.h"
#include "pipeline/foreign/shared/matrix_size.h"
#include "pipeline/foreign/shared/text_lines.h"
#include "pipeline/foreign/shared/tokenizer_beside.h"
#include "pipeline/foreign/shared/vocabulary_size.h"

namespace gloss {
namespace {

constexpr int kPadding = 1, kEnd = 2, kUnknown = 3;
const std::vector<std::string> kFirstPieces{"<s>", "<pad>", "</s>", "<unk>"};

bool is_dictionary(const std::string& name) { return name.starts_with("dict.") && name.ends_with(".txt"); }

/// The words of a dictionary: a line has a word and how often it occurs. fairseq adds the first pieces.
std::vector<std::string> read_dictionary(const std::string& path) {
  std::vector<std::string> pieces = kFirstPieces;
  const std::vector<std::string> lines = text_lines(path);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string line = lines[i];
    if (line.ends_with(" #fairseq:overwrite")) line.resize(line.rfind(' '));
    const std::size_t space = line.rfind(' ');
    if (space == std::string::npos || space == 0) {
      throw InputError(concat(path, ", line ", i + 1,
                              ": expected a word and its number of occurrences, found '", line.substr(0, 80),
                              "'"));
    }
    pieces.push_back(line.substr(0, space));
  }
  return pieces;
}

/// A dictionary of a model.
struct Dictionary {
  std::string side, language;
  const StoredArray* embeddings = nullptr;  ///< null if the other side has them
};

std::shared_ptr<const Subwords> read_tokenizer(const std::string& directory, const Dictionary& dictionary,
                                               const std::string& weights) {
  const auto& [side, language, embeddings] = dictionary;
  std::string path = concat(directory, "/dict.", language, ".txt");
  if (!is_file(path)) {
    throw InputError(concat(path, " is missing; expected the dictionary of the ", side,
                            " in the directory of the checkpoint"));
  }
  ForeignVocabulary vocabulary;
  vocabulary.pieces = read_dictionary(path);
  if (embeddings != nullptr) {
    expect_vocabulary_size(path, static_cast<int>(vocabulary.pieces.size()), weights,
                           size_of_matrix(*embeddings, 0));
  }
  vocabulary.unknown = kUnknown;
  vocabulary.begin = vocabulary.end = kEnd;
  for (std::size_t id = 0; id < kFirstPieces.size(); ++id)
    vocabulary.specials.push_back({static_cast<int>(id)});
  vocabulary.never_generated = {kPadding};
  return tokenizer_beside(directory, {side}, vocabulary, path);
}

}  // namespace

bool has_fairseq_dictionary(const std::string& directory) {
  return std::ranges::any_of(names_in(directory), is_dictionary);
}

Tokenizers read_fairseq_dictionaries(const ForeignConfig& settings, const std::string& directory,
                                     const StoredArrays& arrays) {
  const auto read = [&](const std::string& side) {
    const std::string language = settings.text(side + "_lang", "");
    if (language.empty() || language.find('/') != std::string::npos)
      settings.refuse(side + "_lang", "the name of the language of a dictionary, dict.LANGUAGE.txt");
    const std::string part = side == "source" ? "encoder" : "decoder";
    const StoredArray* const embeddings = arrays.find(concat("model.", part, ".embed_tokens.weight"));
    return read_tokenizer(directory, {side, language, embeddings}, arrays.path());
  };
  const auto source = read("source"), target = read("target");
  return {source, source->bytes() == target->bytes() ? source : target};
}

}  // namespace gloss
