// SPDX-License-Identifier: Apache-2.0
// The module gloss_mpi.so: where the program looks for it, and what it says if the module cannot be used.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <iostream>

#include "base/files.h"
#include "tests/support/failure.h"
#include "tests/support/has.h"
#include "tests/support/line_models.h"
#include "tests/support/mpirun.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// The program in a folder of its own, bin, without the module.
struct MpiModuleFile : testing::Test {
  void SetUp() override {
    if (kMpirun == nullptr) {
      std::cerr << "gloss was built without MPI: the module gloss_mpi.so IS NOT TESTED\n";
      GTEST_SKIP() << "needs libopenmpi-dev and openmpi-bin, and a build after they were installed";
    }
    fs::create_directories(folder / "bin");
    fs::create_directories(folder / "lib/gloss");
    fs::copy_file(kGlossBinary, program);
    write_line_models(folder);
    folder.write("text", "the small dog\nthe cat\n\na dog\n");
  }
  static std::string built_module() {
    return (fs::path(kGlossBinary).parent_path() / "gloss_mpi.so").string();
  }
  std::string version() const { return run_program({program, "--version"}).output; }
  Words translate(const std::string& output) const {
    return {program, "translate", "-m", folder / "model", "--max-length", "12", "-i", folder / "text",
            "-j",    "1",         "-o", folder / output};
  }
  Words train() const {
    return {program,    "train",         "--source", folder / "text",
            "--target", folder / "text", "--output", folder / "run"};
  }
  static ProgramResult on_two_ranks(Words command) {
    command.insert(command.begin(), {kMpirun, "-n", "2"});
    let_mpirun_start_here();
    const ProgramResult result = run_program(command);
    detect_leaks_again();
    return result;
  }
  /// Runs a command as mpirun starts one of two processes.
  static ProgramResult as_rank(const Words& command) {
    return run_program(command, "", {"OMPI_COMM_WORLD_SIZE=2", "OMPI_COMM_WORLD_RANK=0"});
  }
  /// Expects that the program runs by itself, and as one of two processes says why it cannot.
  void expect_only_alone(const Words& parts) const {
    EXPECT_TRUE(has(version(), "no MPI")) << version();
    EXPECT_EQ(run_program(translate("alone")).status, 0);
    const ProgramResult answers = as_rank(translate("out"));
    expect_failure(answers, 2, parts);
    expect_failure(answers, 2, {"one of 2 processes", "--shard auto"});
    const ProgramResult training = as_rank(train());
    expect_failure(training, 1, parts);
    expect_failure(training, 1, {"one of 2 processes", "without mpirun"});
    EXPECT_FALSE(fs::exists(folder / "out"));
    EXPECT_FALSE(fs::exists(folder / "run"));
  }

  TemporaryDirectory folder;
  const std::string program = folder / "bin/gloss", beside = folder / "bin/gloss_mpi.so",
                    installed = folder / "lib/gloss/gloss_mpi.so";
};

TEST_F(MpiModuleFile, IsFoundBesideTheProgramOrInstalled) {
  const std::string with = run_program({kGlossBinary, "--version"}).output;
  ASSERT_FALSE(has(with, "no MPI")) << with;
  fs::copy_file(built_module(), beside);
  EXPECT_EQ(version(), with);
  fs::rename(beside, installed);
  EXPECT_EQ(version(), with);
}

TEST_F(MpiModuleFile, LetsInstalledRanksWriteOneOutput) {
  fs::copy_file(built_module(), installed);
  ASSERT_EQ(run_program(translate("alone")).status, 0);
  const ProgramResult ranks = on_two_ranks(translate("out"));
  ASSERT_EQ(ranks.status, 0) << ranks.errors;
  EXPECT_EQ(folder.read("out"), folder.read("alone"));
}

TEST_F(MpiModuleFile, MissingIsSaidOnce) {
  expect_only_alone({"built without MPI", folder / "bin", folder / "lib/gloss", "libopenmpi-dev"});
  for (const Words& command : {translate("out"), train()}) {
    const ProgramResult ranks = on_two_ranks(command);
    EXPECT_EQ(occurrences(ranks.errors, "one of 2 processes"), 1U) << ranks.errors;
  }
}

TEST_F(MpiModuleFile, DamagedIsRefused) {
  const std::string bytes = read_file(built_module());
  for (const std::string& damaged : {std::string(), std::string("text"), bytes.substr(0, bytes.size() / 2),
                                     std::string(bytes.size(), 'x')}) {
    folder.write("lib/gloss/gloss_mpi.so", damaged);
    expect_only_alone({installed, "install gloss again"});
  }
}

TEST_F(MpiModuleFile, OfAnotherBuildIsRefused) {
  Dl_info library;  // any that has no functions of MPI
  ASSERT_NE(dladdr(reinterpret_cast<const void*>(&zlibVersion), &library), 0);
  fs::copy_file(fs::canonical(library.dli_fname), installed);
  expect_only_alone({installed, "another build"});
}

TEST_F(MpiModuleFile, WithoutItsLibraryNamesThePackage) {
  std::string bytes = read_file(built_module());
  const std::size_t needed = bytes.find("libmpi.so");
  ASSERT_NE(needed, std::string::npos);
  bytes.replace(needed, 6, "absent");
  folder.write("lib/gloss/gloss_mpi.so", bytes);
  expect_only_alone({installed, "absent.so", "openmpi-bin"});
}

}  // namespace
}  // namespace gloss
