// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace gloss {

// What pages of attention have in common: the choice of an item, a layer and a head, and a line for the value
// under the pointer. The body precedes the markup of a page, the script its script.
extern const char* const kMapControlsBody;
extern const char* const kMapControlsProgram;

}  // namespace gloss
