// SPDX-License-Identifier: Apache-2.0

#include "pipeline/interchange/marian.h"

#include <array>

#include "base/text.h"
#include "pipeline/interchange/marian_recurrent.h"

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

/// Refuses options of every type of network that gloss cannot represent.
void check_options(const ForeignConfig& options) {
  for (const std::string name : {"right-left", "ulr"}) {
    if (options.flag(name, false)) options.refuse(name, "false");
  }
  for (const std::string name : {"factors-dim-emb", "lemma-dim-emb"}) {
    if (options.integer(name, 0) != 0) options.refuse(name, "0: gloss has no factored vocabularies");
  }
}

}  // namespace

ForeignModel read_marian(const std::string& path) {
  const MarianFiles files = read_marian_files(path);
  check_options(files.options);
  const std::string type = files.options.text("type", "");
  std::vector<std::string> names;
  for (const Type& row : kTypes) {
    if (row.name == type) {
      ForeignModel model = row.read(files);
      model.format.search = files.search;
      return model;
    }
    names.push_back(row.name);
  }
  files.options.refuse("type", "one of " + join(names, ", "));
}

}  // namespace gloss
