// SPDX-License-Identifier: Apache-2.0
// Operations of Neural Turing Machines.
#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "model/tensor/ops_turing.h"
#include "op_cases.h"

namespace gloss {
namespace {

constexpr MachineSizes kMachine{7, 5, 2, 1};
constexpr int kMachineSteps = 3;
constexpr std::int64_t kMachines = 3;

using Numbers = std::vector<double>;

/// One of the machines, as in the paper.
struct NaiveMachine {
  NaiveMachine() {
    for (Numbers& weights : of_heads) weights[0] = 1;
  }
  double similarity(const Numbers& key, std::size_t row) const {
    double product = 0, key_square = 1e-4, row_square = 1e-4;
    for (std::size_t c = 0; c < width; ++c) {
      product += key[c] * memory[row * width + c];
      key_square += key[c] * key[c];
      row_square += memory[row * width + c] * memory[row * width + c];
    }
    return product / std::sqrt(key_square * row_square);
  }
  /// Moves a head by its controls.
  void move(std::size_t head, const double* controls) {
    Numbers key(controls, controls + width);
    for (double& v : key) v = std::tanh(v);
    const double strength = std::log(1 + std::exp(controls[width])), gate = logistic(controls[width + 1]),
                 sharpness = 1 + std::log(1 + std::exp(controls[width + 5]));
    Numbers content(rows);
    double sum = 0, shift_sum = 0, power_sum = 0;
    for (std::size_t i = 0; i < rows; ++i) sum += content[i] = std::exp(strength * similarity(key, i));
    for (std::size_t s = 0; s < 3; ++s) shift_sum += std::exp(controls[width + 2 + s]);
    Numbers& weights = of_heads[head];
    Numbers mixed(rows), moved(rows, 0.0);
    for (std::size_t i = 0; i < rows; ++i) mixed[i] = gate * content[i] / sum + (1 - gate) * weights[i];
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t s = 0; s < 3; ++s) {  // shifts by -1, 0 and 1
        moved[i] += mixed[(i + rows + 1 - s) % rows] * std::exp(controls[width + 2 + s]) / shift_sum;
      }
    }
    for (std::size_t i = 0; i < rows; ++i) power_sum += weights[i] = std::pow(moved[i], sharpness);
    for (double& weight : weights) weight /= power_sum;
  }
  void step(const Numbers& controls) {
    const std::size_t address = index(kMachine.address_controls()), writes = index(kMachine.write_controls());
    for (std::size_t h = 0; h < heads; ++h) move(h, controls.data() + h * writes);
    for (const bool adds : {false, true}) {
      for (std::size_t h = 0; h < heads; ++h) {
        const double* erase = controls.data() + h * writes + address;
        for (std::size_t i = 0; i < rows * width; ++i) {
          const double weight = of_heads[h][i / width];
          if (adds) memory[i] += weight * erase[width + i % width];
          if (!adds) memory[i] *= 1 - weight * logistic(erase[i % width]);
        }
      }
    }
    for (std::size_t h = 0; h < heads; ++h) {
      move(heads + h, controls.data() + heads * writes + h * address);
    }
  }
  Numbers reads() const {
    Numbers all;
    for (std::size_t h = heads; h < 2 * heads; ++h) {
      for (std::size_t c = 0; c < width; ++c) {
        double sum = 0;
        for (std::size_t i = 0; i < rows; ++i) sum += of_heads[h][i] * memory[i * width + c];
        all.push_back(sum);
      }
    }
    return all;
  }

  std::size_t rows = index(kMachine.rows), width = index(kMachine.width), heads = index(kMachine.heads);
  Numbers memory = Numbers(rows * width, 0.0);
  std::vector<Numbers> of_heads = std::vector<Numbers>(2 * heads, Numbers(rows, 0.0));
};

/// The machines after all steps, each with its row of the inputs as controls.
std::vector<NaiveMachine> naive_machines(const Inputs& in) {
  std::vector<NaiveMachine> all(index(kMachines));
  for (const Tensor& controls : in) {
    for (std::int64_t row = 0; row < kMachines; ++row) {
      Numbers of_row;
      for (std::int64_t c = 0; c < controls.columns(); ++c) of_row.push_back(at(controls, row, c));
      all[index(row)].step(of_row);
    }
  }
  return all;
}

Numbers naive_machine_states(const Inputs& in) {
  Numbers y;
  for (const NaiveMachine& machine : naive_machines(in)) {
    const Numbers reads = machine.reads();
    y.insert(y.end(), machine.memory.begin(), machine.memory.end());
    for (const Numbers& weights : machine.of_heads) y.insert(y.end(), weights.begin(), weights.end());
    y.insert(y.end(), reads.begin(), reads.end());
  }
  return y;
}

Numbers naive_machine_reads(const Inputs& in) {
  Numbers y;
  for (const NaiveMachine& machine : naive_machines(in)) {
    const Numbers reads = machine.reads();
    y.insert(y.end(), reads.begin(), reads.end());
  }
  return y;
}

Tensor machine_states(const Inputs& in) {
  Tensor states = first_machine_states(kMachine, kMachines);
  for (const Tensor& controls : in) states = machine_step(kMachine, controls, states);
  return states;
}

}  // namespace

std::vector<OpCase> turing_op_cases() {
  const std::vector<Shape> controls(index(kMachineSteps), Shape{kMachines, kMachine.controls()});
  return {
      {"machine_steps", controls, kMachineSteps, machine_states, naive_machine_states, kMachineSteps, true},
      {"machine_reads", controls, kMachineSteps,
       [](const Inputs& in) { return machine_reads(kMachine, machine_states(in), in[0].dtype()); },
       naive_machine_reads, kMachineSteps}};
}

}  // namespace gloss
