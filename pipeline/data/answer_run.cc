// SPDX-License-Identifier: Apache-2.0

#include "pipeline/data/answer_run.h"

#include <sys/stat.h>

#include <utility>

#include "base/error.h"
#include "base/packer.h"
#include "base/text.h"

namespace gloss {
namespace {

// Each note waits for the disk twice.
constexpr std::chrono::seconds kBetweenNotes(1);

/// True if the output can be continued: it is, or will be, a regular file without compression.
bool can_continue(const std::string& path) {
  if (path == "-" || path.starts_with("/dev/") || path.starts_with("/proc/") || packer_for(path) != nullptr)
    return false;
  struct stat status {};
  return ::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

}  // namespace

AnswerRun::AnswerRun(const RunSettings& settings) : settings_(settings) {
  if (finished()) {
    items_ = before_.items = settings.finished_items;
    owned_ = std::make_unique<Output>();  // nothing is written
    output_ = owned_.get();
    return;
  }
  if (settings.identity.is_null() || !can_continue(settings.output)) {
    if (settings.resume) {
      throw UsageError(concat("--resume continues a file without compression; found ",
                              settings.output == "-" ? "standard output" : settings.output,
                              " (--output FILE names the file)"));
    }
    owned_ = std::make_unique<Output>(settings.output);
    output_ = owned_.get();
    return;
  }
  auto file = std::make_unique<ResumableFile>(settings.output);
  journal_ = std::make_unique<RunJournal>(settings.output);
  const std::string partial = ResumableFile::partial_path(settings.output);
  const std::int64_t size = file->size();
  const bool unfinished = size > 0 && (settings.resume ? journal_->exists() : journal_->has_progress());
  if (unfinished && !settings.resume) {
    throw UsageError(concat(partial, " is an unfinished output of ", size,
                            " bytes; continue it with --resume, or remove it"));
  }
  if (unfinished) {
    before_ = journal_->read(settings.identity, size);
    items_ = before_.items;
    journal_->go_on();
  } else {
    journal_->begin(settings.identity);
  }
  file->cut(before_.bytes);
  owned_ = std::make_unique<Output>(std::move(file));
  output_ = owned_.get();
}

AnswerRun::~AnswerRun() {
  if (journal_ != nullptr && !noted_ && before_.items == 0) journal_->remove();
}

void AnswerRun::expect_same_input() const {
  if (before_.items > 0 && sum_.text() != before_.input_sum) {
    refuse_input(concat("its first ", before_.items, " lines are others"));
  }
}

void AnswerRun::refuse_input(const std::string& what) const {
  throw InputError(concat("cannot continue ", ResumableFile::partial_path(settings_.output),
                          ": the input is not the one of the unfinished run: ", what));
}

void AnswerRun::written(std::int64_t items, const std::string& input_sum) {
  items_ = items;
  output_->flush();
  if (journal_ == nullptr) return;
  unnoted_ = {items, before_.bytes + output_->bytes(), input_sum};
  if (!noted_ || std::chrono::steady_clock::now() - noted_at_ >= kBetweenNotes) note_progress();
}

void AnswerRun::note_progress() {
  if (!unnoted_) return;
  output_->flush_to_disk();
  journal_->add(*unnoted_);
  unnoted_.reset();
  noted_ = true;
  noted_at_ = std::chrono::steady_clock::now();
}

void AnswerRun::begin() {
  if (!begun_ && settings_.begin) settings_.begin();
  begun_ = true;
}

std::string AnswerRun::farewell(const std::string& items) const {
  if (journal_ == nullptr) return concat("stopped after ", items);
  return concat("stopped after ", items, ", which are in ", ResumableFile::partial_path(settings_.output),
                "; the same command with --resume continues");
}

void AnswerRun::close() {
  if (finished()) return;
  output_->close();
  if (journal_ != nullptr) journal_->remove();
  journal_.reset();
}

}  // namespace gloss
