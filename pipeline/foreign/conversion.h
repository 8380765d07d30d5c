// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>

#include "base/listener.h"
#include "base/short_lived_directory.h"
#include "pipeline/foreign/shared/foreign_model.h"

namespace gloss {

/// Throws if a model is not the one that a command needs; empty: every one is.
using ForeignCheck = std::function<void(const ForeignModel&)>;

/// A foreign model as a model directory in the temporary directory of the system. Notes what it is, and what
/// differs from the other program. Throws InputError for what gloss cannot represent; what `check` throws,
/// before anything is written; Error if it cannot be written.
ShortLivedDirectory temporary_conversion(const std::string& path, const ForeignCheck& check, Listener&);

/// The same in the directory `cache`, where it stays. It is made if it is missing or damaged, or if the files
/// of the model or gloss itself have changed since. Returns the model directory. Notes and throws the same.
std::string cached_conversion(const std::string& path, const std::string& cache, const ForeignCheck& check,
                              Listener&);

/// The note on a conversion to a temporary directory. One that took long has an advice.
std::string conversion_note(const std::string& path, const std::string& description, double seconds);

}  // namespace gloss
