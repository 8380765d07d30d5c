// SPDX-License-Identifier: Apache-2.0
// The state that a training continues from: training.json, NUL, time.json.
#include "pipeline/training/checkpoint.h"

#include "tests/fuzz/input_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gloss;
  static const InputFolder folder("training.json", "time.json");
  const auto [record, time] = two_files(as_text(data, size));
  folder.first.fill(record);
  folder.second.fill(time);
  read_untrusted([&] {
    TrainingRecord read = read_training_record(folder.path());
    for (const Field& field : fields_of(read.state))
      expects(!field_text(field).empty(), field.name, " is empty");
  });
  return 0;
}
