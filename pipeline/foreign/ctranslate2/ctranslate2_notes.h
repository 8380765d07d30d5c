// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/foreign/shared/export_format.h"

namespace gloss {

/// Notes what a directory of CTranslate2 does not say about the text of a model, and its users have to do.
void note_ctranslate2_limits(const ModelToExport&, Listener&);

}  // namespace gloss
