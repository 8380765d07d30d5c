#include "pipeline/line_windows.h"

#include <chrono>
#include <thread>

#include "base/text.h"

namespace gloss {
namespace {

constexpr std::size_t kWindowLines = 8192;
constexpr std::size_t kWindowBytes = 1 << 20;

/// True if a line is there or comes within a blink, as it does where a fast program writes into a pipe.
bool comes_at_once(LineReader& reader) {
  if (reader.available()) return true;
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return reader.available();
}

}  // namespace

std::vector<std::string> next_window(LineReader& reader) {
  std::vector<std::string> window;
  std::size_t bytes = 0;
  std::string line;
  while (window.size() < kWindowLines && bytes < kWindowBytes && (window.empty() || comes_at_once(reader)) &&
         reader.next(line)) {
    bytes += line.size();
    window.push_back(std::move(line));
  }
  return window;
}

void Happening::add(std::int64_t line, std::int64_t times_on_line) {
  if (times_on_line == 0) return;
  if (lines++ == 0) first_line = line;
  times += times_on_line;
}

std::string Happening::where() const {
  return concat("on ", lines, lines == 1 ? " line (" : " lines (the first is ", "line ", first_line, ")");
}

}  // namespace gloss
