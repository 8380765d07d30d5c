// SPDX-License-Identifier: Apache-2.0
// YAML: an accepted document has few values and can be printed.
#include "model/formats/yaml.h"

#include "tests/fuzz/input_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gloss;
  read_untrusted([&] {
    const nlohmann::json value = parse_yaml(as_text(data, size), "input.yml");
    const std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    expects(text.size() <= 100 + 20 * size, "a value of ", text.size(), " bytes from ", size);
  });
  return 0;
}
