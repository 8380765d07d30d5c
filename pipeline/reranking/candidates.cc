// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reranking/candidates.h"

#include <utility>

#include "base/text.h"

namespace gloss {

std::size_t byte_count(const Candidates& candidates) {
  std::size_t bytes = 0;
  for (const NBestEntry& entry : candidates.entries) {
    bytes += entry.text.size() + entry.features.size() + entry.rest.size();
  }
  return bytes;
}

void add_to(Checksum& sum, const Candidates& candidates) {
  for (const NBestEntry& entry : candidates.entries) add_to(sum, n_best_text(entry));
}

CandidateReader::CandidateReader(const std::string& list) : reader_(list) {}

void CandidateReader::read_line() {
  std::string line;
  if (!reader_.next(line)) {
    ended_ = true;
    return;
  }
  try {
    pending_ = parse_n_best(line);
  } catch (const InputError& error) {
    throw InputError(concat(line_place(reader_.line_number()), ": ", error.what()));
  }
}

bool CandidateReader::next(Candidates& candidates) {
  if (!std::exchange(begun_, true)) read_line();
  if (ended_) return false;
  if (pending_.line != groups_) {
    throw InputError(concat(line_place(reader_.line_number()), ": found source line ", pending_.line,
                            ", expected ", groups_ > 0 ? concat(groups_ - 1, " or ") : "", groups_,
                            ": each source line needs a translation, in order"));
  }
  candidates.first_line = reader_.line_number();
  candidates.entries.clear();
  do {
    candidates.entries.push_back(std::move(pending_));
    read_line();
  } while (!ended_ && pending_.line == groups_);
  ++groups_;
  return true;
}

std::string CandidateReader::place(std::int64_t number) const {
  return concat(reader_.name(), ": source line ", number - 1);
}

}  // namespace gloss
