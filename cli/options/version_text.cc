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
#include "pipeline/media/jpeg_reader.h"
#include "pipeline/media/log_mel.h"
#include "pipeline/media/png_reader.h"
#include "pipeline/media/recording.h"
#include "tokenizer/subword.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

std::string libraries() {
  return concat("oneDNN ", onednn_version(), ", SentencePiece ", sentencepiece_version(), ", ICU ",
                icu_version(), ", Boost ", option_parser_version(), ", nlohmann-json ",
                NLOHMANN_JSON_VERSION_MAJOR, ".", NLOHMANN_JSON_VERSION_MINOR, ".",
                NLOHMANN_JSON_VERSION_PATCH, ", ", packing_versions(), ", ", zip_version(), ", ",
                yaml_version(), ", gumbo ", gumbo_version(), ", libxml2 ", libxml2_version(), ", libpng ",
                png_version(), ", libjpeg-turbo ", jpeg_version(), ", libsndfile ", sndfile_version(),
                ", libsamplerate ", samplerate_version(), ", KISS FFT ", kissfft_version());
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

/// `further` are libraries.
std::string version_text(const std::string& further) {
  const std::optional<InstructionSet> limit = instruction_set_limit();
  return concat("gloss " GLOSS_VERSION "\nlibraries: ", libraries(), further,
                "\ninstruction sets: ", name_of(instruction_set()), " (gloss), ", onednn_instruction_set(),
                " (oneDNN)", limit ? concat(", limited by ", kMaxIsaVariable, "=", name_of(*limit)) : "",
                "\nbuilt with: ", compiler(), ", build type ", GLOSS_BUILD_TYPE, ", ", sanitizers(), "\n");
}

}  // namespace

std::string version_text() {
  const std::string mpi = mpi_version();
  return version_text(", " + (mpi.empty() ? "no MPI" : mpi));
}

std::string computing_version_text() { return version_text(""); }

}  // namespace gloss
