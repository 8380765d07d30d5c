// SPDX-License-Identifier: Apache-2.0

#include "cli/options/version_text.h"

#include <nlohmann/json.hpp>

#include "base/lines.h"
#include "base/ranks.h"
#include "base/text.h"
#include "cli/options/option_parser.h"
#include "model/formats/yaml.h"
#include "model/formats/zip_archive.h"
#include "model/kernels/instruction_set.h"
#include "model/tensor/matmul.h"
#include "pipeline/documents/html_parser.h"
#include "pipeline/documents/xml_parser.h"
#include "pipeline/identification/cld2.h"
#include "pipeline/media/jpeg_reader.h"
#include "pipeline/media/log_mel.h"
#include "pipeline/media/png_reader.h"
#include "pipeline/media/recording.h"
#include "tokenizer/subword.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

std::string libraries() {
  return concat(
      "oneDNN ", onednn_version(), ", SentencePiece ", sentencepiece_version(), ", ICU ", icu_version(),
      ", Boost ", option_parser_version(), ", nlohmann-json ", NLOHMANN_JSON_VERSION_MAJOR, ".",
      NLOHMANN_JSON_VERSION_MINOR, ".", NLOHMANN_JSON_VERSION_PATCH, ", ", packing_versions(), ", ",
      zip_version(), ", ", yaml_version(), ", gumbo ", gumbo_version(), ", libxml2 ", libxml2_version(),
      ", libpng ", png_version(), ", libjpeg-turbo ", jpeg_version(), ", libsndfile ", sndfile_version(),
      ", libsamplerate ", samplerate_version(), ", KISS FFT ", kissfft_version(), ", CLD2 ", cld2_version());
}

std::string compiler() {
#if defined(__clang__)
  return "Clang " __clang_version__;
#else
  return "GCC " __VERSION__;
#endif
}

constexpr const char* sanitizers() {
#if defined(__SANITIZE_ADDRESS__)
  return "address and undefined-behaviour sanitizers";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  return "address and undefined-behaviour sanitizers";
#endif
#endif
  return "no sanitizers";
}

/// The text that cmake/commit.cmake writes into the linked program, padded with spaces.
[[gnu::section(".gloss_commit")]] const volatile char kCommit[80] = {};

/// "commit: HASH\n" if the program was built from a git checkout; else empty.
std::string commit_text() {
  std::string text;
  for (const volatile char& letter : kCommit) text += letter;
  return text.starts_with("commit") ? concat(trimmed(text), "\n") : "";
}

constexpr const char* kVersion = "gloss " GLOSS_VERSION "\n";

/// `further` are libraries.
std::string build_text(const std::string& further) {
  const std::optional<InstructionSet> limit = instruction_set_limit();
  return concat("libraries: ", libraries(), further, "\ninstruction sets: ", name_of(instruction_set()),
                " (gloss), ", onednn_instruction_set(), " (oneDNN)",
                limit ? concat(", limited by ", kMaxIsaVariable, "=", name_of(*limit)) : "",
                "\nbuilt with: ", compiler(), ", build type ", GLOSS_BUILD_TYPE, ", ", sanitizers(), "\n");
}

}  // namespace

std::string version_text() {
  const std::string mpi = mpi_version();
  return concat(kVersion, commit_text(), build_text(", " + (mpi.empty() ? "no MPI" : mpi)));
}

std::string computing_version_text() { return concat(kVersion, build_text("")); }

}  // namespace gloss
