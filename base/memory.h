// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace gloss {

/// The resident memory of this process in MiB; 0 if unknown.
double resident_mebibytes();

}  // namespace gloss
