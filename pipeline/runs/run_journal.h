// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/resumable_file.h"

namespace gloss {

/// How far a run over a stream of items came.
struct RunProgress {
  std::int64_t items = 0;            ///< finished and written
  FileStart output{};                ///< their bytes in the output
  std::string input_sum{};           ///< checksum of these items as they were read
  std::vector<FileStart> further{};  ///< their bytes in the further outputs
  bool complete = false;             ///< these are all items: the files only lack their names
};

/// The names of the members in which two objects differ, with both values, for messages.
std::string differences(const nlohmann::json& before, const nlohmann::json& now,
                        const std::string& prefix = "");

/// The file NAME.partial.run beside an unfinished output: what decides the output, and how far it is
/// complete. Lines of JSON: first the former, then one for each window of items. A line that was not written
/// whole is ignored.
class RunJournal {
 public:
  /// `output`: the path of the output.
  explicit RunJournal(const std::string& output);
  ~RunJournal();
  RunJournal(const RunJournal&) = delete;
  RunJournal& operator=(const RunJournal&) = delete;

  /// True if there is a journal of an earlier run.
  bool exists() const;
  /// True if that run has finished items.
  bool has_progress() const;
  /// The progress of the earlier run whose output and further outputs have so many bytes. Throws InputError
  /// if it was made with another `identity`, an object, and names the members that differ, or if the journal
  /// is damaged.
  RunProgress read(const nlohmann::json& identity, std::int64_t output_bytes,
                   const std::vector<std::int64_t>& further_bytes = {});
  /// The last line, if it is of a complete output of a run with this identity; nothing otherwise.
  std::optional<RunProgress> completed(const nlohmann::json& identity) const;
  /// Begins a new journal, in place of an old one. Throws Error.
  void begin(const nlohmann::json& identity);
  /// Goes on after the line of the progress that was read. Throws Error.
  void go_on();
  /// Adds a line and flushes it to disk. Throws Error.
  void add(const RunProgress&);
  /// Removes the file: the output is complete. One that another run has put in its place stays.
  void remove();

  const std::string& path() const { return path_; }

 private:
  void open(int flags);
  void write(const std::string& line);

  std::string path_;
  int descriptor_ = -1;
  std::int64_t kept_ = 0;  // bytes up to the line that was read
};

}  // namespace gloss
