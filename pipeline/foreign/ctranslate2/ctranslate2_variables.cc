// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/ctranslate2/ctranslate2_variables.h"

#include <cmath>
#include <span>

#include "base/json.h"
#include "base/paths.h"
#include "base/shown.h"
#include "base/text.h"

namespace gloss {
namespace {

ForeignConfig read_config(const std::string& directory) {
  const std::string path = directory + "/config.json";
  return {path, path_exists(path) ? read_json(path) : nlohmann::json::object()};
}

/// The parts of a model of this kind.
std::vector<std::string> sides_of(const CTranslate2File& file) {
  const std::string& kind = file.specification;
  if (kind == "TransformerDecoderSpec") return {"decoder"};
  if (kind == "TransformerSpec" || kind == "TransformerBase" || kind == "TransformerBig")
    return {"encoder", "decoder"};
  throw InputError(concat(file.arrays.path(), " has a model of the kind ", shown(kind),
                          "; expected TransformerSpec or TransformerDecoderSpec"));
}

}  // namespace

CTranslate2Variables::CTranslate2Variables(const std::string& directory)
    : directory_(directory),
      file_(std::make_shared<const CTranslate2File>(read_ctranslate2(directory + "/model.bin"))),
      config_(read_config(directory)),
      sides_(sides_of(*file_)) {}

const StoredArray* CTranslate2Variables::find(const std::string& name) {
  const StoredArray* const array = file_->arrays.find(name);
  if (array != nullptr) known_.push_back(name);
  return array;
}
const StoredArray& CTranslate2Variables::at(const std::string& name) {
  if (const StoredArray* array = find(name)) return *array;
  return file_->arrays.at(name);
}

std::optional<double> CTranslate2Variables::number(const std::string& name) {
  const StoredArray* const array = find(name);
  if (array == nullptr) return std::nullopt;
  float value = 0;
  if (array->count() != 1) {
    throw InputError(
        concat(array->where(), " has the shape ", shape_text(array->shape()), "; expected one number"));
  }
  array->read(std::span(&value, 1));
  if (!std::isfinite(value)) throw InputError(concat(array->where(), " is ", value, "; expected a number"));
  return value;
}

std::optional<double> CTranslate2Variables::number(const std::string& side, const std::string& name) {
  const std::optional<double> common = number(name), own = number(concat(side, "/", name));
  return own ? own : common;
}

double CTranslate2Variables::shared(const std::string& name, double otherwise) {
  const double value = number(sides_.front(), name).value_or(otherwise);
  const double last = number(sides_.back(), name).value_or(otherwise);
  if (value == last) return value;
  refuse(name, concat(value, " in the encoder and ", last, " in the decoder"), "the same in both");
}

std::string CTranslate2Variables::text(const std::string& name, const std::string& otherwise) {
  if (config_.has(name)) return config_.text(name, "");
  const StoredArray* const array = find(name);
  return array == nullptr ? otherwise : array->bytes(1024);
}

int CTranslate2Variables::layers(const std::string& side) const {
  int count = 0;
  while (count < 1000 && has(concat(side, "/layer_", count, "/self_attention/linear_0/weight"))) ++count;
  if (count > 0) return count;
  throw InputError(
      concat(path(), " has no layers of the ", side, "; expected ", side, "/layer_0/self_attention"));
}

void CTranslate2Variables::refuse(const std::string& name, const std::string& found,
                                  const std::string& expected) const {
  throw InputError(concat(path(), ": ", name, " is ", found, "; expected ", expected));
}

}  // namespace gloss
