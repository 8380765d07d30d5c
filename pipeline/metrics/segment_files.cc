// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/segment_files.h"

#include "base/lines.h"
#include "base/text.h"
#include "base/transcoding.h"
#include "base/utf8.h"

namespace gloss {
namespace {

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
  LineReader reader(path);
  std::vector<std::string> lines = read_lines(reader);
  if (!reader.encoding().empty()) listener.note(conversion_note(reader.name(), reader.encoding()));
  replace_invalid(lines, reader.name(), listener);
  if (!lines.empty() && lines[0].starts_with(kByteOrderMark)) {
    if (marks == Marks::remove) lines[0].erase(0, kByteOrderMark.size());
    listener.warn(concat(reader.name(), " starts with a byte order mark, ",
                         marks == Marks::remove
                             ? "which was removed"
                             : "which is scored as part of the first word, as sacreBLEU does; --strip-bom "
                               "removes it"));
  }
  return lines;
}

}  // namespace gloss
