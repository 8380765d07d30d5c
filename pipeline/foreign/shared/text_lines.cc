// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/shared/text_lines.h"

#include <algorithm>

#include "base/error.h"
#include "base/mapped_file.h"
#include "base/text.h"

namespace gloss {
namespace {

constexpr std::size_t kMostBytes = 64 << 20;  // a vocabulary of a million pieces

}  // namespace

std::vector<std::string> text_lines(const std::string& path) {
  // Mapped, since models of others may contain pipes and devices, which would have no end.
  const MappedFile file(path);
  if (file.text().size() > kMostBytes) {
    throw InputError(concat(path, " has ", file.text().size(), " bytes; expected at most ", kMostBytes));
  }
  std::vector<std::string> lines = split(std::string(file.text()), '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  // Lines from Windows end with a carriage return, which may also be a piece itself.
  const bool windows =
      std::ranges::all_of(lines, [](const std::string& line) { return line.ends_with('\r'); });
  for (std::string& line : lines) {
    if (line.ends_with('\r') && (windows || line.size() > 1)) line.pop_back();
  }
  return lines;
}

}  // namespace gloss
