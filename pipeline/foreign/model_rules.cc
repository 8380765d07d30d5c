// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/model_rules.h"

#include <filesystem>

#include "base/error.h"
#include "base/paths.h"
#include "base/text.h"
#include "pipeline/foreign/file_errors.h"
#include "pipeline/foreign/hugging_face/hugging_face_weights.h"
#include "pipeline/foreign/model_kinds.h"

namespace gloss {

std::string first_reason(std::span<const ModelRule> rules, const Place& place) {
  for (const ModelRule rule : rules) {
    if (std::string reason = rule(place); !reason.empty()) return reason;
  }
  return "";
}

/// The first few of several names.
std::string some_of(std::vector<std::string> names) {
  constexpr std::size_t kMost = 3;
  if (names.size() > kMost) {
    names.resize(kMost);
    names.back() += " ...";
  }
  return join(names, ", ");
}

std::string not_downloaded_well(const Place& place) {
  if (place.names.empty()) return undownloaded(place.path);
  for (const std::string& name : place.names) {
    if (std::string reason = undownloaded(concat(place.path, "/", name)); !reason.empty()) return reason;
  }
  return "";
}

std::string checkpoint_alone(const Place& place) {
  if (!place.path.ends_with(".pt")) return "";
  return concat(place.path,
                " has no dictionaries in its directory (dict.LANGUAGE.txt); if it is a checkpoint of ",
                "fairseq, copy those of its training data to ", folder_of(place.path));
}

std::string packed(const Place& place) {
  const Place all = place.names.empty() ? Place{place.path, {place.path}} : place;
  const std::vector<std::string> found =
      all.ending({".zip", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".zst", ".7z"});
  if (found.empty()) return "";
  if (place.names.empty()) return place.path + " is packed; unpack it and give the directory of its files";
  return concat(place.path, " has ", some_of(found), "; unpack it first");
}

std::string unread_form(const Place& place) {
  const std::string name = std::filesystem::path(place.path).filename();
  const std::vector<std::string> found =
      unread_weights(place.names.empty() ? std::vector{name} : place.names);
  if (found.empty()) return "";
  const std::string what = place.names.empty() ? place.path : concat(place.path, " has ", some_of(found));
  return concat(what, ": gloss does not read this form of weights; ", expected_models());
}

}  // namespace gloss
