! Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
!> What is watched in every time step: mass, energy and the Courant number, by small FP64 reductions.
module diagnostics
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use mpi_f08
  use ensemble_layout, only: layout_type
  use model_state, only: cell_size, fields, gravity, mean_depth, meridional, surface, time_step, zonal
  implicit none
  private
  public :: budget_type, measure

  type :: budget_type
    real(real64) :: mass     !< volume of the member's water in m^3
    real(real64) :: energy   !< kinetic and available potential energy in m^5/s^2 (times the density: joules);
                             !< not finite if the state is not
    real(real64) :: courant  !< cells that the fastest wave crosses in a time step
  end type budget_type

contains

  !> Collective over the member's communicator; all of its ranks get the same numbers.
  subroutine measure(layout, nx, state, budget)
    type(layout_type), intent(in) :: layout
    integer, intent(in) :: nx
    real(real32), intent(in) :: state(0:nx + 1, 0:layout%rows + 1, fields)
    type(budget_type), intent(out) :: budget
    real(real64) :: sums(2), depth, speed_squared, fastest, fastest_of_all
    integer :: i, j

    sums = 0.0
    fastest = 0.0
    do j = 1, layout%rows
      do i = 1, nx
        depth = real(mean_depth, real64) + state(i, j, surface)
        speed_squared = real(state(i, j, zonal), real64)**2 + real(state(i, j, meridional), real64)**2
        sums(1) = sums(1) + depth
        sums(2) = sums(2) + 0.5*depth*speed_squared + 0.5*gravity*real(state(i, j, surface), real64)**2
        fastest = max(fastest, sqrt(speed_squared) + sqrt(gravity*max(depth, 0.0_real64)))
      end do
    end do
    call MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE_PRECISION, MPI_SUM, layout%member_comm)
    call MPI_Allreduce(fastest, fastest_of_all, 1, MPI_DOUBLE_PRECISION, MPI_MAX, layout%member_comm)
    budget%mass = sums(1)*real(cell_size, real64)**2
    budget%energy = sums(2)*real(cell_size, real64)**2
    budget%courant = fastest_of_all*time_step/cell_size
  end subroutine measure
end module diagnostics
