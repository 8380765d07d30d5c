// SPDX-License-Identifier: Apache-2.0

#include "pipeline/runs/answer_run.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/file_to_write.h"
#include "base/packer.h"
#include "base/paths.h"
#include "base/text.h"

namespace gloss {
namespace {

// Each note waits for the disk twice.
constexpr std::chrono::seconds kBetweenNotes(1);

/// True if the output can be continued: it is, or will be, a regular file without compression.
bool can_continue(const std::string& path) { return !written_directly(path) && packer_for(path) == nullptr; }

/// The first output that cannot be continued; nothing: all can.
std::optional<FurtherOutput> written_from_start(const RunSettings& settings) {
  if (!can_continue(settings.output)) return FurtherOutput{"output", settings.output};
  for (const FurtherOutput& output : settings.further) {
    if (!can_continue(output.path)) return output;
  }
  return std::nullopt;
}

/// The checksum of an output. Inputs are read in other ways, which refuse an output (FilesInUse::refuse).
std::string sum_of_output(const std::string& path) {
  constexpr std::size_t kPart = 1 << 20;
  std::ifstream file(path, std::ios::binary);
  std::string part(kPart, '\0');
  Checksum sum;
  while (file.read(part.data(), std::ssize(part)), file.gcount() > 0) {
    sum.add(std::string_view(part).substr(0, static_cast<std::size_t>(file.gcount())));
  }
  return sum.text();
}

/// True if the file has its name, and this content.
bool has_name(const std::string& path, const FileStart& all) {
  std::error_code missing;
  return !std::filesystem::exists(ResumableFile::partial_path(path), missing) &&
         std::filesystem::file_size(path, missing) == static_cast<std::uintmax_t>(all.bytes) && !missing &&
         sum_of_output(path) == all.sum;
}

/// The size of an incomplete file; 0 if there is none.
std::int64_t unfinished_bytes(const std::string& path) {
  std::error_code missing;
  const auto bytes = std::filesystem::file_size(ResumableFile::partial_path(path), missing);
  return path.empty() || missing ? 0 : static_cast<std::int64_t>(bytes);
}

}  // namespace

AnswerRun::AnswerRun(const RunSettings& settings) : settings_(settings) {
  ended_unsaid_ = !finished() && complete_earlier_run();
  if (finished()) {
    items_ = before_.items = settings_.finished_items;
    owned_ = std::make_unique<Output>();  // nothing is written
    output_ = owned_.get();
  } else if (settings.identity.is_null() || written_from_start(settings)) {
    open_from_start();
  } else {
    open_resumable();
  }
}

bool AnswerRun::complete_earlier_run() {
  if (!settings_.resume || settings_.identity.is_null() || written_from_start(settings_)) return false;
  RunJournal journal(settings_.output);
  const std::optional<RunProgress> all = journal.completed(settings_.identity);
  if (!all || !has_name(settings_.output, all->output)) return false;  // the output gets its name first
  if (all->further.size() != settings_.further.size()) return false;
  for (std::size_t i = 0; i < all->further.size(); ++i) {
    const std::string& path = settings_.further[i].path;
    if (has_name(path, all->further[i])) continue;
    if (unfinished_bytes(path) != all->further[i].bytes) return false;
    auto file = std::make_unique<ResumableFile>(path);
    file->continue_after(all->further[i]);
    Output(std::move(file)).close();
  }
  journal.remove();
  settings_.finished_items = all->items;
  return true;
}

void AnswerRun::open_from_start() {
  if (settings_.resume) {
    const FurtherOutput found =
        written_from_start(settings_).value_or(FurtherOutput{"output", settings_.output});
    const std::string& path = found.path;
    throw UsageError(concat("--resume continues a file without compression; found ",
                            path == "-" ? "standard output" : path, " (--", found.option,
                            " FILE names the file)"));
  }
  owned_ = std::make_unique<Output>(settings_.output);
  output_ = owned_.get();
  for (const FurtherOutput& output : settings_.further)
    further_.push_back(std::make_unique<Output>(output.path));
}

void AnswerRun::open_resumable() {
  auto file = std::make_unique<ResumableFile>(settings_.output);
  journal_ = std::make_unique<RunJournal>(settings_.output);
  const std::int64_t size = file->size();
  std::vector<std::int64_t> further_sizes;
  for (const FurtherOutput& output : settings_.further)
    further_sizes.push_back(unfinished_bytes(output.path));
  if (size > 0 && !journal_->exists()) {
    throw UsageError(concat(ResumableFile::partial_path(settings_.output),
                            " exists, but not the record of an "
                            "unfinished output, ",
                            ResumableFile::partial_path(settings_.output),
                            ".run; remove it, or choose another output"));
  }
  const bool unfinished =
      journal_->has_progress() ? size > 0 || settings_.resume : size > 0 && settings_.resume;
  const auto refuse = [](const std::string& path, const std::string& what, std::int64_t bytes) {
    throw UsageError(concat(ResumableFile::partial_path(path), " is an unfinished ", what, " of ", bytes,
                            " bytes; continue it with --resume, or remove it"));
  };
  if (unfinished && !settings_.resume) refuse(settings_.output, "output", size);
  for (std::size_t i = 0; i < further_sizes.size() && !journal_->exists(); ++i) {
    if (further_sizes[i] > 0) refuse(settings_.further[i].path, "output of another run", further_sizes[i]);
  }
  if (unfinished) {
    before_ = journal_->read(settings_.identity, size, further_sizes);
    latest_ = before_;
    items_ = before_.items;
    journal_->go_on();
  } else {
    journal_->begin(settings_.identity);
  }
  file->continue_after(before_.output);
  file_ = file.get();
  owned_ = std::make_unique<Output>(std::move(file));
  output_ = owned_.get();
  before_.further.resize(settings_.further.size());
  for (std::size_t i = 0; i < settings_.further.size(); ++i) {
    auto further = std::make_unique<ResumableFile>(settings_.further[i].path);
    further->continue_after(before_.further[i]);
    further_files_.push_back(further.get());
    further_.push_back(std::make_unique<Output>(std::move(further)));
  }
}

AnswerRun::~AnswerRun() {
  // A file with content and no record would be refused by the next run.
  const bool nothing = !noted_ && before_.items == 0 && unfinished_bytes(settings_.output) == 0;
  if (journal_ != nullptr && nothing) journal_->remove();
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
  for (const auto& output : further_) output->flush();
  if (journal_ == nullptr) return;
  latest_ = {items, file_->written(), input_sum};
  for (const ResumableFile* const file : further_files_) latest_.further.push_back(file->written());
  unnoted_ = true;
  if (!noted_ || std::chrono::steady_clock::now() - noted_at_ >= kBetweenNotes) note_progress();
}

void AnswerRun::note_progress() {
  if (!unnoted_) return;
  output_->flush_to_disk();
  for (const auto& output : further_) output->flush_to_disk();
  journal_->add(latest_);
  unnoted_ = false;
  noted_ = true;
  noted_at_ = std::chrono::steady_clock::now();
}

void AnswerRun::begin() {
  if (!begun_ && settings_.begin) settings_.begin();
  begun_ = true;
}

std::string AnswerRun::opening() const {
  const bool anew = settings_.resume && journal_ != nullptr && before_.items == 0;
  if (!anew || !path_exists(settings_.output)) return "";
  return concat("--resume: there is no unfinished run to continue; ", settings_.output,
                " is replaced when the new run is complete");
}

std::string AnswerRun::farewell(const std::string& items) const {
  if (journal_ == nullptr) return concat("stopped after ", items);
  return concat("stopped after ", items, ", which are in ", ResumableFile::partial_path(settings_.output),
                "; the same command with --resume continues");
}

void AnswerRun::note_completion() {
  if (journal_ == nullptr) return;
  // What follows the answers would be written again by a run that continues here.
  if (before_.output.bytes + output_->bytes() != latest_.output.bytes) return;
  latest_.further.resize(further_.size());
  for (std::size_t i = 0; i < further_.size(); ++i) {
    if (before_.further[i].bytes + further_[i]->bytes() != latest_.further[i].bytes) return;
  }
  latest_.complete = unnoted_ = true;
  note_progress();
}

void AnswerRun::close() {
  if (finished()) return;
  note_completion();
  output_->close();
  for (const auto& output : further_) output->close();
  if (journal_ != nullptr) journal_->remove();
  journal_.reset();
}

}  // namespace gloss
