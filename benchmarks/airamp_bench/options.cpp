// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <sstream>

namespace airamp::benchmark {
namespace {

const std::map<std::string, Collective> collectives{
    {"allreduce", Collective::allreduce}, {"allgather", Collective::allgather}, {"allgatherv", Collective::allgatherv}};
const std::map<std::string, ElementType> types{{"float16", ElementType::float16},
                                               {"bfloat16", ElementType::bfloat16},
                                               {"float32", ElementType::float32},
                                               {"float64", ElementType::float64},
                                               {"int32", ElementType::int32}};
const std::map<std::string, Operation> operations{
    {"sum", Operation::sum}, {"max", Operation::max}, {"min", Operation::min}};

template <typename Enumerator>
const char* name_of(const std::map<std::string, Enumerator>& names, Enumerator value) {
  for (const auto& [name, enumerator] : names) {
    if (enumerator == value) return name.c_str();
  }
  return "?";
}

}  // namespace

const char* to_string(Collective collective) { return name_of(collectives, collective); }
const char* to_string(ElementType type) { return name_of(types, type); }
const char* to_string(Operation operation) { return name_of(operations, operation); }

bool parse_options(int argc, char** argv, bool speaks, Options& options, int& exit_code) {
  CLI::App app("Times a collective of the MPI library against AIRamp's, call by call in one run.");
  app.add_option("--collective", options.collective, "allreduce, allgather, allgatherv")
      ->transform(CLI::CheckedTransformer(collectives));
  app.add_option("--type", options.type, "float16, bfloat16, float32, float64, int32")
      ->transform(CLI::CheckedTransformer(types));
  app.add_option("--op", options.operation, "sum, max, min (allreduce)")
      ->transform(CLI::CheckedTransformer(operations));
  app.add_option("--min-bytes", options.min_bytes, "smallest size in bytes per rank; suffixes K, M, G")
      ->transform(CLI::AsSizeValue(false));
  app.add_option("--max-bytes", options.max_bytes, "largest size in bytes per rank; suffixes K, M, G")
      ->transform(CLI::AsSizeValue(false));
  app.add_option("--factor", options.factor, "from one size to the next")->check(CLI::Range(2, 1024));
  app.add_option("--iterations", options.iterations, "timed calls of each kind")->check(CLI::Range(1, 1000000));
  app.add_option("--warmup", options.warmup, "untimed calls of each kind")->check(CLI::Range(0, 1000000));
  app.add_flag("--check,!--no-check", options.check, "measure the error and compare the bits of all ranks (default)");
  app.add_option("--json", options.json, "also write the rows to this file");
  try {
    app.parse(argc, argv);
    if (options.min_bytes > options.max_bytes) throw CLI::ValidationError("--min-bytes", "is larger than --max-bytes");
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
  return true;
}

}  // namespace airamp::benchmark
