// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <signal.h>

#include <array>
#include <string>

namespace gloss {

/// The signals that end a program and are handled.
inline constexpr std::array kEndingSignals{SIGINT, SIGTERM, SIGHUP};
/// The same as a set.
sigset_t ending_signals();

/// While it lives, signals do not end the program: between creating a directory and marking it, and while a
/// finished one gets its name. For moments only.
class EndDelayed {
 public:
  EndDelayed();
  ~EndDelayed();
  EndDelayed(const EndDelayed&) = delete;
  EndDelayed& operator=(const EndDelayed&) = delete;

 private:
  sigset_t before_;
};

/// Marks a new directory as useless in case a signal ends the program (remove_unfinished_directories). The
/// mark lasts as long as this object, or until `finish`.
class UnfinishedDirectory {
 public:
  /// With `with_files`, all files directly in it are removed too; otherwise only an empty directory is.
  UnfinishedDirectory(const std::string& path, bool with_files);
  UnfinishedDirectory() = default;
  ~UnfinishedDirectory() { finish(); }
  UnfinishedDirectory(UnfinishedDirectory&& other) noexcept;
  UnfinishedDirectory& operator=(UnfinishedDirectory&& other) noexcept;

  /// The directory stays from now on, or is already gone.
  void finish();

 private:
  int place_ = -1;  // in the table; -1: none
};

/// Removes all directories that are marked, once no EndDelayed is alive. True if there was one. Only for a
/// program that then ends; safe in signal handlers.
bool remove_unfinished_directories();

}  // namespace gloss
