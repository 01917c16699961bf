! Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
! A plain MPI program: the ranks add their numbers, and each checks the sum.
program allreduce
  use mpi_f08
  implicit none
  integer, parameter :: calls = 1000
  double precision :: values(4), sums(4), expected(4)
  integer :: rank, ranks, call_number, i, wrong

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  wrong = 0
  do call_number = 1, calls
    values = [(dble(rank + i + call_number), i = 1, 4)]
    expected = [(ranks * (ranks - 1) / 2d0 + ranks * dble(i + call_number), i = 1, 4)]
    call MPI_Allreduce(values, sums, 4, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    wrong = wrong + count(abs(sums - expected) > 0)
  end do
  if (rank == 0) print '(i0,a,i0,a,i0,a)', ranks, ' ranks, ', calls * 4, ' sums, ', wrong, ' wrong'
  call MPI_Finalize()
  if (wrong /= 0) error stop 1
end program allreduce
