! Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
! shared_memory_started_fortran: nonblocking allreduces and barriers from Fortran, through the binding that BINDING_*
! names: mpif.h, use mpi or use mpi_f08. Requests are converted, and gone once they are complete.
#include "mpitests/interception/mpi_binding.inc"

program started_fortran
  USE_MPI
  implicit none
#ifdef MPIF_H
  include 'mpif.h'
#endif
  integer, parameter :: rounds = 300, length = 5
  double precision, asynchronous :: given(length), sums(length)
  integer, asynchronous :: counts(length)
  REQUEST_T :: requests(3)
  integer :: rank, ranks, error, i, at
  logical :: flag
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  do i = 1, rounds
    given = dble(i * (rank + 1))
    sums = -1
    counts = rank + i
    call MPI_Iallreduce(given, sums, length, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, requests(1), error)
    call MPI_Iallreduce(MPI_IN_PLACE, counts, length, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, requests(2), error)
    call MPI_Ibarrier(MPI_COMM_WORLD, requests(3), error)
    select case (mod(i, 4))
    case (0)
      call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, error)
    case (1)
      do at = 3, 1, -1
        call MPI_Wait(requests(at), MPI_STATUS_IGNORE, error)
      end do
    case (2)
      do while (any_is_active())
        call MPI_Waitany(3, requests, at, MPI_STATUS_IGNORE, error)
      end do
    case default
      do at = 1, 3
        flag = .false.
        do while (.not. flag)
          call MPI_Test(requests(at), flag, MPI_STATUS_IGNORE, error)
        end do
      end do
    end select
    call expect(.not. any_is_active(), 'requests that are complete are gone')
    call expect(all(sums == dble(i * (ranks * (ranks + 1)) / 2)), 'a sum of double precision numbers')
    call expect(all(counts == ranks - 1 + i), 'a maximum of integers')
    if (mod(i, 50) == 0) call MPI_Barrier(MPI_COMM_WORLD, error)
  end do
  call MPI_Finalize(error)
contains
  logical function any_is_active()
    integer :: k
    any_is_active = .false.
    do k = 1, 3
      if (requests(k) /= MPI_REQUEST_NULL) any_is_active = .true.
    end do
  end function

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    write (0, *) 'wrong: ', what
    call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end subroutine
end program
