! Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
!> Fills the halo cells of a state from the neighbouring subdomains.
module halo_exchange
  use, intrinsic :: iso_fortran_env, only: real32
  use mpi_f08
  use ensemble_layout, only: layout_type
  use model_state, only: fields
  implicit none
  private
  public :: exchange_halo

  integer, parameter :: tag_southward = 1, tag_northward = 2

contains

  !> Collective over the member's communicator.
  subroutine exchange_halo(layout, nx, state)
    type(layout_type), intent(in) :: layout
    integer, intent(in) :: nx
    real(real32), intent(inout) :: state(0:nx + 1, 0:layout%rows + 1, fields)
    real(real32), asynchronous :: to_south(nx, fields), to_north(nx, fields)
    real(real32), asynchronous :: from_south(nx, fields), from_north(nx, fields)
    type(MPI_Request) :: requests(4)

    call MPI_Irecv(from_north, nx*fields, MPI_REAL, layout%north, tag_southward, layout%member_comm, requests(1))
    call MPI_Irecv(from_south, nx*fields, MPI_REAL, layout%south, tag_northward, layout%member_comm, requests(2))
    to_south = state(1:nx, 1, :)
    to_north = state(1:nx, layout%rows, :)
    call MPI_Isend(to_south, nx*fields, MPI_REAL, layout%south, tag_southward, layout%member_comm, requests(3))
    call MPI_Isend(to_north, nx*fields, MPI_REAL, layout%north, tag_northward, layout%member_comm, requests(4))
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
    if (.not. MPI_ASYNC_PROTECTS_NONBLOCKING) then
      call MPI_F_sync_reg(from_south)
      call MPI_F_sync_reg(from_north)
    end if
    state(1:nx, 0, :) = from_south
    state(1:nx, layout%rows + 1, :) = from_north
    state(0, :, :) = state(nx, :, :)
    state(nx + 1, :, :) = state(1, :, :)
  end subroutine exchange_halo
end module halo_exchange
