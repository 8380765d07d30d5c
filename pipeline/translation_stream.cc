#include "pipeline/translation_stream.h"

#include "base/error.h"
#include "base/text.h"
#include "pipeline/line_windows.h"

namespace gloss {
namespace {

/// Gathers what users should know about the lines of a run.
class Report {
 public:
  Report(std::string name, Listener& listener) : name_(std::move(name)), listener_(listener) {}

  /// `number` is counted from 1.
  void add(std::int64_t number, const TranslatedLine& line) {
    if (line.left_out > 0) {
      listener_.warn(concat(name_, ":", number, ": the line has ", line.source_tokens, " tokens; its last ",
                            line.left_out, " were left out, since no more than ",
                            line.source_tokens - line.left_out,
                            " are translated (--max-source-tokens, or the positions of the model)"));
    }
    const Translation& best = line.translations.front();
    invalid_.add(number, line.replaced);
    cut_.add(number, best.cut == Cut::by_length ? 1 : 0);
    stuck_.add(number, best.cut == Cut::by_rules ? 1 : 0);
    missing_.add(number, best.missing);
    ++totals_.lines;
    totals_.source_tokens += line.source_tokens - line.left_out;
    totals_.target_tokens += best.tokens;
  }

  TranslationTotals finish() const {
    if (invalid_.lines > 0) {
      listener_.warn(concat(name_, ": invalid UTF-8 ", invalid_.where(),
                            " was read as U+FFFD; sequences: ", invalid_.times));
    }
    if (cut_.lines > 0) {
      listener_.warn(
          concat(name_, ": translations were ended by the length limit ", cut_.where(),
                 " (--max-length-factor, --max-length; if they repeat themselves, --no-repeat-ngram)"));
    }
    if (stuck_.lines > 0) {
      listener_.warn(concat(name_, ": translations were ended since the rules left no token to go on with ",
                            stuck_.where(), " (--no-repeat-ngram, --ban, --lexicon)"));
    }
    if (missing_.lines > 0) {
      listener_.warn(concat(name_, ": required terms have no place in the translation ", missing_.where(),
                            "; terms: ", missing_.times));
    }
    return totals_;
  }

 private:
  std::string name_;
  Listener& listener_;
  Happening invalid_, cut_, stuck_, missing_;
  TranslationTotals totals_;
};

/// Errors name the file.
std::vector<TranslatedLine> translate_window(const Translator& translator,
                                             const std::vector<std::string>& window, std::int64_t first,
                                             const std::string& file,
                                             const std::function<void(int)>& finished) {
  try {
    return translator.translate(window, finished, first);
  } catch (const InputError& error) {
    throw InputError(concat(file, " ", error.what()));
  }
}

}  // namespace

TranslationTotals translate_stream(const Translator& translator, LineReader& reader,
                                   const TranslationSink& sink, Listener& listener) {
  Report report(reader.name(), listener);
  std::int64_t first = 0, done = 0;
  while (true) {
    const std::vector<std::string> window = next_window(reader);
    if (window.empty()) return report.finish();
    const std::vector<TranslatedLine> translated =
        translate_window(translator, window, first, reader.name(), [&](int lines) {
          done += lines;
          listener.progress({done, 0, "lines", ""});
        });
    sink(first, translated);
    for (const TranslatedLine& line : translated) report.add(++first, line);
  }
}

}  // namespace gloss
