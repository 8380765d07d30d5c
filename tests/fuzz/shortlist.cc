// SPDX-License-Identifier: Apache-2.0
// Shortlists: those of gloss, and texts and binary files of Marian.
#include "pipeline/alignment/shortlist.h"

#include "tests/fuzz/input_file.h"
#include "tests/support/subword_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gloss;
  static const InputFile file;
  static const Subwords vocabulary = Subwords::from_bytes(cat_model(), "vocabulary");
  file.fill(as_text(data, size));
  for (const double threshold : {0.0, 0.5}) {
    read_untrusted([&] {
      const Shortlist list = Shortlist::read(file.path(), vocabulary, vocabulary, threshold);
      const std::vector<TokenId> tokens{0, 3, vocabulary.size() - 1};
      static_cast<void>(list.candidates(tokens, {.shortlist_first = 3, .shortlist_best = 5}, {2}));
    });
  }
  return 0;
}
