// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/network_settings.h"
#include "pipeline/foreign/hugging_face/hugging_face_files.h"
#include "pipeline/foreign/shared/foreign_model.h"

namespace gloss {

/// GPT2LMHeadModel.
ForeignModel read_hugging_face_gpt2(const HuggingFaceFiles&);

/// The parameters of a language model in GPT-2's names; its weights are [in, out].
ParameterMap gpt2_parameters(const NetworkSettings&);

}  // namespace gloss
