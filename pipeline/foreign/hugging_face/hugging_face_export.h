// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/foreign/shared/export_format.h"

namespace gloss {

/// Directories of transformers with a MarianMTModel.
ExportFormat hugging_face_export();

}  // namespace gloss
