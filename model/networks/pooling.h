#pragma once

namespace gloss {

/// How the states of a row's tokens become one: that of the first or the last token, or of each number the
/// mean or the largest.
enum class Pooling { first, last, mean, max };

}  // namespace gloss
