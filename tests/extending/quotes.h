// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

namespace gloss {

/// A piece of C++ in the documentation: parts of one source file, in their order.
struct Quote {
  std::string file;  ///< path in the repository; empty: any file of tests/extending
  std::vector<std::string> parts;
};

/// A block between "```cpp" and "```" of a page.
struct CodeBlock {
  int line = 0;  ///< of its first line, counted from 1
  std::vector<Quote> quotes;
};

/// The blocks of C++ of a page. In a block, a line `// path/to/file.h` begins a quote from that file, and a
/// line `// ...` separates parts of it.
std::vector<CodeBlock> code_blocks(const std::string& page);

/// Lines without comments, blank lines and white space at the ends.
std::vector<std::string> code_lines(const std::string& text);

/// True if `text` has all parts one after the other, each as consecutive lines of code. Comments, blank lines
/// and the indentation of whole parts are ignored.
bool has_parts(const std::string& text, const std::vector<std::string>& parts);

}  // namespace gloss
