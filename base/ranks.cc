// SPDX-License-Identifier: Apache-2.0

#include "base/ranks.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <limits>

#include "base/error.h"
#include "base/shown.h"
#include "base/text.h"

namespace gloss {

namespace {

/// The number in the first of these variables that is set.
int variable(std::initializer_list<const char*> names, int without) {
  for (const char* name : names) {
    const char* const text = std::getenv(name);
    if (text == nullptr) continue;
    int number = 0;
    if (parse_number(text, number) && number >= 0) return number;
    throw UsageError(concat("the environment variable ", name, " is ", shown(text),
                            "; expected a whole number up to ", std::numeric_limits<int>::max()));
  }
  return without;
}

}  // namespace

int launched_processes() { return variable({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1); }

int launched_rank() { return variable({"OMPI_COMM_WORLD_RANK", "PMI_RANK"}, 0); }

void Ranks::leave() {
  if (before_leaving_) before_leaving_();
  left_ = true;
  leave_job();
}

void throw_together(Ranks& ranks, const std::exception_ptr& failure) {
  const std::vector<std::string> outcomes = ranks.gather(failure ? "failed" : "");
  const auto lowest = std::find(outcomes.begin(), outcomes.end(), "failed");
  if (lowest == outcomes.end()) return;
  ranks.leave();
  if (lowest - outcomes.begin() == ranks.rank()) std::rethrow_exception(failure);
  throw OtherRankFailed();
}

void together(Ranks& ranks, const std::function<void()>& work) {
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  throw_together(ranks, failure);
}

std::string from_first(Ranks& ranks, const std::string& own) {
  return ranks.gather(ranks.first() ? own : "").front();
}

std::vector<std::string> gather_texts(Ranks& ranks, std::span<const std::string> own) {
  std::string packed;
  for (const std::string& text : own) packed += concat(text.size(), " ", text);
  std::vector<std::string> texts;
  for (const std::string& all : ranks.gather(packed)) {
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t space = all.find(' ', at);
      const std::size_t size = std::stoull(all.substr(at, space - at));
      texts.push_back(all.substr(space + 1, size));
      at = space + 1 + size;
    }
  }
  return texts;
}

bool on_any(Ranks& ranks, bool own) {
  double count = own ? 1 : 0;
  ranks.sum({&count, 1});
  return count > 0;
}

void sum_over(Ranks& ranks, const std::vector<std::int64_t*>& counts) {
  std::vector<double> sums;
  for (const std::int64_t* count : counts) sums.push_back(static_cast<double>(*count));
  ranks.sum(sums);
  for (std::size_t i = 0; i < counts.size(); ++i) *counts[i] = static_cast<std::int64_t>(sums[i]);
}

int different_rank(Ranks& ranks, const std::string& own) {
  const std::vector<std::string> all = ranks.gather(own);
  const auto other =
      std::find_if(all.begin(), all.end(), [&](const std::string& text) { return text != all.front(); });
  return other == all.end() ? -1 : static_cast<int>(other - all.begin());
}

}  // namespace gloss
