// SPDX-License-Identifier: Apache-2.0

#include "base/mapped_paths.h"

namespace gloss {
namespace {
thread_local MappedPaths* innermost = nullptr;
}  // namespace

MappedPaths::MappedPaths() : before_(innermost) { innermost = this; }

MappedPaths::~MappedPaths() { innermost = before_; }

void MappedPaths::add(const std::string& path) {
  for (MappedPaths* one = innermost; one != nullptr; one = one->before_) one->paths_.push_back(path);
}

}  // namespace gloss
