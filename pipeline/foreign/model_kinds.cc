// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/model_kinds.h"

#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "model/model_paths.h"
#include "pipeline/foreign/foreign_formats.h"

namespace gloss {
namespace {

const std::string kOwn = "model directory of gloss";

}  // namespace

std::string kind_of_model(const std::string& path) {
  try {
    if (const ForeignFormat* const format = foreign_format_of(path)) return format->name;
    return model_directory_of(path).empty() ? "" : kOwn;
  } catch (const InputError&) {
    return "";
  }
}

std::string expected_models() {
  std::vector<std::string> names{kOwn};
  for (const ForeignFormat& format : foreign_formats()) names.push_back(format.name);
  const std::string last = names.back();
  names.pop_back();
  return concat("expected a ", join(names, ", a "), " or a ", last);
}

}  // namespace gloss
