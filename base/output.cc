// SPDX-License-Identifier: Apache-2.0

#include "base/output.h"

#include <unistd.h>

#include <cerrno>
#include <exception>
#include <utility>

#include "base/descriptors.h"
#include "base/error.h"
#include "base/exclusive_file.h"
#include "base/packer.h"
#include "base/terminal_dialogue.h"

namespace gloss {
namespace {

constexpr std::size_t kBuffer = 1 << 16;

}  // namespace

Output::Output(const std::string& path) : packer_(packer_for(path)) {
  if (path != "-") file_ = std::make_unique<ExclusiveFile>(path);
}

Output::Output(std::unique_ptr<OutputFile> file) : file_(std::move(file)) {}

Output::~Output() {
  if (!file_) return;
  try {
    if (packer_) send(packer_->finish());  // so that the incomplete text can be unpacked
  } catch (const std::exception&) {
    // The failure that ends the run is reported, not this one.
  }
  file_->keep_incomplete();
}

void Output::write(std::string_view bytes) {
  buffer_ += bytes;
  bytes_ += std::ssize(bytes);
  if (buffer_.size() >= kBuffer) flush();
}

void Output::flush() {
  const std::string text = std::exchange(buffer_, "");
  send(packer_ ? packer_->pack(text) : text);
}

void Output::flush_to_disk() {
  flush();
  if (file_) file_->finish();
}

void Output::close() {
  flush();
  if (packer_) send(packer_->finish());
  packer_.reset();
  if (!file_) return;
  file_->finish();
  file_->give_name();
  file_.reset();
}

void Output::send(std::string_view bytes) {
  if (!file_ && !bytes.empty()) begin_dialogue(STDOUT_FILENO);
  if (file_ ? file_->write(bytes) : write_all(STDOUT_FILENO, bytes)) return;
  if (errno == EPIPE) throw ClosedPipe();
  if (file_) fail_to_write(file_->path());
  throw Error(concat("cannot write standard output: ", system_message()));
}

}  // namespace gloss
