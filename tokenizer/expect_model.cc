// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/expect_model.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"

namespace gloss {
namespace {

/// True if the file begins like text: a model begins with lengths, which are control characters.
bool looks_like_text(std::string_view bytes) {
  const std::string_view begin = bytes.substr(0, 2000);
  return !begin.empty() && std::ranges::none_of(begin, [](char c) {
    return (c >= 0 && c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == '\x7f';
  });
}

/// True for lines "PIECE<tab>SCORE", which SentencePiece writes beside a model as FILE.vocab.
bool looks_like_piece_list(std::string_view bytes) {
  const std::string_view line = bytes.substr(0, bytes.find('\n'));
  const std::size_t tab = line.find('\t');
  double score = 0;
  return tab != std::string_view::npos && parse_number(std::string(line.substr(tab + 1)), score);
}

}  // namespace

void expect_model(std::string_view bytes, const std::string& path) {
  if (!looks_like_text(bytes)) return;
  const bool list = looks_like_piece_list(bytes);
  const std::string model = path.ends_with(".vocab") ? path.substr(0, path.size() - 6) + ".model" : "";
  throw InputError(concat(path, list ? " is a list of pieces and scores" : " is a text file",
                          ", expected a SentencePiece model: a binary file written by 'gloss vocab' or "
                          "SentencePiece",
                          model.empty() ? "" : concat(", such as ", model)));
}

}  // namespace gloss
