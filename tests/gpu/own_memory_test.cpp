// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/own_memory.hpp"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <thread>

#include "tests/gpu/mapped_memory.hpp"

namespace {

int sbrk_calls;

}  // namespace

/// What this program's sbrk(2) is; the C library's malloc(3) has its own.
extern "C" void* sbrk(std::intptr_t /*increment*/) noexcept {
  ++sbrk_calls;
  return nullptr;
}

namespace {

using airamp::gpu::is_own_memory;

constexpr std::size_t mapped_bytes = std::size_t{1} << 20;

using Mapping = airamp::gpu::test::MappedMemory<mapped_bytes>;

int zero_variable;
int other_variable = 1;

TEST(OwnMemory, VariablesAndTheHeapAndTheStackAreOwn) {
  const int on_stack = 0;
  const auto on_heap = std::make_unique<int>(0);
  EXPECT_TRUE(is_own_memory(&zero_variable));
  EXPECT_TRUE(is_own_memory(&other_variable));
  EXPECT_TRUE(is_own_memory(&on_stack));
  EXPECT_TRUE(is_own_memory(on_heap.get()));
}

TEST(OwnMemory, MappedMemoryIsNot) {
  const Mapping mapping;
  EXPECT_FALSE(is_own_memory(mapping.data()));
  EXPECT_FALSE(is_own_memory(mapping.data() + mapped_bytes - 1));
  EXPECT_FALSE(is_own_memory(nullptr));
}

TEST(OwnMemory, TheHeapEndsWhereItEnds) {
  const auto* end = reinterpret_cast<std::byte*>(syscall(SYS_brk, nullptr));
  EXPECT_TRUE(is_own_memory(end - 1));
  EXPECT_FALSE(is_own_memory(end));
}

// Where UCX watches the memory, sbrk(0) sets the heap's end to what it was a moment before.
TEST(OwnMemory, NothingTouchesTheHeapsEnd) {
  const auto on_heap = std::make_unique<int>(0);
  EXPECT_TRUE(is_own_memory(on_heap.get()));
  EXPECT_EQ(sbrk_calls, 0);
}

TEST(OwnMemory, ItIsTheCallingThreadsStack) {
  const Mapping mapping;
  bool own = false;
  bool mapped = true;
  std::thread([&] {
    const int on_stack = 0;
    own = is_own_memory(&on_stack);
    mapped = is_own_memory(mapping.data());
  }).join();
  EXPECT_TRUE(own);
  EXPECT_FALSE(mapped);
}

/// What a coroutine looks at: mappings below and above its stack.
struct Coroutine {
  ucontext_t here, there;
  std::array<Mapping, 3> mappings;
  std::array<bool, 3> own{true, true, true};
};
Coroutine* running;

TEST(OwnMemory, ACoroutineHasNoStackOfItsOwn) {
  const auto coroutine = std::make_unique<Coroutine>();
  running = coroutine.get();
  ASSERT_EQ(getcontext(&coroutine->there), 0);
  coroutine->there.uc_stack.ss_sp = coroutine->mappings[1].data();
  coroutine->there.uc_stack.ss_size = mapped_bytes;
  coroutine->there.uc_link = &coroutine->here;
  makecontext(
      &coroutine->there,
      [] {
        for (std::size_t i = 0; i < running->own.size(); ++i)
          running->own[i] = is_own_memory(running->mappings[i].data() + mapped_bytes - 1);
      },
      0);
  ASSERT_EQ(swapcontext(&coroutine->here, &coroutine->there), 0);
  for (const bool own : coroutine->own) EXPECT_FALSE(own);
}

}  // namespace
