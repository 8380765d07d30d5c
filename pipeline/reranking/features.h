// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gloss {

/// The features of a translation by name, in their order. Further numbers of a name have the names NAME.2,
/// NAME.3 and so on.
using Features = std::vector<std::pair<std::string, double>>;
/// Reads features as in n-best lists, "LogProbability= -4.12 Tokens= 13". Throws InputError, whose message
/// does not name the line.
Features parse_features(std::string_view text);

/// The weights of features by name.
using FeatureWeights = std::map<std::string, double>;
/// Reads a file of lines `NAME= WEIGHT`. Throws InputError, with the line, for any other, a name that occurs
/// twice, and a file without weights.
FeatureWeights read_weights(const std::string& path);
/// The lines of such a file.
std::string weights_text(const FeatureWeights&);

/// The sum of the weighted features; those without a weight do not count. Throws InputError if a feature with
/// a weight is missing.
double weighted_sum(const Features&, const FeatureWeights&);

}  // namespace gloss
