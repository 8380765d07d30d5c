// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/foreign_formats.h"

#include <algorithm>
#include <array>

#include "pipeline/foreign/ctranslate2/ctranslate2_model.h"
#include "pipeline/foreign/fairseq/fairseq.h"
#include "pipeline/foreign/file_errors.h"
#include "pipeline/foreign/hugging_face/hugging_face.h"
#include "pipeline/foreign/marian/marian.h"

namespace gloss {

std::span<const ForeignFormat> foreign_formats() {
  static const std::array<ForeignFormat, 4> formats{
      ForeignFormat{"CTranslate2 directory", is_ctranslate2, read_ctranslate2_model},
      {"fairseq checkpoint with its dictionaries", is_fairseq, read_fairseq},
      {"Hugging Face directory", is_hugging_face, read_hugging_face},
      {"model of Marian", is_marian, read_marian}};
  return formats;
}

const ForeignFormat* foreign_format_of(const std::string& path) {
  return with_file_errors(path, [&]() -> const ForeignFormat* {
    for (const ForeignFormat& format : foreign_formats()) {
      if (format.recognises(path)) return &format;
    }
    return nullptr;
  });
}

bool is_foreign_model(const std::string& path) { return foreign_format_of(path) != nullptr; }

}  // namespace gloss
