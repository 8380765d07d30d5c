// SPDX-License-Identifier: Apache-2.0
// Subword model files: SentencePiece loads every file that our own check accepts, and uses it without errors.
#include "tests/fuzz/input_file.h"
#include "tokenizer/subword.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gloss;
  read_untrusted([&] {
    const Subwords words = Subwords::from_bytes(std::string(as_text(data, size)), "input");
    Random random(1);
    for (const std::string text : {"the cat sat on the mat. ", "\xC3\xBC\xE4\xB8\xAD\xE2\x96\x81 x",
                                   "ﬁ  ①\tA", "the <s>cat's\n[MASK]"}) {
      const std::vector<int> ids = words.encode(text);
      for (const int id : ids)
        expects(id >= 0 && id < words.size(), "id ", id, " of ", words.size(), " pieces");
      const std::string back = words.decode(ids) + words.decode_pieces(words.encode_pieces(text));
      expects(back.find('\n') == std::string::npos, "decoded text has more than one line");
      read_untrusted([&] { words.sample(text, 0.5, random); });
    }
  });
  return 0;
}
