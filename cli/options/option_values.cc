// SPDX-License-Identifier: Apache-2.0

#include "cli/options/option_values.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "base/shown.h"
#include "base/text.h"
#include "cli/options/option_description.h"
#include "cli/options/plain_name.h"

namespace gloss {
namespace {

/// What others call the values of gloss, in lower case with hyphens.
constexpr auto kOtherNames = std::to_array<std::pair<std::string_view, const char*>>({
    {"fp32 float32 float single", "f32"},
    {"fp16 f16 float16 half bfloat16", "bf16"},
    {"8bit i8 int8-float32 int8-bfloat16", "int8"},
    {"4bit i4 q4", "int4"},
    {"noam rsqrt isqrt inverse-square-root", "inverse_sqrt"},
    {"polynomial-decay linear-decay", "linear"},
    {"fixed none", "constant"},
    {"ce loss ppl perplexity ce-mean-words", "cross_entropy"},
    {"rnn lstm gru s2s", "recurrent"},
    {"spm sentencepiece", "unigram"},
    {"bbpe bytes", "byte-bpe"},
    {"clm causal gpt", "lm"},
    {"bert masked", "mlm"},
    {"bart span", "denoise"},
    {"ct2", "ctranslate2"},
    {"hf transformers hub safetensors pytorch", "huggingface"},
    {"npz marian-nmt opus-mt bergamot", "marian"},
});

/// The name that was meant; empty if it cannot be seen.
std::string meant(const std::vector<std::string>& names, const std::string& value) {
  const std::string wanted = plain_name(value);
  for (const auto& [others, name] : kOtherNames) {
    const std::vector<std::string> all = split(others, ' ');
    if (std::ranges::count(all, wanted) > 0 && std::ranges::count(names, name) > 0) return name;
  }
  const auto distance = [&](const std::string& name) { return edit_distance(plain_name(name), wanted); };
  const auto closest = std::ranges::min_element(names, {}, distance);
  const std::size_t largest = std::max<std::size_t>(1, wanted.size() / 3);
  const bool clear =
      closest != names.end() && wanted.size() > 1 && distance(*closest) <= static_cast<int>(largest);
  return clear ? *closest : "";
}

}  // namespace

void set_option(const Field& field, const std::string& value, const std::string& label) {
  if (is_number_list(field)) {
    double number = 0;  // only checked: the list keeps the text
    set_field({field.name, &number, field.help, field.range}, value, label);
  }
  try {
    set_field(field, value, label);
  } catch (const UsageError& error) {
    const auto* choice = std::get_if<Choice>(&field.target);
    const std::string name = choice == nullptr ? "" : meant(choice->names, value);
    if (name.empty()) throw;
    throw UsageError(concat(error.what(), "; did you mean ", shown(name), "?"));
  }
}

}  // namespace gloss
