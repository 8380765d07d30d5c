// SPDX-License-Identifier: Apache-2.0
#include "pipeline/identification/built_in_model.h"

asm(R"(.pushsection .rodata
gloss_languages: .incbin ")" GLOSS_LANGUAGES_FILE R"("
gloss_languages_end: .byte 0
.popsection)");

extern "C" const std::byte gloss_languages[], gloss_languages_end[];

namespace gloss {

std::span<const std::byte> built_in_model_bytes() { return {gloss_languages, gloss_languages_end}; }

}  // namespace gloss
