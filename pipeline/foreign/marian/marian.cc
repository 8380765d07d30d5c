// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/marian/marian.h"

#include <array>

#include "base/error.h"
#include "base/text.h"
#include "pipeline/foreign/marian/marian_options.h"
#include "pipeline/foreign/shared/foreign_model.h"
#include "pipeline/foreign/shared/language_pieces.h"

namespace gloss {
namespace {

/// A kind of network: a row for each type.
struct Type {
  std::string name;  ///< `type` in the options of the network
  ForeignModel (*read)(const MarianFiles&);
};

const std::array<Type, 5> kTypes{Type{"transformer", read_marian_transformer},
                                 {"lm-transformer", read_marian_language_model},
                                 {"s2s", read_marian_recurrent},
                                 {"amun", read_marian_recurrent},
                                 {"nematus", read_marian_recurrent}};

}  // namespace

ForeignModel read_marian(const std::string& path) {
  const MarianFiles files = read_marian_files(path);
  check_marian_options(files.options);
  const std::string type = files.options.text("type", "");
  std::vector<std::string> names;
  for (const Type& row : kTypes) {
    if (row.name == type) {
      ForeignModel model = row.read(files);
      expect_all_used(model, files.weights->path(), "the settings in special:model.yml");
      model.notes = files.notes;
      for (std::string& note : notes_on_marian_options(files.options)) model.notes.push_back(std::move(note));
      model.format.search = files.search;
      if (model.network.sizes.encoder_layers > 0)
        model.format.languages = marian_languages(*model.tokenizers.source);
      return model;
    }
    names.push_back(row.name);
  }
  files.options.refuse("type", "one of " + join(names, ", "));
}

}  // namespace gloss
