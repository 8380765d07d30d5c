// SPDX-License-Identifier: Apache-2.0

#include "pipeline/records/two_passes.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/lines.h"
#include "base/text.h"

namespace gloss {
namespace {

constexpr std::size_t kBuffer = 1 << 20;

void append_sized(std::string& bytes, std::string_view text) {
  const auto size = static_cast<std::uint64_t>(text.size());
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes += text;
}

}  // namespace

TwoPasses::TwoPasses(const RecordFiles& files)
    : files_(files), before_(states()), reader_(std::make_unique<RecordReader>(files)) {
  if (std::ranges::any_of(files.paths(), opening_waits))
    copy_ = std::make_unique<NamelessFile>(temporary_folder());
  header_lines_ = files.tsv.empty() || reader_->columns().names.empty() ? 0 : 1;
}

std::vector<std::pair<std::string, TwoPasses::State>> TwoPasses::states() const {
  std::vector<std::pair<std::string, State>> states;
  for (const std::string& path : files_.paths()) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    states.push_back({path, {status.st_size, status.st_mtim}});
  }
  return states;
}

void TwoPasses::expect_unchanged() const {
  const auto after = states();
  for (std::size_t i = 0; i < before_.size(); ++i) {
    const auto same = [](const State& a, const State& b) {
      return a.first == b.first && a.second.tv_sec == b.second.tv_sec && a.second.tv_nsec == b.second.tv_nsec;
    };
    if (i < after.size() && same(before_[i].second, after[i].second)) continue;
    throw InputError(concat(before_[i].first, " was changed while it was read; start again"));
  }
}

bool TwoPasses::available(std::chrono::steady_clock::time_point until) {
  return (second_ && copy_ != nullptr) || reader_->available(until);
}

bool TwoPasses::next(PairRecord& record) {
  if (second_ && copy_ != nullptr) return next_kept(record);
  if (!reader_->next(record)) return false;
  if (copy_ != nullptr) keep(record);
  return true;
}

void TwoPasses::keep(const PairRecord& record) {
  append_sized(buffer_, concat(record.line, record.cut ? " cut" : ""));
  for (const std::string* const text : {&record.source, &record.target, &record.broken})
    append_sized(buffer_, *text);
  append_sized(buffer_, std::to_string(record.other.size()));
  for (const std::string& column : record.other) append_sized(buffer_, column);
  if (buffer_.size() < kBuffer) return;
  copy_->append(buffer_);
  buffer_.clear();
}

void TwoPasses::rewind() {
  second_ = true;
  if (copy_ == nullptr) {
    reader_ = std::make_unique<RecordReader>(files_);
    return;
  }
  copy_->append(buffer_);
  buffer_.clear();
}

/// The next text of the copy.
std::string TwoPasses::take() {
  const auto need = [&](std::size_t bytes) {
    if (buffer_.size() - taken_ >= bytes) return true;
    buffer_.erase(0, taken_);
    taken_ = 0;
    const std::size_t before = buffer_.size();
    buffer_.resize(std::max(bytes, kBuffer));
    const std::size_t got = copy_->read(position_, std::span(buffer_).subspan(before));
    position_ += static_cast<std::int64_t>(got);
    buffer_.resize(before + got);
    return buffer_.size() >= bytes;
  };
  std::uint64_t size = 0;
  if (!need(sizeof size)) return "";
  std::memcpy(&size, buffer_.data() + taken_, sizeof size);
  taken_ += sizeof size;
  need(size);
  std::string text = buffer_.substr(taken_, size);
  taken_ += size;
  return text;
}

bool TwoPasses::next_kept(PairRecord& record) {
  const std::string line = take();
  if (line.empty()) return false;
  record.cut = line.ends_with(" cut");
  parse_number(std::string_view(line).substr(0, line.find(' ')), record.line);
  for (std::string* const text : {&record.source, &record.target, &record.broken}) *text = take();
  std::size_t columns = 0;
  parse_number(std::string_view(take()), columns);
  record.other.resize(columns);
  for (std::string& column : record.other) column = take();
  return true;
}

}  // namespace gloss
