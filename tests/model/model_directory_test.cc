// SPDX-License-Identifier: Apache-2.0
// Files of a model, above all its weights.
#include "model/model_directory.h"

#include <algorithm>
#include <filesystem>

#include "base/index.h"
#include "model/formats/safetensors.h"
#include "written_model.h"

namespace gloss {
namespace {

using ModelDirectory = WrittenModel;

TEST_F(ModelDirectory, WritesWhatItReads) {
  for (const Weights use : {Weights::in_place, Weights::copied}) {
    const Model model = read_model(path(), use);
    TemporaryDirectory again;
    nlohmann::json others = read_model_config(path());
    write_model(again.path(), model.settings, *model.parameters, others);
    EXPECT_EQ(read_file(again.path() + "/model.safetensors"), weights_);
    EXPECT_EQ(read_file(again.path() + "/config.json"), config_);
  }
}

TEST_F(ModelDirectory, OddWidthsAreReadInEveryType) {
  NetworkSettings settings = saved_settings();
  settings.sizes.width = 10;
  settings.own<TransformerSettings>().feed_forward_width = 7;
  Parameters parameters;
  const auto network = make_network(settings, parameters);
  Random random(1);
  parameters.initialise(random);
  for (const DType type : {DType::f32, DType::bf16, DType::int8, DType::int4}) {
    write_model(path(), settings, parameters, {}, {}, type);
    EXPECT_EQ(message(), "") << name_of(type);
    if (!message().empty()) continue;
    const Model model = read_model(path(), Weights::in_place);
    const TemporaryDirectory again;
    write_model(again.path(), settings, *model.parameters, {}, {}, type);
    EXPECT_EQ(read_file(again / "model.safetensors"), read_file(weights_path())) << name_of(type);
  }
}

TEST_F(ModelDirectory, FourBitArraysMustFitTheirMatrix) {
  const NetworkSettings settings = small_settings();
  Parameters parameters;
  const auto network = make_network(settings, parameters);
  Random random(1);
  parameters.initialise(random);
  write_model(path(), settings, parameters, {}, {}, DType::int4);
  nlohmann::json config = read_model_config(path());
  config.erase("sums");  // they would refuse every change of the weights
  const std::string whole = read_file(weights_path());
  const std::string matrix = "decoder.0.feed_forward.inner.weight";  // [48, 32]
  const auto refused = [&](const std::string& name, DType type, const Shape& shape,
                           const std::string& expected) {
    directory_.write("model.safetensors", whole);
    const std::vector<char> zeros(1 << 12);
    const TemporaryDirectory other;
    {
      const SafetensorsFile file(weights_path());
      std::vector<NamedArray> arrays;
      for (const auto& [of, array] : file.arrays())
        arrays.push_back(of == name ? NamedArray{of, type, shape, zeros.data()} : array);
      AtomicFile changed(other / "weights");
      write_safetensors(changed, arrays);
      changed.commit();
    }
    directory_.write("model.safetensors", read_file(other / "weights"));
    directory_.write("config.json", config.dump());
    expect_refused("'" + name + "' has " + expected);
  };
  refused(matrix, DType::int4, {48, 15}, "shape [48, 15], expected [48, 16]");
  refused(matrix, DType::int4, {48, 32}, "shape [48, 32], expected [48, 16]");
  refused(matrix + ".scales", DType::bf16, {48, 2}, "shape [48, 2], expected [48, 1]");
  refused(matrix + ".scales", DType::f32, {48, 1}, "dtype F32, expected BF16");
  refused("decoder.0.feed_forward.inner.bias", DType::int4, {48}, "dtype U8, expected F32");
}

TEST_F(ModelDirectory, EveryTensorMustBeFiniteInEveryType) {
  const NetworkSettings settings = saved_settings();
  Parameters parameters;
  const auto network = make_network(settings, parameters);
  Random random(1);
  parameters.initialise(random);
  using namespace std::string_literals;
  const std::string not_numbers[][2] = {{"\x00\x00\xc0\x7f"s, "\xc0\x7f"s},   // NaN
                                        {"\x00\x00\x80\xff"s, "\x80\xff"s}};  // minus infinity
  int injected = 0;
  for (const DType type : {DType::f32, DType::bf16, DType::int8, DType::int4}) {
    write_model(path(), settings, parameters, {}, {}, type);
    ASSERT_EQ(message(), "");
    const std::string whole = read_file(weights_path());
    const SafetensorsFile file(weights_path());
    const char* const start = static_cast<const char*>(file.arrays().begin()->second.data);
    std::ptrdiff_t data = 0;  // of the first byte after the header
    for (const auto& [name, array] : file.arrays()) {
      data = std::min(data, static_cast<const char*>(array.data) - start);
    }
    std::size_t bytes = 0;
    for (const auto& [name, array] : file.arrays())
      bytes += index(array.shape.count()) * size_of(array.dtype);
    for (const auto& [name, array] : file.arrays()) {
      // These have only numbers; their scales are arrays of their own.
      if (array.dtype == DType::int8 || array.dtype == DType::int4) continue;
      for (const auto& not_number : not_numbers) {
        const std::size_t size = size_of(array.dtype);
        const auto offset = index(static_cast<const char*>(array.data) - start - data);
        const std::size_t last = whole.size() - bytes + offset + (index(array.shape.count()) - 1) * size;
        const std::string& number = not_number[array.dtype == DType::f32 ? 0 : 1];
        std::string changed = whole;
        changed.replace(last, size, number);
        directory_.write("model.safetensors", changed);
        expect_refused("'" + name + "' has values that are not finite");
        ++injected;
      }
    }
  }
  EXPECT_GT(injected, 100);
}

TEST_F(ModelDirectory, AMixOfTwoModelsIsRefused) {
  const TemporaryDirectory other;
  const NetworkSettings settings = saved_settings();
  Parameters parameters;
  const auto network = make_network(settings, parameters);
  Random random(2);
  parameters.initialise(random);
  write_model(other.path(), settings, parameters, {{"text", {{"normalization", "nfc"}}}});
  directory_.write("model.safetensors", other.read("model.safetensors"));
  expect_refused("model.safetensors");
  expect_refused("sums");
  directory_.write("config.json", other.read("config.json"));
  EXPECT_EQ(message(), "");
  std::string damaged = other.read("model.safetensors");
  damaged.back() = static_cast<char>(damaged.back() ^ 1);  // a number remains a number
  directory_.write("model.safetensors", damaged);
  expect_refused("XXH3-128");
}

TEST_F(ModelDirectory, AMissingFileIsNamed) {
  std::filesystem::remove(weights_path());
  expect_refused("model.safetensors");
  std::filesystem::remove(config_path());
  expect_refused("config.json");
}

TEST_F(ModelDirectory, EveryTruncationOfTheWeightsIsRefused) {
  for (std::size_t size = 0; size < weights_.size(); size += size < 2000 ? 13 : 997) {
    directory_.write("model.safetensors", weights_.substr(0, size));
    EXPECT_NE(message(), "") << "cut to " << size << " bytes";
  }
  directory_.write("model.safetensors", weights_ + "0123");
  expect_refused("bytes");
}

TEST_F(ModelDirectory, RandomChangesNeverCrash) {
  Random random(7);
  for (int round = 0; round < 3000; ++round) {
    const bool in_config = round % 3 == 0;
    std::string bytes = in_config ? config_ : weights_;
    const std::uint64_t reach = in_config ? bytes.size() : 3000;  // in weights: the header only
    for (std::uint64_t change = 0; change <= random.below(3); ++change) {
      bytes[random.below(reach)] = static_cast<char>(random.below(256));
    }
    directory_.write("config.json", in_config ? bytes : config_);
    directory_.write("model.safetensors", in_config ? weights_ : bytes);
    message();  // an InputError or a complete model; anything else ends the test
  }
}

TEST_F(ModelDirectory, HostileHeadersAreRefusedBeforeMemoryIsAllocated) {
  const std::string length(8, '\xff');
  directory_.write("model.safetensors", length + "{}");
  expect_refused("header length");
  write_header(
      R"({"a":{"dtype":"F32","shape":[9223372036854775807,9223372036854775807],"data_offsets":[0,4]}})",
      "0000");
  expect_refused("'a'");
  write_header(
      R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
      "0000");
  expect_refused("overlap");
  write_header(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", "0000");
  expect_refused("whole number");
  write_header(R"({"a":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})", "00000000");
  expect_refused("I64");
  write_header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", "00000000");
  expect_refused("gap");
  write_header(std::string(200, '['), "");
  expect_refused("nested");
  write_header("[]", "");
  expect_refused("not a JSON object");
}

TEST_F(ModelDirectory, RenamedAndResizedTensorsAreNamed) {
  std::string bytes = weights_;
  const std::string name = "decoder.0.feed_forward.inner.bias";
  bytes.replace(bytes.find(name), name.size(), "decoder.0.feed_forward.inner.bies");
  directory_.write("model.safetensors", bytes);
  expect_refused("decoder.0.feed_forward.inner.bies");
  nlohmann::json config = nlohmann::json::parse(config_);
  config["network"]["feed_forward_width"] = 16;
  directory_.write("config.json", config.dump());
  directory_.write("model.safetensors", weights_);
  expect_refused("feed_forward.inner");
}

}  // namespace
}  // namespace gloss
