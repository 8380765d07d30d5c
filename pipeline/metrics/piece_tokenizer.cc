// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/piece_tokenizer.h"

#include <filesystem>

#include "base/error.h"
#include "pipeline/metrics/segment_words.h"
#include "tokenizer/subword.h"

namespace gloss {
namespace {

std::string checksum(const std::string& bytes) {
  std::uint32_t sum = 2166136261;  // FNV-1a
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 16777619;
  std::string text;
  for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[(sum >> shift) & 15];
  return text;
}

class PieceTokenizer : public WordTokenizer {
 public:
  explicit PieceTokenizer(const std::string& file)
      : subwords_(Subwords::load(file)), name_(std::filesystem::path(file).stem().string()) {
    for (char& c : name_) {
      if (c == '|' || c == ':') c = '_';  // the separators of signatures
    }
  }

  std::string signature() const override { return concat("spm-", name_, "-", checksum(subwords_.bytes())); }

  void tokenize(std::string_view line, std::string& out, std::vector<std::string_view>& words) override {
    out.clear();
    for (const std::string& piece : subwords_.encode_pieces(line)) {
      out += piece;
      out += ' ';
    }
    split_words(out, words);
  }

 private:
  Subwords subwords_;
  std::string name_;
};

}  // namespace

std::unique_ptr<WordTokenizer> make_piece_tokenizer(const std::string& model_file) {
  if (model_file.empty()) {
    throw UsageError("--tokenize spm needs a SentencePiece model: --spm-model FILE");
  }
  return std::make_unique<PieceTokenizer>(model_file);
}

}  // namespace gloss
