// SPDX-License-Identifier: Apache-2.0

#include "cli/compute_options.h"

namespace gloss {

Field threads_field(int& threads) {
  return {"threads", &threads, "number of threads", {1, 1024}, 'j', "N", kAllProcessors};
}

Field precision_field(Precision& precision) {
  return {"precision", translation_precision_choice(precision),
          "numeric precision of the computation; auto: as the model is stored (see gloss quantize)"};
}

}  // namespace gloss
