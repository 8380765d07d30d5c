// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/training_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/paths.h"

namespace gloss {
namespace {

bool is_report(const std::string& line) {
  try {
    return parse_json(line, "", kLineJson).is_object();
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

void TrainingLog::append(const nlohmann::json& report) {
  append_text(path_, json_line(report) + "\n");
  ++lines_;
}

std::string TrainingLog::cut(std::int64_t lines) {
  lines_ = 0;
  std::int64_t found = 0;
  std::string kept;
  std::vector<std::string> garbled, problems;
  if (path_exists(path_)) {
    LineReader reader(path_, {.cuts = true});  // a line that was cut is no report
    for (std::string line; found < lines && reader.next(line);) {
      ++found;
      if (!is_report(line)) {
        garbled.push_back(std::to_string(found));
        continue;
      }
      kept += line + "\n";
      ++lines_;
    }
    write_file(path_, kept);
  }
  if (!garbled.empty()) problems.push_back("no reports in line " + join(garbled, ", "));
  if (found < lines) problems.push_back(concat("only ", found, " lines, expected ", lines));
  return problems.empty() ? "" : concat(path_, " has ", join(problems, " and "));
}

void TrainingLog::sync() const {
  const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return;  // nothing was reported yet
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace gloss
