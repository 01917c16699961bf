// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Beside this program lie plugins made for it: libairamp-cuda.so as it should be, and libairamp-hip.so of a version
// that is one too high.
#include "gpu/backend_loader.hpp"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

namespace {

using airamp::gpu::Backend;
using airamp::gpu::backend;
using airamp::gpu::backend_version;
using airamp::gpu::Error;
using airamp::gpu::open_backend;
using airamp::gpu::Platform;
using testing::HasSubstr;
using testing::StrEq;

const std::string folder = PLUGIN_FOLDER "/";

bool is_loaded(const std::string& path) {
  void* const library = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return false;
  dlclose(library);
  return true;
}

TEST(BackendLoader, finds_the_plugin_beside_itself) {
  Error error;
  const Backend* const table = backend(Platform::cuda, error);
  ASSERT_NE(table, nullptr) << error.text.data();
  EXPECT_EQ(table->version, backend_version);
  EXPECT_STREQ(table->name, "cuda");
  EXPECT_STREQ(error.text.data(), "");
  EXPECT_TRUE(is_loaded(folder + "libairamp-cuda.so"));
}

TEST(BackendLoader, refuses_another_version_and_remembers_why) {
  Error first, second;
  EXPECT_EQ(backend(Platform::hip, first), nullptr);
  EXPECT_THAT(first.text.data(), HasSubstr("version " + std::to_string(backend_version + 1)));
  EXPECT_FALSE(is_loaded(folder + "libairamp-hip.so"));
  EXPECT_EQ(backend(Platform::hip, second), nullptr);
  EXPECT_THAT(second.text.data(), StrEq(first.text.data()));
}

TEST(BackendLoader, host_memory_has_no_plugin) {
  Error error;
  EXPECT_EQ(backend(Platform::none, error), nullptr);
  EXPECT_STRNE(error.text.data(), "");
}

TEST(BackendLoader, refuses_a_plugin_of_another_name) {
  Error error;
  EXPECT_EQ(open_backend(folder + "libairamp-cuda.so", "hip", error), nullptr);
  EXPECT_THAT(error.text.data(), HasSubstr("not hip"));
}

TEST(BackendLoader, refuses_a_library_that_is_no_plugin) {
  Error error;
  EXPECT_EQ(open_backend("libm.so.6", "cuda", error), nullptr);
  EXPECT_THAT(error.text.data(), HasSubstr("not a plugin"));
}

TEST(BackendLoader, says_what_it_did_not_find) {
  Error error;
  EXPECT_EQ(open_backend(folder + "libairamp-none.so", "none", error), nullptr);
  EXPECT_THAT(error.text.data(), HasSubstr("libairamp-none.so"));
  EXPECT_EQ(dlerror(), nullptr);
}

TEST(BackendLoader, cuts_a_reason_that_is_too_long) {
  Error error;
  const std::string long_name(2 * error.text.size(), 'x');
  EXPECT_EQ(open_backend("/" + long_name, "none", error), nullptr);
  EXPECT_EQ(error.text.back(), '\0');
}

TEST(BackendLoader, gives_all_threads_the_same_table) {
  std::array<const Backend*, 8> tables{};
  std::vector<std::thread> threads;
  threads.reserve(tables.size());
  for (const Backend*& table : tables) {
    threads.emplace_back([&table] {
      Error error;
      table = backend(Platform::cuda, error);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Backend* const table : tables) {
    EXPECT_NE(table, nullptr);
    EXPECT_EQ(table, tables[0]);
  }
}

}  // namespace
