// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airamp_bench/values/kinds.hpp"

namespace airamp::benchmark {

const std::map<std::string, ElementType>& element_types() {
  static const std::map<std::string, ElementType> names{
      {"float16", ElementType::float16}, {"bfloat16", ElementType::bfloat16}, {"float32", ElementType::float32},
      {"float64", ElementType::float64}, {"int32", ElementType::int32},       {"int64", ElementType::int64}};
  return names;
}

const std::map<std::string, Data>& kinds_of_data() {
  static const std::map<std::string, Data> names{{"about-normal", Data::about_normal},
                                                 {"normal", Data::normal},
                                                 {"laplace", Data::laplace},
                                                 {"uniform", Data::uniform},
                                                 {"wave", Data::wave},
                                                 {"sparse", Data::sparse},
                                                 {"zeros", Data::zeros},
                                                 {"spread", Data::spread}};
  return names;
}

const std::map<std::string, Operation>& operations() {
  static const std::map<std::string, Operation> names{
      {"sum", Operation::sum}, {"max", Operation::max}, {"min", Operation::min}};
  return names;
}

}  // namespace airamp::benchmark
