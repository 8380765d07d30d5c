// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "base/listener.h"
#include "base/short_lived_directory.h"

namespace gloss {

/// A foreign model as a model directory in the temporary directory of the system. Notes what it is, and what
/// differs from the other program. Throws InputError for what gloss cannot represent; Error if it cannot be
/// written.
ShortLivedDirectory temporary_conversion(const std::string& path, Listener&);

/// The same in the directory `cache`, where it stays. It is made if it is missing or damaged, or if the files
/// of the model or gloss itself have changed since. Returns the model directory. Notes and throws the same.
std::string cached_conversion(const std::string& path, const std::string& cache, Listener&);

/// The note on a conversion to a temporary directory. One that took long has an advice.
std::string conversion_note(const std::string& path, const std::string& description, double seconds);

}  // namespace gloss
