// SPDX-License-Identifier: Apache-2.0

#include "pipeline/runs/run_journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/descriptors.h"
#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/output_file.h"
#include "base/paths.h"
#include "base/resumable_file.h"
#include "base/shown.h"
#include "base/text.h"

namespace gloss {
namespace {

using Json = nlohmann::json;

constexpr int kJournalFormat = 3;

const Json& member_of(const Json& object, const char* name) {
  if (!object.contains(name)) throw InputError(concat("has no member ", shown(name)));
  return object.at(name);
}

std::int64_t count_in(const Json& line, const char* name) {
  const Json& value = member_of(line, name);
  if (!value.is_number_integer() || value.get<std::int64_t>() < 0) {
    throw InputError(concat("member ", shown(name), " is ", json_line(value), "; expected a count"));
  }
  return value.get<std::int64_t>();
}

std::string text_in(const Json& line, const char* name) {
  const Json& value = member_of(line, name);
  if (!value.is_string()) {
    throw InputError(concat("member ", shown(name), " is ", json_line(value), "; expected a text"));
  }
  return value.get<std::string>();
}

FileStart start_of(const Json& start, const char* name) {
  if (!start.is_object()) {
    throw InputError(concat("member ", shown(name), " is ", json_line(start), "; expected an object"));
  }
  return {count_in(start, "bytes"), text_in(start, "sum")};
}

/// Of the further outputs; none if there is no such member.
std::vector<FileStart> further_in(const Json& line) {
  std::vector<FileStart> starts;
  if (!line.contains("further")) return starts;
  if (!line.at("further").is_array()) throw InputError("member 'further' is no array");
  for (const Json& start : line.at("further")) starts.push_back(start_of(start, "further"));
  return starts;
}

Json json_of(const FileStart& start) { return {{"bytes", start.bytes}, {"sum", start.sum}}; }

RunProgress progress_in(const std::string& text, const std::string& where) {
  try {
    const Json line = parse_json(text, where);
    if (!line.is_object()) throw InputError("expected an object");
    return {count_in(line, "items"), start_of(member_of(line, "output"), "output"), text_in(line, "input"),
            further_in(line), line.contains("complete") && line.at("complete") == Json(true)};
  } catch (const InputError& error) {
    throw InputError(concat(where, ": ", error.what()));
  }
}

/// The name of a member, of an option as on the command line.
std::string shown_name(const std::string& prefix, std::string name) {
  if (!prefix.ends_with("options.")) return prefix + name;
  std::ranges::replace(name, '_', '-');
  return "--" + name;
}

}  // namespace

std::string differences(const Json& before, const Json& now, const std::string& prefix) {
  std::vector<std::string> found;
  const auto shown = [](const Json& object, const std::string& name) {
    return object.contains(name) ? json_line(object.at(name)) : std::string("nothing");
  };
  Json all = before;
  all.update(now);
  for (const auto& [name, value] : all.items()) {
    if (before.contains(name) && now.contains(name) && before.at(name) == now.at(name)) continue;
    const bool objects = before.contains(name) && before.at(name).is_object() && value.is_object();
    found.push_back(objects ? differences(before.at(name), now.at(name), prefix + name + ".")
                            : concat(shown_name(prefix, name), " was ", shown(before, name), " and is ",
                                     shown(now, name)));
  }
  return join(found, "; ");
}

RunJournal::RunJournal(const std::string& output) : path_(ResumableFile::partial_path(output) + ".run") {}

RunJournal::~RunJournal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool RunJournal::exists() const {
  std::error_code error;
  return std::filesystem::exists(path_, error);
}

bool RunJournal::has_progress() const {
  if (!exists()) return false;
  const std::string text = read_file(path_);
  return std::count(text.begin(), text.end(), '\n') > 1;  // the first line is not one of progress
}

RunProgress RunJournal::read(const Json& identity, std::int64_t output_bytes,
                             const std::vector<std::int64_t>& further_bytes) {
  std::vector<std::string> lines = split(read_file(path_), '\n');
  lines.pop_back();  // what follows the last '\n' is not whole
  if (lines.empty() && output_bytes > 0) {
    throw InputError(concat(path_, ": the record of an unfinished output has no whole line, so that its ",
                            output_bytes, " bytes cannot be continued; remove both to start again"));
  }
  if (lines.empty()) return {};
  const Json header = parse_json(lines.front(), path_ + ":1");
  if (!header.is_object() || !header.contains("run") || !header.at("run").is_object() ||
      !header.contains("format") || header.at("format") != kJournalFormat) {
    throw InputError(
        concat(path_, ":1: expected the record of an unfinished output (format ", kJournalFormat, ")"));
  }
  if (header.at("run") != identity) {
    throw InputError(concat("cannot continue: ", path_, " is of a run that gives another output: ",
                            differences(header.at("run"), identity, "")));
  }
  RunProgress last;
  kept_ = std::ssize(lines.front()) + 1;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const RunProgress next = progress_in(lines[i], concat(path_, ":", i + 1));
    const std::int64_t bytes = next.output.bytes;
    last.further.resize(further_bytes.size());
    if (next.further.size() != further_bytes.size()) {
      throw InputError(concat(path_, ":", i + 1, ": found ", next.further.size(),
                              " further outputs, expected ", further_bytes.size()));
    }
    bool less = next.items < last.items || bytes<last.output.bytes, missing = bytes> output_bytes;
    for (std::size_t j = 0; j < further_bytes.size(); ++j) {
      less |= next.further[j].bytes < last.further[j].bytes;
      missing |= next.further[j].bytes > further_bytes[j];
    }
    if (less) {
      throw InputError(concat(path_, ":", i + 1, ": found ", next.items, " items and ", bytes,
                              " bytes after ", last.items, " and ", last.output.bytes,
                              ", or fewer bytes of a further output"));
    }
    if (missing) {
      if (last.items > 0) break;
      throw InputError(concat(path_, ":", i + 1, ": the unfinished output had ", bytes,
                              " bytes when this was written, and now has ", output_bytes,
                              "; remove the record to start again"));
    }
    last = next;
    kept_ += std::ssize(lines[i]) + 1;
  }
  return last;
}

std::optional<RunProgress> RunJournal::completed(const Json& identity) const {
  if (!exists()) return std::nullopt;
  std::vector<std::string> lines = split(read_file(path_), '\n');
  lines.pop_back();
  if (lines.size() < 2) return std::nullopt;
  try {
    const Json header = parse_json(lines.front(), path_ + ":1");
    if (!header.is_object() || !header.contains("run") || header.at("run") != identity) return std::nullopt;
    const RunProgress last = progress_in(lines.back(), concat(path_, ":", lines.size()));
    return last.complete ? std::optional(last) : std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;  // `read` names what is damaged
  }
}

void RunJournal::begin(const Json& identity) {
  open(O_CREAT | O_TRUNC);
  write(json_line({{"format", kJournalFormat}, {"run", identity}}));
}

void RunJournal::go_on() {
  open(0);
  if (::ftruncate(descriptor_, kept_) != 0) fail_to_write(path_);
}

void RunJournal::add(const RunProgress& progress) {
  Json line{{"items", progress.items}, {"output", json_of(progress.output)}, {"input", progress.input_sum}};
  for (const FileStart& start : progress.further) line["further"].push_back(json_of(start));
  if (progress.complete) line["complete"] = true;
  write(json_line(line));
}

void RunJournal::remove() {
  if (descriptor_ < 0 || same_file(descriptor_, path_)) ::unlink(path_.c_str());
}

void RunJournal::open(int flags) {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC | flags, 0666);
  if (descriptor_ < 0) fail_to_write(path_);
}

void RunJournal::write(const std::string& line) {
  if (!write_all(descriptor_, line + "\n") || ::fdatasync(descriptor_) != 0) fail_to_write(path_);
}

}  // namespace gloss
