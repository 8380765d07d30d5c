#pragma once

namespace gloss {

// What an alignment page has besides its data.
extern const char* const kAlignmentStyle;
extern const char* const kAlignmentBody;
extern const char* const kAlignmentProgram;

}  // namespace gloss
