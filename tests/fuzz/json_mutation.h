// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace gloss {

/// A number below `count`, which is positive.
inline std::size_t below(std::minstd_rand& random, std::size_t count) { return random() / 7 % count; }
template <class List>
const auto& one_of(std::minstd_rand& random, const List& list) {
  return list[below(random, list.size())];
}

/// Changes one thing in a value: replaces a part by one that breaks careless readers, or removes, adds,
/// repeats, renames, exchanges or nests parts.
void mutate(nlohmann::json& value, std::minstd_rand& random);
/// A word that readers of models look for, or that they may be surprised by.
const std::string& some_word(std::minstd_rand& random);

/// Stand for numbers that only YAML has.
inline constexpr const char *kNotANumber = "@nan", *kInfinity = "@inf";

}  // namespace gloss
