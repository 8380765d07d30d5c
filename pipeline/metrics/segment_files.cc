// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/segment_files.h"

#include "base/lines.h"
#include "base/text.h"
#include "base/transcoding.h"
#include "base/utf8.h"

namespace gloss {
namespace {

/// The lines as they are, with a note if they were converted.
std::vector<std::string> read_all(const std::string& path, Listener& listener) {
  LineReader reader(path);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  if (!reader.encoding().empty()) listener.note(conversion_note(reader.name(), reader.encoding()));
  return lines;
}

void replace_invalid(std::vector<std::string>& lines, const std::string& name, Listener& listener) {
  std::size_t damaged = 0, first_damaged = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_valid_utf8(lines[i])) continue;
    if (damaged++ == 0) first_damaged = i + 1;
    lines[i] = valid_utf8(lines[i]);
  }
  if (damaged == 0) return;
  listener.warn(concat(name, ": ", damaged, damaged == 1 ? " line is" : " lines are",
                       " not valid UTF-8 (first line ", first_damaged,
                       "); invalid bytes were replaced by U+FFFD"));
}

}  // namespace

std::vector<std::string> SegmentFiles::read(const std::string& path, Marks marks) {
  Listener silent;
  Listener& listener = reported_.insert(path).second ? listener_ : silent;
  std::vector<std::string> lines = read_all(path, listener);
  replace_invalid(lines, input_name(path), listener);
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (!lines.empty() && lines[0].starts_with(kMark)) {
    if (marks == Marks::remove) lines[0].erase(0, kMark.size());
    listener.warn(concat(input_name(path), " starts with a byte order mark, ",
                         marks == Marks::remove
                             ? "which was removed"
                             : "which is scored as part of the first word, as sacreBLEU does; --strip-bom "
                               "removes it"));
  }
  return lines;
}

}  // namespace gloss
