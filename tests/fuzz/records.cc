// SPDX-License-Identifier: Apache-2.0
// Pairs of corpora: TSV, JSON lines, a translation memory. Every line of TSV and JSON is a record; each
// record that is cleaned by every preset is kept or rejected, and is valid UTF-8.
#include <algorithm>

#include "base/utf8.h"
#include "pipeline/cleaning/cleaner.h"
#include "pipeline/records/record_reader.h"
#include "tests/fuzz/input_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gloss;
  static const InputFile file;
  static const std::vector<Cleaner> cleaners = [] {
    std::vector<Cleaner> all;
    for (const CleaningPreset& preset : cleaning_presets()) {
      all.emplace_back(preset.plan(), std::vector<std::string>{"en", "fr"});
    }
    return all;
  }();
  file.fill(as_text(data, size));
  RecordFiles tsv{.tsv = file.path()}, json{.jsonl = file.path()}, tmx{.tmx = file.path()};
  for (RecordFiles* const files : {&tsv, &json, &tmx}) {
    read_untrusted([&] {
      files->skip_broken = true;
      files->max_line_bytes = 1 << 12;
      RecordReader reader(*files);
      constexpr int kMost = 200;
      int records = 0;
      for (PairRecord record; records < kMost && reader.next(record); ++records) {
        for (const Cleaner& cleaner : cleaners) {
          PairRecord cleaned = record;
          cleaner.clean(cleaned, false);
          expects(is_valid_utf8(cleaned.source) && is_valid_utf8(cleaned.target),
                  "a record that is no UTF-8");
          const std::string row = reader.columns().row(cleaned);
          expects(row.find('\n') == std::string::npos, "a row of two lines");
        }
      }
    });
  }
  return 0;
}
