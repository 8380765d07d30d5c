// SPDX-License-Identifier: Apache-2.0

#include "cli/commands/answer_output.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "base/json.h"
#include "base/text.h"
#include "pipeline/pages/alignment_page.h"

namespace gloss {
namespace {

constexpr int kWeightDigits = 4;

/// NUMBER=WEIGHT of the sentences that a hop read, from 1, the most read first.
std::string hop_text(const StoryAnswer& answer, int hop) {
  constexpr double kVisible = 0.01;
  std::vector<int> order(answer.sentences.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order,
                           [&](int a, int b) { return answer.weight(hop, a) > answer.weight(hop, b); });
  std::vector<std::string> parts;
  for (const int sentence : order) {
    const double weight = answer.weight(hop, sentence);
    if (weight >= kVisible) parts.push_back(concat(sentence + 1, "=", fixed_text(weight, kWeightDigits)));
  }
  return join(parts, " ");
}

std::string answer_line(const StoryAnswer& answer, const StoryOutput& form, bool explain) {
  if (answer.answers.empty()) return "";
  std::string text = answer.answers.front().label;
  const char* separator = "\t";
  for (std::size_t i = 0; form.scores && i < answer.answers.size(); ++i, separator = " ") {
    text += concat(separator, answer.answers[i].label, "=",
                   fixed_text(answer.answers[i].probability, kWeightDigits));
  }
  for (int hop = 0; explain && hop < answer.hops(); ++hop) text += "\t" + hop_text(answer, hop);
  return text;
}

nlohmann::json answer_json(std::int64_t number, const StoryAnswer& answer, bool explain) {
  nlohmann::json probabilities = nlohmann::json::array(), hops = nlohmann::json::array();
  for (const auto& [text, probability] : answer.answers) {
    probabilities.push_back({{"answer", text}, {"probability", probability}});
  }
  nlohmann::json object{{"line", number},
                        {"answer", answer.answers.empty() ? "" : answer.answers.front().label},
                        {"probabilities", std::move(probabilities)}};
  if (!explain) return object;
  const auto sentences = static_cast<std::ptrdiff_t>(answer.sentences.size());
  for (int hop = 0; hop < answer.hops(); ++hop) {
    const auto begin = answer.weights.begin() + hop * sentences;
    hops.push_back(std::vector<float>(begin, begin + sentences));
  }
  object["question"] = answer.question;
  object["sentences"] = answer.sentences;
  object["hops"] = std::move(hops);
  return object;
}

std::string answer_map(std::int64_t number, const StoryAnswer& answer) {
  if (answer.answers.empty()) return concat("question ", number, ": no words\n");
  constexpr int kWidestSentence = 60;
  std::vector<std::string> hops;
  WordAlignment map{answer.hops(), {}};
  for (int hop = 1; hop <= answer.hops(); ++hop) hops.push_back(concat("hop ", hop));
  for (std::size_t sentence = 0; sentence < answer.sentences.size(); ++sentence) {
    for (int hop = 0; hop < answer.hops(); ++hop) {
      map.weights.push_back(static_cast<float>(answer.weight(hop, static_cast<int>(sentence))));
    }
  }
  return concat("question ", number, ": ", answer.question, " ", answer.answers.front().label, "\n",
                heat_map_text(hops, answer.sentences, map, kWidestSentence));
}

}  // namespace

Fields fields_of(StoryOutput& form, ClassificationSettings& settings) {
  return {{"format", choice(form.format, {"text", "json", "map"}),
           "write lines of text or of JSON, or draw the weights of sentences with characters"},
          {"scores", &form.scores, "add the probabilities of all answers"},
          {"explain", &settings.explain, "add the weight of each sentence in each hop"}};
}

void check(const StoryOutput& form, const ClassificationSettings& settings) {
  if (form.scores && form.format != StoryOutput::Format::text) {
    throw UsageError("--scores is for --format text; json always has the probabilities, map has none");
  }
  if (form.format == StoryOutput::Format::map && !settings.explain) {
    throw UsageError("--format map draws what --explain computes; add --explain");
  }
}

void write_answer(std::int64_t number, const StoryAnswer& answer, const StoryOutput& form, bool explain,
                  Output& output) {
  switch (form.format) {
    case StoryOutput::Format::text:
      return output.line(answer_line(answer, form, explain));
    case StoryOutput::Format::json:
      return output.line(json_line(answer_json(number, answer, explain)));
    case StoryOutput::Format::map:
      return output.line(answer_map(number, answer));
  }
}

AlignedPair hops_of(const StoryAnswer& answer) {
  AlignedPair pair;
  if (answer.answers.empty()) return pair;
  pair.source = answer.sentences;
  pair.name = concat(answer.question, " ", answer.answers.front().label);
  pair.heads = 1;
  for (int hop = 1; hop <= answer.hops(); ++hop) pair.target.push_back(concat("hop ", hop));
  pair.maps.push_back({static_cast<int>(answer.sentences.size()), answer.weights});
  return pair;
}

}  // namespace gloss
