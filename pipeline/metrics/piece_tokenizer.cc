// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/piece_tokenizer.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/terminal_text.h"
#include "tokenizer/subword.h"
#include "tokenizer/white_space.h"

namespace gloss {
namespace {

std::string checksum(const std::string& bytes) {
  std::uint32_t sum = 2166136261;  // FNV-1a
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 16777619;
  std::string text;
  for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[(sum >> shift) & 15];
  return text;
}

/// The models that sacreBLEU loads from the network, and where it keeps them in ~/.sacrebleu/models.
struct KnownModel {
  std::string_view tokenizer, address, kept_as;
};

constexpr KnownModel kKnownModels[] = {
    {"flores101", "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model",
     "sacrebleu_tokenizer_spm.model"},
    {"flores200",
     "https://dl.fbaipublicfiles.com/large_objects/nllb/models/spm_200/"
     "flores200_sacrebleu_tokenizer_spm.model",
     "flores200sacrebleuspm"},
    {"spBLEU-1K", "https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model",
     "spbleu-1k_tokenizer_spm.model"}};

const KnownModel* known_model(const std::string& tokenizer) {
  const auto* place = std::ranges::find(kKnownModels, tokenizer, &KnownModel::tokenizer);
  return place == std::end(kKnownModels) ? nullptr : place;
}

class PieceTokenizer : public WordTokenizer {
 public:
  PieceTokenizer(const std::string& name, const std::string& file)
      : subwords_(Subwords::load(file)), signature_(name) {
    if (known_model(name) != nullptr) return;  // sacreBLEU's signature
    std::string stem = terminal_text(std::filesystem::path(file).stem().string());
    for (char& c : stem) {
      if (c == '|' || c == ':') c = '_';  // the separators of signatures
    }
    signature_ = concat("spm-", stem, "-", checksum(subwords_.bytes()));
  }

  std::string signature() const override { return signature_; }

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
  std::string signature_;
};

}  // namespace

std::vector<std::string> piece_tokenizer_names() {
  std::vector<std::string> names{"spm"};
  for (const KnownModel& model : kKnownModels) names.emplace_back(model.tokenizer);
  return names;
}

std::unique_ptr<WordTokenizer> make_piece_tokenizer(const std::string& name, const std::string& file) {
  if (!file.empty()) return std::make_unique<PieceTokenizer>(name, file);
  if (const KnownModel* known = known_model(name)) {
    throw UsageError(concat("--tokenize ", name, " needs sacreBLEU's SentencePiece model: --tokenize ", name,
                            "=FILE. gloss loads nothing from the network; download ", known->address,
                            ", or take ~/.sacrebleu/models/", known->kept_as, " where sacreBLEU has run"));
  }
  throw UsageError(
      "--tokenize spm needs a SentencePiece model: --tokenize spm=FILE. What sacreBLEU calls spm is "
      "flores101: "
      "--tokenize flores101=FILE");
}

}  // namespace gloss
