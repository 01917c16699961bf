! Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
!> An ensemble of rotating shallow-water models: small FP64 reductions in every step, and now and then a large FP32 one.
program swe_ensemble
  use, intrinsic :: iso_fortran_env, only: error_unit, real32, real64
  use mpi_f08
  use command_line, only: options_type, print_help, read_options
  use diagnostics, only: budget_type, measure
  use ensemble_layout, only: free_layout, layout_type, make_layout
  use ensemble_statistics, only: make_statistics, statistics_type, update_statistics
  use model_state, only: fields, initialise
  use report, only: print_report
  use time_stepping, only: advance, make_stepper, stepper_type
  implicit none

  type(options_type) :: options
  type(layout_type) :: layout
  character(len=200) :: message
  integer :: rank

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call read_options(options, message)
  if (message == '' .and. .not. options%help) call make_layout(options, layout, message)
  if (message /= '') then
    ! Every rank reads the same command line; one of them speaks.
    if (rank == 0) write (error_unit, '(a,a)') 'swe_ensemble: ', trim(message)
    call MPI_Finalize()
    stop 2, quiet=.true.
  end if
  if (options%help) then
    if (rank == 0) call print_help()
  else
    call run()
    call free_layout(layout)
  end if
  call MPI_Finalize()

contains

  subroutine run()
    real(real32), allocatable :: state(:, :, :)
    type(stepper_type) :: stepper
    type(statistics_type) :: statistics
    type(budget_type) :: first, last
    real(real64) :: courant, start, seconds
    integer :: step

    allocate (state(0:options%nx + 1, 0:layout%rows + 1, fields))
    call initialise(options, layout, state)
    call make_stepper(options%nx, layout%rows, stepper)
    call make_statistics(options%nx, layout%rows, options%steps/options%mean_interval, statistics)
    call measure(layout, options%nx, state, first)
    courant = first%courant
    start = MPI_Wtime()
    do step = 1, options%steps
      call advance(layout, options%nx, stepper, state)
      call measure(layout, options%nx, state, last)
      if (.not. (last%courant < 1.0 .and. last%energy < huge(1.0_real64))) call give_up(step)
      courant = max(courant, last%courant)
      if (mod(step, options%mean_interval) == 0) &
        call update_statistics(layout, options%nx, options%nudging, state, statistics)
    end do
    seconds = MPI_Wtime() - start
    call print_report(options, layout, statistics, first, last, courant, seconds)
  end subroutine run

  subroutine give_up(step)
    integer, intent(in) :: step

    write (error_unit, '(a,i0,a,i0)') 'swe_ensemble: member ', layout%member, ' became unstable in time step ', step
    call MPI_Abort(MPI_COMM_WORLD, 3)
  end subroutine give_up
end program swe_ensemble
