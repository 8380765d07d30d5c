// SPDX-License-Identifier: Apache-2.0

#include "tests/extending/shorten.h"

#include <algorithm>
#include <vector>

#include "base/index.h"
#include "base/text.h"
#include "cli/lines/line_filter.h"
#include "cli/options/options.h"
#include "cli/process/terminal.h"
#include "tokenizer/text.h"

namespace gloss {

Fields fields_of(ShortenSettings& settings) {
  return {{"max_words", &settings.max_words, "number of words kept per line", {1, 1000}},
          {"mark", &settings.mark, "end shortened lines with an ellipsis"}};
}

namespace {

FilteredLine shortened(const std::string& line, const ShortenSettings& settings) {
  const CleanText clean = clean_text(line, Normalization::none);
  std::vector<std::string> words = split(clean.text, ' ');
  const std::size_t kept = std::min(words.size(), index(settings.max_words));
  const bool cut = kept < words.size();
  words.resize(kept);
  FilteredLine result;
  result.replaced = clean.replaced;
  result.text = join(words, " ") + (cut && settings.mark ? " ..." : "");
  return result;
}

struct ShortenRequest {
  ShortenSettings settings;
  LineFilterSettings lines;
};

void add_options(Options& options, ShortenRequest& request) {
  options.usage("[OPTION...] [FILE...] > TEXT", "keep the first words of each line");
  options.add("Shortening", fields_of(request.settings));
  options.add("Files and threads", line_filter_fields(request.lines, options));
  options.common({&request.settings.max_words, &request.settings.mark, &request.lines.output});
  options.example("Keep ten words per line", "gloss shorten --max-words 10 < text.en > short.en");
}

int shorten(const Options& options, ShortenRequest& request, Run& run) {
  run.join(request.lines.output, request.lines.input.shard);
  Terminal terminal("shorten", options.quiet(), run.first());
  const auto shorten_one = [&](const std::string& line, std::int64_t) {
    return shortened(line, request.settings);
  };
  filter_lines(request.lines, options, shorten_one, run, terminal);
  return 0;
}

}  // namespace

Work declare_shorten(Options& options) { return run_of<ShortenRequest>(options, add_options, shorten); }

}  // namespace gloss
