// SPDX-License-Identifier: Apache-2.0
// Line-based inputs: n-best lists, word alignments, training logs, text to clean and split into words.
#include "pipeline/metrics/link_metric.h"
#include "pipeline/pages/logged_training.h"
#include "pipeline/reranking/n_best_list.h"
#include "tests/fuzz/input_file.h"
#include "tokenizer/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gloss;
  static const InputFile file;
  const std::string_view bytes = as_text(data, size);
  file.fill(bytes);
  read_untrusted([&] {
    const NBestEntry entry = parse_n_best(bytes);
    const NBestEntry again = parse_n_best(n_best_text(entry));
    expects(again.text == entry.text && again.line == entry.line,
            "an n-best entry changes when written and read again");
  });
  read_untrusted([&] { parse_links(bytes, 1, "links"); });
  read_untrusted([&] {
    Listener silent;
    read_logged_training(file.path(), "log", silent);
  });
  for (const Normalization form : {Normalization::none, Normalization::nfc, Normalization::nfkc}) {
    const CleanText clean = clean_text(bytes, form);
    expects(clean_text(clean.text, form).text == clean.text, "cleaning twice differs from cleaning once");
  }
  return 0;
}
