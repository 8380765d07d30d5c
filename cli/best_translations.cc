// SPDX-License-Identifier: Apache-2.0

#include "cli/best_translations.h"

#include <optional>
#include <vector>

#include "base/counted.h"
#include "base/error.h"
#include "base/lines.h"
#include "pipeline/inference/n_best_reader.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

/// Scores the translations of a line, one after the other, and keeps the best.
class BestOfLine {
 public:
  explicit BestOfLine(const Metric& metric)
      : metric_(metric), comparer_(metric.comparer()), figures_(metric.figures()) {}

  void begin(const std::string& reference) {
    references_ = {clean_text(reference, Normalization::none).text};
    comparer_->set_references(references_);
    best_.reset();
  }
  void add(const std::string& translation) {
    comparer_->compare(clean_text(translation, Normalization::none).text, figures_);
    const double score = metric_.score(figures_);
    const bool better = !best_ || (metric_.lower_is_better() ? score < *best_ : score > *best_);
    if (!better) return;
    best_ = score;
    text_ = translation;
  }
  const std::string& text() const { return text_; }

 private:
  const Metric& metric_;
  std::unique_ptr<Comparer> comparer_;
  std::vector<double> figures_;
  std::vector<std::string> references_;
  std::optional<double> best_;
  std::string text_;
};

}  // namespace

void write_best_translations(const std::string& reference, const std::string& list, const Metric& metric,
                             Output& out) {
  const auto lines = std::ssize(read_lines(reference));
  NBestReader reader(reference, list);
  BestOfLine best(metric);
  SentencePair pair;  // a reference and a translation
  std::int64_t line = -1, read = 0;
  const auto missing = [&](const std::string& place, std::int64_t found) {
    return InputError(concat(
        place, ": ", found < line ? "line " : "no translation of line ", found < line ? found : line + 1,
        found < line ? concat(" follows line ", line) : "", " (counted from 0); expected all lines of ",
        input_name(reference), ", in order, as 'gloss translate --n-best' writes them"));
  };
  while (reader.next(pair)) {
    const std::int64_t found = reader.take_entry().line;
    ++read;
    if (found != line) {
      if (found != line + 1) throw missing(reader.place(read), found);
      if (line >= 0) out.line(best.text());
      best.begin(pair.source);
      line = found;
    }
    best.add(pair.target);
  }
  if (line + 1 < lines) throw missing(input_name(list), lines);
  if (line >= 0) out.line(best.text());
}

}  // namespace gloss
