#include "pipeline/training_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/files.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "checkpoint-";
constexpr std::string_view kPartial = ".partial";
/// Of a whole checkpoint while another one of the same update takes its name.
constexpr std::string_view kReplaced = ".replaced.partial";

/// The update in a name such as "checkpoint-000500"; -1 if it is none.
std::int64_t update_of(const std::string& name) {
  std::int64_t update = -1;
  if (!name.starts_with(kPrefix)) return -1;
  return parse_number(std::string_view(name).substr(kPrefix.size()), update) ? update : -1;
}

/// The names in a folder; none if there is no such folder.
std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    names.push_back(at->path().filename().string());
  }
  return names;
}

void remove_all(const std::string& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) throw Error(concat("cannot remove ", path, ": ", error.message()));
}

void rename(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) {
    throw Error(concat("cannot rename ", from, " to ", to, ": ", system_message()));
  }
}

}  // namespace

std::vector<Checkpoint> list_checkpoints(const std::string& directory) {
  std::vector<Checkpoint> found;
  for (const std::string& name : names_in(directory)) {
    const std::int64_t update = update_of(name);
    if (update >= 0) found.push_back({concat(directory, "/", name), update});
  }
  std::sort(found.begin(), found.end(),
            [](const Checkpoint& a, const Checkpoint& b) { return a.update < b.update; });
  return found;
}

std::string model_directory_of(const std::string& path) {
  std::error_code error;
  if (fs::exists(path + "/config.json", error)) return path;
  if (fs::exists(path + "/best/config.json", error)) return path + "/best";
  if (!list_checkpoints(path).empty()) {
    throw InputError(concat(path, " is a training that has validated no model yet; name ", path,
                            "/last to take its latest, or let it go on"));
  }
  if (!fs::exists(path, error))
    throw InputError(concat("there is no ", path, "; expected a model directory"));
  if (!fs::is_directory(path, error))
    throw InputError(concat(path, " is a file, expected a model directory"));
  throw InputError(concat(path, " is no model directory: it has no config.json"));
}

void expect_own_directory(const std::string& output, const std::vector<std::string>& sources) {
  std::error_code missing;
  for (const std::string& source : sources) {
    if (fs::equivalent(source, output, missing)) {
      throw UsageError(concat("--output ", output, " is one of the models to read; choose another --output"));
    }
  }
  if (fs::exists(output + "/training.json", missing) || !list_checkpoints(output).empty()) {
    throw UsageError(concat("--output ", output, " belongs to a training; choose another --output"));
  }
}

TrainingDirectory::TrainingDirectory(const std::string& path) : path_(path) {
  std::error_code unknown;
  if (fs::exists(path_ + "/config.json", unknown)) {
    throw UsageError(concat(path_,
                            " is a model directory: it has a config.json, and commands would go on to use ",
                            "that model; a training needs a directory of its own, choose another --output"));
  }
  make_writable_directory(path_);
  const std::string name = path_ + "/.lock";
  lock_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0) throw Error(concat("cannot write ", name, ": ", system_message()));
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    const bool taken = errno == EWOULDBLOCK;
    const std::string message = system_message();
    ::close(lock_);
    if (taken)
      throw Error(concat("another training is writing into ", path_,
                         "; wait for its end or choose another --output"));
    throw Error(concat("cannot lock ", name, ": ", message));
  }
  remove_leftovers();
}

TrainingDirectory::~TrainingDirectory() { ::close(lock_); }

void TrainingDirectory::remove_leftovers() {
  for (const std::string& name : names_in(path_)) {
    if (!name.ends_with(kPartial)) continue;
    if (name.starts_with(kPrefix) && name.ends_with(kReplaced)) {
      // A crash came before its successor had the name: it is what there is.
      const std::string original = concat(path_, "/", name.substr(0, name.size() - kReplaced.size()));
      if (!fs::exists(original)) {
        rename(concat(path_, "/", name), original);
        continue;
      }
    }
    const bool ours = name.starts_with(kPrefix) || name.starts_with("best.") || name.starts_with("last.") ||
                      name.starts_with("text.") || name.starts_with("train.log.jsonl.");
    if (ours) remove_all(concat(path_, "/", name));
  }
}

std::string TrainingDirectory::checkpoint_path(std::int64_t update) const {
  std::string digits = std::to_string(update);
  if (digits.size() < 6) digits.insert(0, 6 - digits.size(), '0');
  return concat(path_, "/", kPrefix, digits);
}

void TrainingDirectory::write_checkpoint(std::int64_t update,
                                         const std::function<void(const std::string&)>& write) {
  const std::string path = checkpoint_path(update);
  const std::string partial = path + std::string(kPartial);
  remove_all(partial);
  try {
    make_writable_directory(partial);
    write(partial);
  } catch (...) {
    std::error_code ignored;  // what went wrong first is what counts
    fs::remove_all(partial, ignored);
    throw;
  }
  sync_directory(partial);
  const std::string replaced = path + std::string(kReplaced);
  remove_all(replaced);
  if (fs::exists(path)) rename(path, replaced);
  rename(partial, path);
  sync_directory(path_);
  remove_all(replaced);
}

void TrainingDirectory::remove_checkpoint(const Checkpoint& checkpoint) {
  // Out of sight in one step, so that a crash leaves no half checkpoint under its name.
  const std::string removed = concat(checkpoint.path, ".removed", kPartial);
  remove_all(removed);
  rename(checkpoint.path, removed);
  remove_all(removed);
}

void TrainingDirectory::link(const std::string& name, std::int64_t update) {
  const std::string target = fs::path(checkpoint_path(update)).filename().string();
  const std::string path = concat(path_, "/", name);
  std::error_code error;
  if (fs::read_symlink(path, error) == target) return;
  replace_link(target, path);
}

void TrainingDirectory::clear() {
  for (const Checkpoint& checkpoint : checkpoints()) remove_checkpoint(checkpoint);
  for (const char* name : {"best", "last", "train.log.jsonl"}) remove_all(concat(path_, "/", name));
}

}  // namespace gloss
