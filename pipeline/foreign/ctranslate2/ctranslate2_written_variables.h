// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/formats/ctranslate2_writer.h"
#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_parameters.h"
#include "pipeline/foreign/shared/export_format.h"
#include "pipeline/foreign/shared/exported_weights.h"

namespace gloss {

/// The weights and settings of a model as variables of CTranslate2. It must be one that the program can
/// represent, and both it and this object must outlive the variables.
class CTranslate2WrittenVariables {
 public:
  explicit CTranslate2WrittenVariables(const ModelToExport&);
  const std::vector<CTranslate2Variable>& all() const { return variables_; }

 private:
  void add_weights(const ExportedArray&);
  void add_int8(const ExportedArray&);
  template <class Number>
  void add_number(const std::string& name, Number);
  void add_flag(const std::string& name, bool flag);
  void add_settings(const std::string& side);
  void add_attention(const CTranslate2Attention&);
  void add_positions(const std::string& side);

  const NetworkSettings& network_;
  std::vector<CTranslate2Variable> variables_;
  // The bytes of one variable at a time.
  std::vector<float> wide_;
  std::vector<std::byte> small_;
};

}  // namespace gloss
