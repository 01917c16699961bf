// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/job/binary_interface.hpp"

#include <gtest/gtest.h>

namespace airamp::pmpi {
namespace {

TEST(BinaryInterface, IsToldByTheVersionOfTheLibrary) {
  EXPECT_EQ(interface_of_library("Open MPI v5.0.11, package: Open MPI root@host"), BinaryInterface::open_mpi);
  EXPECT_EQ(interface_of_library("MPICH Version:      4.0.2"), BinaryInterface::mpich);
  EXPECT_EQ(interface_of_library("Intel(R) MPI Library 2021.18.1 for Linux* OS"), BinaryInterface::mpich);
}

}  // namespace
}  // namespace airamp::pmpi
