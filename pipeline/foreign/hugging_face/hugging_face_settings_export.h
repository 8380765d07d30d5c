// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "model/kernels/activation.h"
#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/hugging_face/hugging_face_family.h"
#include "pipeline/foreign/shared/export_format.h"

namespace gloss {

/// The name of an activation in config.json. Throws UsageError for those that transformers does not have.
std::string activation_name(Activation, const std::string& program);

/// Throws UsageError, naming the member of "text", if a model has tokens around its lines other than the end
/// token and those `allowed`: "languages", "source_prefix", "target_prefix".
void expect_plain_lines(const ModelToExport&, const std::string& program,
                        const std::set<std::string>& allowed = {});
/// Throws UsageError unless one tokenizer splits both sides.
void expect_one_tokenizer(const ModelToExport&, const std::string& program);
[[noreturn]] void refuse_tokenizer(const TokenizerToExport&, const std::string& program);

/// Position embeddings of a network that adds none, or computed ones, as the table [spare + positions, width]
/// that transformers stores. Throws UsageError for positions within attention.
std::vector<FurtherArray> further_positions(const NetworkSettings&, const std::vector<std::string>& tables,
                                            int spare_rows, const std::string& program);

/// True if the values of all parameters that a map computes are those of the network, bit for bit.
bool has_computed_values(const Parameters&, const ParameterMap&);

}  // namespace gloss
