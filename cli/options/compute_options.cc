// SPDX-License-Identifier: Apache-2.0

#include "cli/options/compute_options.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"

namespace gloss {

Field threads_field(int& threads) {
  return {"threads", &threads, "number of threads", {1, 1024}, 'j', "N", kAllProcessors};
}

void fit_threads(int& threads, Listener& listener) {
  const int fitting = startable_threads(threads);
  if (fitting == threads) return;
  const std::int64_t limit = address_space_limit();
  const std::string why = limit > 0 ? concat("the memory limit (ulimit -v) is ", limit >> 20, " MiB")
                                    : "the system starts no more";
  listener.warn(concat("--threads ", threads, ": only ", fitting,
                       fitting == 1 ? " thread is" : " threads are", " used: ", why));
  threads = fitting;
}

Field precision_field(Precision& precision) {
  return {"precision", translation_precision_choice(precision),
          "numeric precision of the computation; auto: as the model is stored (see gloss quantize), or f32 "
          "if the "
          "processor cannot"};
}

}  // namespace gloss
