// SPDX-License-Identifier: Apache-2.0

#include "model/networks/parts/norm_steps.h"

#include <numeric>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {

NormSteps::NormSteps(Parameters& parameters, const std::string& name, std::string steps, int width,
                     double epsilon)
    : steps_(std::move(steps)) {
  if (steps_.find('n') != std::string::npos)
    layer_norm_.emplace(parameters, name + ".layer_norm", width, NormKind{NormType::layer, epsilon});
  if (steps_.find('r') != std::string::npos)
    rms_norm_.emplace(parameters, name + ".rms_norm", width, NormKind{NormType::rms, epsilon});
}

Tensor NormSteps::operator()(const Tensor& y, const Tensor& input, const DropoutMask& mask) const {
  Tensor result = y;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    switch (steps_[i]) {
      case 'd': {
        if (i + 1 < steps_.size() && steps_[i + 1] == 'a') break;  // together with that
        std::vector<int> numbers(index(y.rows()));
        std::iota(numbers.begin(), numbers.end(), 0);
        result = dropout(result, mask, std::move(numbers));
        break;
      }
      case 'a':
        result = add_dropout(input, result, i > 0 && steps_[i - 1] == 'd' ? mask : DropoutMask{});
        break;
      case 'n':
        result = (*layer_norm_)(result);
        break;
      case 'r':
        result = (*rms_norm_)(result);
        break;
      default:
        throw BrokenPromise(concat("an unknown step of normalisation: ", steps_));
    }
  }
  return result;
}

}  // namespace gloss
