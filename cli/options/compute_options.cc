// SPDX-License-Identifier: Apache-2.0

#include "cli/options/compute_options.h"

#include "base/index.h"
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
  constexpr std::size_t kOfThread = std::size_t{48} << 20;  // a stack and the memory for its work
  const bool lacks_memory = !addresses_are_left(kOfThread * index(fitting + 1));
  const std::string why =
      lacks_memory ? concat("the memory limit (ulimit -v) is ", address_space_limit() >> 20, " MiB")
                   : "the system starts no more (the limit of processes and threads is 'ulimit -u')";
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
