// SPDX-License-Identifier: Apache-2.0
// JSON texts: an accepted text equals what nlohmann-json reads, and is the same when written and read again.
#include "base/json.h"

#include "tests/fuzz/input_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gloss;
  const std::string_view text = as_text(data, size);
  for (const JsonLimits& limits : {kSettingsJson, kTensorsJson, kLineJson}) {
    read_untrusted([&] {
      const nlohmann::json value = parse_json(text, "input", limits);
      expects(value == nlohmann::json::parse(text), "the value differs from nlohmann-json's");
      expects(parse_json(json_line(value), "again", kTensorsJson) == value, "the value changes when written");
    });
  }
  return 0;
}
