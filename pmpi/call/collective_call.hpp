// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/collective_kind.hpp"
#include "core/data_type.hpp"
#include "core/reason.hpp"
#include "core/reduce_op.hpp"
#include "pmpi/call/collective_data.hpp"
#include "pmpi/mpi/functions.hpp"
#include "pmpi/mpi/mpi.hpp"
#include "pmpi/types/op_probe.hpp"

namespace airamp::pmpi {

using Kind = CollectiveKind;  // pmpi/ knows of no other kinds

/// Where a call's buffers lie on this rank.
enum class Memory : std::uint8_t {
  host,
  device,   ///< of the GPU that this rank uses on the communicator
  managed,  ///< the same, but some of it, on some rank, migrates between host and GPU
  mixed     ///< in different places, or on another GPU
};

/// Whether kernels may work on the buffers.
constexpr bool on_gpu(Memory memory) { return memory == Memory::device || memory == Memory::managed; }

/// What may be done with a call, as far as one rank knows before it looks at the data.
struct Wish {
  Reason no_compression = Reason::compression_off;  ///< why the data are not to be compressed; `none` if they may be
  bool lossless = false;  ///< it may be carried as it is: on the GPUs or through shared memory
  bool on_gpu = false;    ///< on the GPUs

  bool compress() const { return no_compression == Reason::none; }
};

/// What this rank alone can say of a call. An input to agreements, never a decision.
struct LocalFacts {
  bool lossy = false;     ///< the codecs know the type and the operation, and the user opted in
  bool lossless = false;  ///< it can be carried as it is
  bool packed = false;    ///< of its elements some are packed for that
  DataType type = DataType::byte;
  std::size_t parts = 1;  ///< an element of the call is so many of `type`
  ReduceOp op = ReduceOp::sum;
  Memory memory = Memory::host;
  std::uint64_t bytes = 0;        ///< of the call
  bool aligned = true;            ///< kernels can load what they would have to
  std::string_view element_name;  ///< for the report
  std::string_view op_name;       ///< for the report
  Reason why = Reason::none;      ///< why not lossy or not eligible at all
  bool undecided = false;         ///< a user-defined operation is to be tried first; not eligible before

  bool eligible() const { return lossy || lossless; }

  /// Takes the parts of the elements for the elements, of a reduction.
  void in_parts() {
    parts = parts_of(type);
    type = part_of(type);
  }

  /// It cannot be carried as it is, for that reason.
  void not_as_it_is(Reason reason) {
    lossless = false;
    packed = false;
    why = reason;
  }

  /// It can be carried as it is only if other elements of the call can, too.
  void and_those(const LocalFacts& others) {
    lossless = lossless && others.lossless;
    packed = lossless && (packed || others.packed);
  }
};

/// By what a rank knows a call again, on the same communicator: two calls with the same of these have the same bytes,
/// the same equal arguments and the same facts, as long as their datatypes and operations are predefined, which are
/// never freed, and the operation does not depend on values. Not so the facts of exchanges with blocks of any length.
/// Where counts go by rank, which MPI wants equal on all, `count` is their sum.
struct CallArguments {
  Kind kind = Kind::barrier;
  bool in_place = false;
  int root = 0;
  MPI_Op op{};  ///< as made, here and below, where the call has none
  MPI_Count count = 0;
  MPI_Datatype type{};
  MPI_Count sendcount = 0;  ///< of calls that have two; not in place
  MPI_Datatype sendtype{};

  bool operator==(const CallArguments&) const = default;
};

/// Elements in this rank's memory.
struct Elements {
  void* at = nullptr;
  MPI_Count count = 0;
  MPI_Datatype type{};
};

/// Whether no MPI library takes so many elements of a type.
inline bool are_refused(MPI_Count count, MPI_Datatype type) {
  return count < 0 || (count > 0 && type == MPI_DATATYPE_NULL);
}

/// The buffers of a call that matter on this rank; nullptr where there is none.
struct Buffers {
  const void* input = nullptr;
  const void* output = nullptr;
};

/// One call of a collective that may be accelerated: its arguments behind one interface.
class CollectiveCall {
 public:
  virtual ~CollectiveCall() = default;

  virtual Kind kind() const = 0;
  virtual Function function() const = 0;
  virtual MPI_Comm communicator() const = 0;

  /// Bytes that decide on eligibility and size bucket; equal on all ranks by the rules of MPI. The ranks compare them
  /// in every agreement.
  virtual std::uint64_t bytes() const = 0;

  /// Of calls that have one.
  virtual int root() const { return MPI_UNDEFINED; }

  /// Whether this rank cannot leave the call before all others have come, whatever is done with it: it gets something
  /// from each of them. Of kinds whose ranks alone know; see data_flow_of.
  virtual bool waits_for_all() const { return false; }

  /// What else of the arguments MPI wants equal on all ranks, as a number: calls that differ in it are agreed on apart
  /// from each other.
  virtual std::uint64_t equal_arguments() const = 0;

  /// Nothing for calls that are looked at anew each time. Not asked of calls between groups.
  virtual std::optional<CallArguments> arguments() const { return std::nullopt; }

  /// Whether the job's settings opt in to compressing this kind.
  virtual bool opted_in() const = 0;

  virtual Buffers buffers() const = 0;

  /// Whether this rank receives where it sends from and does not say MPI_IN_PLACE, as MPI libraries look for that: a
  /// mistake that some of them refuse (Job::refused_aliases).
  virtual bool aliased() const { return false; }

  /// Whether this rank says of its own part what no MPI library takes. It gets an error then, and nobody else hears of
  /// that.
  virtual bool is_refused_alone() const { return false; }

  /// Where this rank puts what it gets from the root; nothing if it has that there, or gets nothing from a root. Of
  /// calls that a root posts (root_message.hpp).
  virtual std::optional<Elements> received_from_root() const { return std::nullopt; }

  /// What this rank knows of the data; `memory` and what follows from it, and `bytes`, are the caller's to fill in.
  virtual LocalFacts facts(Wish wish) const = 0;

  /// Tries the user-defined operation on which the facts are undecided, on the program's own elements. Reductions that
  /// some ranks natively leave before others come, or that have counts by rank, try none for host buffers.
  virtual void try_operation(const Operands& /*operands*/) const {}

  /// By the MPI library, which gets host copies of GPU buffers that it cannot read.
  virtual int run_native() const = 0;

  /// The data in elements of `facts.type`; results go to the application's receive buffer.
  virtual CollectiveData data(const LocalFacts& facts) const = 0;
};

}  // namespace airamp::pmpi
