// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/call_sites/program_stack.hpp"

#include <execinfo.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace airamp::pmpi {
namespace {

/// More than our functions, and the MPI library's for Fortran, have on a stack.
constexpr std::size_t max_left_out = 32;
constexpr std::size_t max_read = 64;

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

ProgramStack::ProgramStack() {
  const auto visit = [](dl_phdr_info* object, std::size_t, void* context) {
    const auto own = reinterpret_cast<std::uintptr_t>(&max_left_out);
    std::vector<Range> code;
    bool is_own = false;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const ElfW(Phdr)& part = object->dlpi_phdr[i];
      if (part.p_type != PT_LOAD) continue;
      const std::uintptr_t begin = object->dlpi_addr + part.p_vaddr;
      const std::uintptr_t end = begin + part.p_memsz;
      is_own = is_own || (own >= begin && own < end);
      if ((part.p_flags & PF_X) != 0) code.push_back({begin, end});
    }
    auto& stack = *static_cast<ProgramStack*>(context);
    const std::string_view name = file_name(object->dlpi_name);  // the program's own is empty
    if (is_own && name.empty()) stack.known_ = false;
    if (is_own || name.starts_with("libmpi")) stack.left_out_.insert(stack.left_out_.end(), code.begin(), code.end());
    return 0;
  };
  dl_iterate_phdr(visit, this);
  std::array<void*, 1> first{};
  backtrace(first.data(), 1);  // loads what it needs now, not in a call of the program
}

bool ProgramStack::is_left_out(const void* address) const noexcept {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  return std::ranges::any_of(left_out_, [=](const Range& r) { return place >= r.begin && place < r.end; });
}

std::size_t ProgramStack::read(std::span<void*> addresses) const noexcept {
  if (!known_) return 0;
  std::array<void*, max_read> all{};
  const std::size_t wanted = std::min(max_read, max_left_out + addresses.size());
  const auto found = static_cast<std::size_t>(backtrace(all.data(), static_cast<int>(wanted)));
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(found);
  const auto begin = std::find_if_not(all.begin(), end, [this](const void* a) { return is_left_out(a); });
  const std::size_t count = std::min(addresses.size(), static_cast<std::size_t>(end - begin));
  std::copy_n(begin, count, addresses.begin());
  return count;
}

}  // namespace airamp::pmpi
