// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace gloss {

// The style, body and script of an alignment page.
extern const char* const kAlignmentStyle;
extern const char* const kAlignmentBody;
extern const char* const kAlignmentProgram;

}  // namespace gloss
