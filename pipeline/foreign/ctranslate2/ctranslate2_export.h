// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/foreign/shared/export_format.h"

namespace gloss {

/// Directories of CTranslate2: f32, or int8 if the model is stored in int8.
ExportFormat ctranslate2_export();

}  // namespace gloss
