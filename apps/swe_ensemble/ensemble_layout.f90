! Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
!> Which part of which ensemble member a rank computes, and the communicators that follow from it.
module ensemble_layout
  use mpi_f08
  use command_line, only: options_type
  implicit none
  private
  public :: layout_type, make_layout, free_layout

  type :: layout_type
    integer :: rank, ranks                !< in MPI_COMM_WORLD
    integer :: members                    !< ensemble members
    integer :: member                     !< this rank's member, from 0
    integer :: subdomain, subdomains      !< this rank's band of rows in y, from 0, and their number
    integer :: south, north               !< neighbours in member_comm; the domain is periodic
    integer :: first_row, rows            !< rows of the domain (from 1) that this rank owns
    type(MPI_Comm) :: member_comm         !< all subdomains of one member, in order
    type(MPI_Comm) :: across_comm         !< the same subdomain in all members, in order
  end type layout_type

contains

  !> Collective over MPI_COMM_WORLD. `message` comes back empty, or says what is wrong; nothing was made then.
  subroutine make_layout(options, layout, message)
    type(options_type), intent(in) :: options
    type(layout_type), intent(out) :: layout
    character(len=*), intent(out) :: message

    message = ''
    call MPI_Comm_rank(MPI_COMM_WORLD, layout%rank)
    call MPI_Comm_size(MPI_COMM_WORLD, layout%ranks)
    layout%members = options%members
    if (layout%members == 0) layout%members = smallest_divisor(layout%ranks)
    if (mod(layout%ranks, layout%members) /= 0) then
      write (message, '(a,i0,a,i0,a)') '--members: ', layout%members, ' does not divide the ', layout%ranks, ' ranks'
      return
    end if
    layout%subdomains = layout%ranks/layout%members
    if (layout%subdomains > options%ny) then
      write (message, '(a,i0,a)') '--ny: must be at least ', layout%subdomains, ', the ranks of a member'
      return
    end if
    layout%member = layout%rank/layout%subdomains
    layout%subdomain = mod(layout%rank, layout%subdomains)
    layout%south = modulo(layout%subdomain - 1, layout%subdomains)
    layout%north = modulo(layout%subdomain + 1, layout%subdomains)
    layout%first_row = 1 + start_of(layout%subdomain)
    layout%rows = start_of(layout%subdomain + 1) - start_of(layout%subdomain)
    call MPI_Comm_split(MPI_COMM_WORLD, layout%member, layout%subdomain, layout%member_comm)
    call MPI_Comm_split(MPI_COMM_WORLD, layout%subdomain, layout%member, layout%across_comm)

  contains

    integer function start_of(subdomain)
      integer, intent(in) :: subdomain

      start_of = subdomain*(options%ny/layout%subdomains) + min(subdomain, mod(options%ny, layout%subdomains))
    end function start_of
  end subroutine make_layout

  subroutine free_layout(layout)
    type(layout_type), intent(inout) :: layout

    call MPI_Comm_free(layout%across_comm)
    call MPI_Comm_free(layout%member_comm)
  end subroutine free_layout

  !> The smallest divisor above 1; 1 for 1.
  pure integer function smallest_divisor(number)
    integer, intent(in) :: number

    smallest_divisor = min(2, number)
    do while (mod(number, smallest_divisor) /= 0)
      smallest_divisor = smallest_divisor + 1
    end do
  end function smallest_divisor
end module ensemble_layout
