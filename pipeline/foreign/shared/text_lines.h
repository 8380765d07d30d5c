// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

namespace gloss {

/// The lines of a text beside a model, such as vocab.txt, without their ends. Throws InputError unless it is
/// a regular file of bounded size.
std::vector<std::string> text_lines(const std::string& path);

}  // namespace gloss
