// SPDX-License-Identifier: Apache-2.0
// Images of all formats, and idx archives.
#include "model/formats/idx_archive.h"
#include "pipeline/media/image_file.h"
#include "tests/fuzz/input_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gloss;
  static const InputFile file;
  static const TemporaryDirectory folder;
  const std::string_view bytes = as_text(data, size);
  read_untrusted([&] { decode_image(bytes, "image"); });
  file.fill(bytes);
  read_untrusted([&] {
    Listener silent;
    const IdxArchive archive(file.path(), folder.path(), silent);
    if (archive.items() > 0) archive.item(archive.items() - 1);
  });
  return 0;
}
