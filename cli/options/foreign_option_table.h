// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string_view>

namespace gloss {

/// The texts of the files `cli/options/foreign/*.tsv`. The build writes them into the program.
std::span<const std::string_view> foreign_option_tables();

}  // namespace gloss
