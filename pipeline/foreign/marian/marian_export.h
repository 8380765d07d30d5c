// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/foreign/shared/export_format.h"

namespace gloss {

/// Directories of Marian, with the weights in model.npz and the configuration of its decoder.
ExportFormat marian_export();

}  // namespace gloss
