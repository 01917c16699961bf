// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>

#include "benchmarks/airamp_bench/host_collective.hpp"
#include "benchmarks/airamp_bench/values/element.hpp"

namespace airamp::benchmark {
namespace {

const std::map<std::string, Collective> collectives{{"allreduce", Collective::allreduce},
                                                    {"allgather", Collective::allgather},
                                                    {"allgatherv", Collective::allgatherv},
                                                    {"reduce_scatter_block", Collective::reduce_scatter_block},
                                                    {"bcast", Collective::bcast},
                                                    {"reduce", Collective::reduce},
                                                    {"gather", Collective::gather},
                                                    {"scatter", Collective::scatter},
                                                    {"alltoall", Collective::alltoall},
                                                    {"reduce_scatter", Collective::reduce_scatter},
                                                    {"scan", Collective::scan},
                                                    {"barrier", Collective::barrier}};
const std::map<std::string, Place> places{{"host", Place::host}, {"device", Place::device}};
constexpr int device_warmup = 12;
constexpr int slow_budget_ms = 2000;
const std::vector<std::size_t> host_bytes{8, 64, 1U << 10U, 8U << 10U, 64U << 10U, 1U << 20U};

}  // namespace

const char* to_string(Collective collective) { return name_in(collectives, collective); }
const char* to_string(Place place) { return name_in(places, place); }

std::vector<std::size_t> sizes(const Options& options) {
  if (!options.bytes_list.empty()) return options.bytes_list;
  std::vector<std::size_t> result;
  for (std::size_t bytes = options.min_bytes; bytes <= options.max_bytes; bytes *= options.factor) {
    result.push_back(bytes);
    if (bytes > options.max_bytes / options.factor) break;  // the product may not fit
  }
  return result;
}

namespace {

void require(bool holds, const char* option, const char* mistake) {
  if (!holds) throw CLI::ValidationError(option, mistake);
}

void choose_collectives(Options& options) {
  std::vector<std::string>& named = options.collectives;
  if (options.host) {
    if (!named.empty()) return;
    named = HostCollective::names();
    if (options.holes) std::erase_if(named, [](const std::string& name) { return !HostCollective::moves(name); });
    return;
  }
  require(named.size() <= 1, "--collective", "names several; with --host it may");
  if (named.empty()) return;
  require(collectives.contains(named.front()), "--collective", "names one that is timed with --host only");
  options.collective = collectives.at(named.front());
}

void check_host_table(const Options& options) {
  require(options.memory == Place::host, "--memory", "is host with --host");
  require(options.native, "--no-native", "cannot be used with --host, which compares with native calls");
  require(!options.holes || std::ranges::all_of(options.collectives, HostCollective::moves), "--holes",
          "is for collectives that move numbers alone");
  for (const std::size_t bytes : sizes(options)) {
    require(bytes >= sizeof(double) && bytes % sizeof(double) == 0, "--bytes-list",
            "is to be multiples of 8 with --host");
  }
}

void check_combination(const Options& options) {
  require(options.host || !options.holes, "--holes", "needs --host");
  require(options.host || options.uneven_us == 0, "--uneven", "needs --host");
  require(options.min_bytes > 0, "--min-bytes", "is 0; sizes start at 1 (--bytes-list may name 0)");
  require(options.min_bytes <= options.max_bytes, "--min-bytes", "is larger than --max-bytes");
  constexpr std::size_t max_elements{std::numeric_limits<int>::max()};  // MPI counts them in an int
  const std::vector<std::size_t> all_sizes = sizes(options);
  const std::size_t largest = *std::max_element(all_sizes.begin(), all_sizes.end());
  require(largest / Element::bytes_of(options.type) <= max_elements,
          options.bytes_list.empty() ? "--max-bytes" : "--bytes-list", "asks for more than 2147483647 elements");
  const bool integers = options.type == ElementType::int32 || options.type == ElementType::int64;
  require(options.integer_bits == 0 || integers, "--integer-bits", "needs --type int32 or int64");
  require(options.data == Data::about_normal || !integers, "--data", "needs a floating-point --type");
  require(options.integer_bits <= Element::max_integer_bits(options.type), "--integer-bits", "is more than 27");
  require(!options.nccl || options.memory == Place::device, "--nccl", "needs --memory device");
  require(!options.nccl_symmetric || options.nccl, "--nccl-symmetric", "needs --nccl");
  require(!options.nccl_symmetric || !options.in_place, "--nccl-symmetric", "cannot be used with --in-place");
  const bool exchange = options.collective == Collective::alltoall;
  const bool by_nccl =
      options.collective != Collective::allgatherv &&
      (options.collective <= Collective::reduce || exchange || options.collective == Collective::reduce_scatter);
  require(!options.in_place || options.collective != Collective::scatter, "--in-place", "is not for scatter");
  require(!options.nccl || by_nccl, "--nccl",
          "is for allreduce, allgather, reduce_scatter_block, bcast, reduce, alltoall and reduce_scatter");
  require(!options.nccl || !exchange || !options.in_place, "--nccl", "makes no alltoall --in-place");
}

}  // namespace

void add_options(CLI::App& app, Options& options) {
  app.description("Times a collective of the MPI library against AIRamp's, call by call in one run.");
  app.add_flag(
      "--host", options.host,
      "a table of collectives of FP64 on host memory, as CPU codes call them: back to back, each from a common "
      "start (hot), and after a compute phase (cold), beside the MPI library's own functions; with --collective, "
      "the sizes, --iterations (turns), --calls, --budget-ms and --json");
  app.add_flag("--holes", options.holes,
               "with --host: numbers of a derived datatype, each with a hole behind it that is as long; of collectives "
               "that move them alone");
  app.add_option(
         "--uneven", options.uneven_us,
         "with --host: steps in place of calls back to back: each rank computes for 100 us and, by chance, for up "
         "to so many microseconds more, and calls; natively ranks may be several steps apart")
      ->check(CLI::Range(1, 1000000));
  app.add_option(
         "--collective", options.collectives,
         "allreduce (default), allgather, allgatherv, reduce_scatter_block, bcast, reduce, gather, scatter, "
         "alltoall, reduce_scatter, scan, barrier; with --host any of these, gatherv, scatterv, alltoallv, alltoallw, "
         "exscan, iallreduce and ibarrier, separated by commas (default: all)")
      ->delimiter(',')
      ->check(CLI::IsMember(HostCollective::names()));
  app.add_option("--type", options.type, "float16, bfloat16, float32, float64, int32, int64")
      ->transform(CLI::CheckedTransformer(element_types()));
  app.add_option("--op", options.operation, "sum, max, min (of reductions)")
      ->transform(CLI::CheckedTransformer(operations()));
  app.add_option(
         "--data", options.data,
         "floating-point numbers: about-normal (default: the sum of four uniform numbers), normal, laplace, "
         "uniform (from -1 to 1), wave (a sine), sparse (of 128 numbers one is not 0), zeros, spread (over many "
         "exponents); what rows of lossless sums take may depend on it")
      ->transform(CLI::CheckedTransformer(kinds_of_data()));
  app.add_option("--integer-bits", options.integer_bits,
                 "bits of integers' values, with their sign (default and most: 27 of int32, 49 of int64)")
      ->check(CLI::Range(1, Element::max_integer_bits(ElementType::int64)));
  app.add_option("--memory", options.memory, "where the buffers live: host (default), device (CUDA)")
      ->transform(CLI::CheckedTransformer(places));
  app.add_flag("--native,!--no-native", options.native, "compare with the MPI library's own calls (default)");
  app.add_flag("--nccl", options.nccl, "compare with NCCL; its NVLink multicast is off unless NCCL_NVLS_ENABLE is set");
  app.add_flag("--nccl-symmetric", options.nccl_symmetric,
               "compare with NCCL on buffers in symmetric windows as well (NCCL 2.27 or later)");
  app.add_flag("--in-place", options.in_place, "MPI_IN_PLACE");
  app.add_option("--unaligned", options.unaligned, "moves all buffers by this many elements")
      ->check(CLI::Range(0, 1 << 20));
  app.add_option("--min-bytes", options.min_bytes, "smallest size in bytes per rank; suffixes K, M, G")
      ->transform(CLI::AsSizeValue(false));
  app.add_option("--max-bytes", options.max_bytes, "largest size in bytes per rank; suffixes K, M, G")
      ->transform(CLI::AsSizeValue(false));
  app.add_option("--factor", options.factor, "from one size to the next")->check(CLI::Range(2, 1024));
  app.add_option("--bytes-list", options.bytes_list, "these sizes instead, separated by commas")
      ->delimiter(',')
      ->transform(CLI::AsSizeValue(false));
  app.add_option("--iterations", options.iterations, "timed calls of each kind, at most")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--calls", options.calls, "with --host: calls of a turn, back to back, at most")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--budget-ms", options.budget_ms,
                 "milliseconds for the timed calls of one size, at least 7 of each kind; 0 for "
                 "no limit (default: 2000 in device memory and with --host, else 0)")
      ->check(CLI::Range(0, 1000000));
  app.add_option("--warmup", options.warmup, "untimed calls of each kind (default 6, in device memory 12)")
      ->check(CLI::Range(0, 1000000));
  app.add_flag("--check,!--no-check", options.check, "measure the error and compare the bits of all ranks (default)");
  app.add_option("--json", options.json, "also write the rows to this file");
}

bool parse_options(int argc, char** argv, bool speaks, Options& options, int& exit_code) {
  CLI::App app;
  add_options(app, options);
  try {
    app.parse(argc, argv);
    choose_collectives(options);
    const bool sized = app.count("--min-bytes") + app.count("--max-bytes") + app.count("--bytes-list") > 0;
    if (options.host && !sized) options.bytes_list = host_bytes;
    check_combination(options);
    if (options.host) check_host_table(options);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream mistakes;
    exit_code = app.exit(error, out, mistakes);
    if (speaks) {
      std::cout << out.str();
      std::cerr << mistakes.str();
    }
    return false;
  }
  if (options.memory == Place::device && app.count("--warmup") == 0) options.warmup = device_warmup;
  const bool slow = options.memory == Place::device || options.host;
  if (slow && app.count("--budget-ms") == 0) options.budget_ms = slow_budget_ms;
  return true;
}

}  // namespace airamp::benchmark
