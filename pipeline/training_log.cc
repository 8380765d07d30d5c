#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/lines.h"
#include "pipeline/training_directory.h"

namespace gloss {

void TrainingLog::append(const nlohmann::json& report) {
  append_line(path_, json_line(report));
  ++lines_;
}

nlohmann::json TrainingLog::cut(std::int64_t lines) {
  lines_ = 0;
  if (!std::filesystem::exists(path_)) return nullptr;
  std::string kept, last;
  LineReader reader(path_);
  for (std::string line; lines_ < lines && reader.next(line); ++lines_) {
    kept += line + "\n";
    last = line;
  }
  write_file(path_, kept);
  return last.empty() ? nlohmann::json(nullptr) : parse_json(last, concat(path_, ":", lines_));
}

void TrainingLog::sync() const {
  const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return;  // nothing was reported yet
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace gloss
