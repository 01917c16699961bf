// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// A plugin as it was built, on any machine: it opens, it is complete, and without a GPU it says why it can do nothing.
#include <gtest/gtest.h>

#include "gpu/backend_loader.hpp"

namespace {

using airamp::gpu::Backend;
using airamp::gpu::Error;
using airamp::gpu::Location;
using airamp::gpu::open_backend;

const Backend* open_plugin() {
  Error error;
  const Backend* const table = open_backend(PLUGIN_PATH, PLUGIN_NAME, error);
  EXPECT_NE(table, nullptr) << error.text.data();
  return table;
}

TEST(Plugin, has_all_functions) {
  const Backend* const table = open_plugin();
  ASSERT_NE(table, nullptr);
  EXPECT_NE(table->open_device, nullptr);
  EXPECT_NE(table->close_device, nullptr);
  EXPECT_NE(table->multiprocessors, nullptr);
  EXPECT_NE(table->allocate, nullptr);
  EXPECT_NE(table->free, nullptr);
  EXPECT_NE(table->map, nullptr);
  EXPECT_NE(table->unmap, nullptr);
  EXPECT_NE(table->allocate_host, nullptr);
  EXPECT_NE(table->free_host, nullptr);
  EXPECT_NE(table->open_queue, nullptr);
  EXPECT_NE(table->close_queue, nullptr);
  EXPECT_NE(table->launch, nullptr);
  EXPECT_NE(table->encode, nullptr);
  EXPECT_NE(table->decode, nullptr);
  EXPECT_NE(table->reduce, nullptr);
  EXPECT_NE(table->copy, nullptr);
  EXPECT_NE(table->progress, nullptr);
  EXPECT_NE(table->ccl_find, nullptr);
  EXPECT_NE(table->ccl_unique_id, nullptr);
  EXPECT_NE(table->ccl_open, nullptr);
  EXPECT_NE(table->ccl_close, nullptr);
  EXPECT_NE(table->ccl_start, nullptr);
}

TEST(Plugin, opens_no_device_for_host_memory) {
  const Backend* const table = open_plugin();
  ASSERT_NE(table, nullptr);
  Error error;
  EXPECT_EQ(table->open_device(Location{}, error), nullptr);
  EXPECT_STRNE(error.text.data(), "");
}

}  // namespace
