! Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
!> Mean and spread of the ensemble: the large FP32 reductions.
module ensemble_statistics
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use mpi_f08
  use ensemble_layout, only: layout_type
  use model_state, only: fields, surface
  implicit none
  private
  public :: statistics_type, make_statistics, update_statistics

  type :: statistics_type
    real(real32), allocatable :: mean(:, :, :)      !< mean state of the ensemble in this subdomain (no halo)
    real(real32), allocatable :: variance(:, :, :)  !< mean squared deviation from it
    real(real32), allocatable :: packed(:, :, :)    !< this member's state without its halo
    real(real64), allocatable :: seconds(:)         !< how long each of the two Allreduces of every update took
    integer :: updates = 0
  end type statistics_type

contains

  !> `updates`: how often the statistics will be updated at most.
  subroutine make_statistics(nx, rows, updates, statistics)
    integer, intent(in) :: nx, rows, updates
    type(statistics_type), intent(out) :: statistics

    allocate (statistics%mean(nx, rows, fields), statistics%variance(nx, rows, fields), &
              statistics%packed(nx, rows, fields), source=0.0)
    allocate (statistics%seconds(2*updates), source=0.0_real64)
  end subroutine make_statistics

  !> Collective over MPI_COMM_WORLD: mean and variance over the members, and every member is pulled towards the mean by
  !> the part `nudging`.
  subroutine update_statistics(layout, nx, nudging, state, statistics)
    type(layout_type), intent(in) :: layout
    integer, intent(in) :: nx
    real(real32), intent(in) :: nudging
    real(real32), intent(inout) :: state(0:nx + 1, 0:layout%rows + 1, fields)
    type(statistics_type), intent(inout) :: statistics
    real(real64) :: start
    integer :: values

    values = size(statistics%mean)
    statistics%packed = state(1:nx, 1:layout%rows, :)
    start = begin_timing()
    call MPI_Allreduce(statistics%packed, statistics%mean, values, MPI_REAL, MPI_SUM, layout%across_comm)
    statistics%seconds(2*statistics%updates + 1) = MPI_Wtime() - start
    statistics%mean = statistics%mean/layout%members
    statistics%variance = (statistics%packed - statistics%mean)**2
    start = begin_timing()
    call MPI_Allreduce(MPI_IN_PLACE, statistics%variance, values, MPI_REAL, MPI_SUM, layout%across_comm)
    statistics%seconds(2*statistics%updates + 2) = MPI_Wtime() - start
    statistics%variance = statistics%variance/layout%members
    statistics%updates = statistics%updates + 1
    state(1:nx, 1:layout%rows, :) = statistics%packed + nudging*(statistics%mean - statistics%packed)

  contains

    !> The barrier keeps the wait for a slower member out of the time.
    real(real64) function begin_timing()
      call MPI_Barrier(layout%across_comm)
      begin_timing = MPI_Wtime()
    end function begin_timing
  end subroutine update_statistics
end module ensemble_statistics
