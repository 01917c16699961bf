! Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
!> The third-order Runge-Kutta steps of Wicker and Skamarock (2002), as in WRF.
module time_stepping
  use, intrinsic :: iso_fortran_env, only: real32
  use ensemble_layout, only: layout_type
  use halo_exchange, only: exchange_halo
  use model_state, only: fields, time_step
  use shallow_water, only: compute_tendency, make_workspace, workspace_type
  implicit none
  private
  public :: stepper_type, make_stepper, advance

  type :: stepper_type
    real(real32), allocatable :: tendency(:, :, :), stage(:, :, :)
    type(workspace_type) :: work
  end type stepper_type

  real(real32), parameter :: stage_steps(3) = [time_step/3.0, time_step/2.0, time_step]

contains

  subroutine make_stepper(nx, rows, stepper)
    integer, intent(in) :: nx, rows
    type(stepper_type), intent(out) :: stepper

    allocate (stepper%tendency(0:nx + 1, 0:rows + 1, fields), stepper%stage(0:nx + 1, 0:rows + 1, fields), source=0.0)
    call make_workspace(nx, rows, stepper%work)
  end subroutine make_stepper

  !> One time step; collective over the member's communicator.
  subroutine advance(layout, nx, stepper, state)
    type(layout_type), intent(in) :: layout
    integer, intent(in) :: nx
    type(stepper_type), intent(inout) :: stepper
    real(real32), intent(inout) :: state(0:nx + 1, 0:layout%rows + 1, fields)
    integer :: stage

    stepper%stage = state
    do stage = 1, size(stage_steps)
      call exchange_halo(layout, nx, stepper%stage)
      call compute_tendency(nx, layout%rows, stepper%stage, stepper%work, stepper%tendency)
      stepper%stage = state + stage_steps(stage)*stepper%tendency
    end do
    state = stepper%stage
  end subroutine advance
end module time_stepping
