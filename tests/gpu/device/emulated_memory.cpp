// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/device/emulated_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <unordered_set>

namespace airamp::gpu::device {

/// Addresses have 47 bits.
std::uint64_t EmulatedMemory::place(std::uint32_t lane, const std::uint32_t* word) {
  return reinterpret_cast<std::uintptr_t>(word) << 17 ^ lane;
}

template <class Predicate>
void EmulatedMemory::deliver_if(Predicate arrives) {
  std::erase_if(under_way_, [&](const UnderWay& s) {
    if (!arrives(s)) return false;
    std::memcpy(s.store.to, s.store.word, sizeof(std::uint32_t) * static_cast<std::size_t>(s.store.words));
    const auto at = places_.find(place(s.writer.lane, s.store.to));
    if (--at->second == 0) places_.erase(at);
    return true;
  });
}

void EmulatedMemory::store(Writer writer, const Store& store) {
  stores_.push_back(store);
  under_way_.push_back({store, writer, known_to_lane, random_() % 16 == 0});
  ++places_[place(writer.lane, store.to)];
}

std::uint32_t EmulatedMemory::load(std::uint32_t lane, const std::uint32_t* from) {
  if (places_.contains(place(lane, from)))
    deliver_if([&](const UnderWay& s) { return s.writer.lane == lane && s.store.to == from; });
  return *from;
}

void EmulatedMemory::meet_in_warp(std::uint32_t warp) {
  for (UnderWay& s : under_way_)
    if (s.writer.warp == warp) s.known = std::max(s.known, known_to_warp);
}

void EmulatedMemory::meet_in_block(std::uint32_t block) {
  for (UnderWay& s : under_way_)
    if (s.writer.block == block) s.known = std::max(s.known, known_to_block);
}

bool EmulatedMemory::is_known_to(Writer writer, const UnderWay& s) {
  return s.writer.lane == writer.lane || (s.writer.warp == writer.warp && s.known >= known_to_warp) ||
         (s.writer.block == writer.block && s.known >= known_to_block) ||
         (s.writer.launch == writer.launch && s.known >= known_to_launch);
}

void EmulatedMemory::fence(Writer writer) {
  deliver_if([&](const UnderWay& s) { return is_known_to(writer, s); });
}

void EmulatedMemory::fence_on_gpu(Writer writer, const IsLocal& is_local) {
  for (UnderWay& s : under_way_)
    if (is_known_to(writer, s)) s.known = known_to_launch;
  deliver_if([&](const UnderWay& s) { return is_known_to(writer, s) && is_local(s.store.to); });
}

void EmulatedMemory::clear() {
  stores_.clear();
  under_way_.clear();
  places_.clear();
}

bool EmulatedMemory::deliver_some() {
  if (under_way_.empty()) return false;
  const auto share = random_() % 4;
  std::unordered_set<std::uint64_t> kept;  // places to which a lane's later store must not arrive now
  deliver_if([&](const UnderWay& s) {
    const std::uint64_t at = place(s.writer.lane, s.store.to);
    const bool arrives = random_() % 4 < share && (!s.late || random_() % 32 == 0) && !kept.contains(at);
    if (!arrives && places_[at] > 1) kept.insert(at);
    return arrives;
  });
  return true;
}

void EmulatedMemory::deliver_all() {
  deliver_if([](const UnderWay&) { return true; });
}

}  // namespace airamp::gpu::device
