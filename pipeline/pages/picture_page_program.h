// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace gloss {

// The style, body and script of a page of pictures.
extern const char* const kPictureStyle;
extern const char* const kPictureBody;
extern const char* const kPictureProgram;

}  // namespace gloss
