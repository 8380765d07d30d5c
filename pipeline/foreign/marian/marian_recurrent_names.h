// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// Names of the arrays of a recurrent network: those of the type s2s, or those of Nematus, which the types
/// amun and nematus have.
class MarianRecurrentNames {
 public:
  explicit MarianRecurrentNames(bool nematus) : nematus_(nematus) {}

  /// The cells of a network.
  struct Cell {
    bool decoder = false;
    bool both = false;       ///< of a layer in both directions, or of a stack for each direction
    bool backwards = false;  ///< of its second direction
    int layer = 0;           ///< from 0
    int number = 0;          ///< in the layer, from 0
  };
  /// `part`, such as U, of a cell.
  std::string of(const Cell&, const std::string& part) const;
  /// The array that the type s2s calls `name`.
  std::string of(const std::string& name) const;

 private:
  bool nematus_;
};

}  // namespace gloss
