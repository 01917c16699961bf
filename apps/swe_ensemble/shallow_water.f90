! Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
!> The rotating shallow-water equations in vector-invariant form, discretised as by Sadourny (1975): mass is conserved
!> exactly and energy up to the time steps' error.
module shallow_water
  use, intrinsic :: iso_fortran_env, only: real32
  use model_state, only: cell_size, coriolis, fields, gravity, mean_depth, meridional, surface, zonal
  implicit none
  private
  public :: workspace_type, make_workspace, compute_tendency

  !> Intermediate fields of compute_tendency, kept between calls.
  type :: workspace_type
    real(real32), allocatable :: flux_x(:, :), flux_y(:, :)  !< mass fluxes through west and south faces, m^2/s
    real(real32), allocatable :: vorticity(:, :)             !< potential vorticity at south-west corners, 1/(m s)
    real(real32), allocatable :: bernoulli(:, :)             !< potential and kinetic energy at centres, m^2/s^2
  end type workspace_type

  real(real32), parameter :: per_cell = 1.0/cell_size

contains

  subroutine make_workspace(nx, rows, work)
    integer, intent(in) :: nx, rows
    type(workspace_type), intent(out) :: work

    allocate (work%flux_x(0:nx + 1, 0:rows + 1), work%flux_y(0:nx + 1, 0:rows + 1), &
              work%vorticity(0:nx + 1, 0:rows + 1), work%bernoulli(0:nx + 1, 0:rows + 1), source=0.0)
  end subroutine make_workspace

  !> The time derivative of `state`, whose halo must be valid, in the cells that the rank owns.
  subroutine compute_tendency(nx, rows, state, work, tendency)
    integer, intent(in) :: nx, rows
    real(real32), intent(in) :: state(0:nx + 1, 0:rows + 1, fields)
    type(workspace_type), intent(inout) :: work
    real(real32), intent(inout) :: tendency(0:nx + 1, 0:rows + 1, fields)

    call compute_intermediate(nx, rows, state(:, :, surface), state(:, :, zonal), state(:, :, meridional), &
                              work%flux_x, work%flux_y, work%vorticity, work%bernoulli)
    call combine(nx, rows, work%flux_x, work%flux_y, work%vorticity, work%bernoulli, &
                 tendency(:, :, surface), tendency(:, :, zonal), tendency(:, :, meridional))
  end subroutine compute_tendency

  subroutine compute_intermediate(nx, rows, eta, u, v, flux_x, flux_y, vorticity, bernoulli)
    integer, intent(in) :: nx, rows
    real(real32), dimension(0:nx + 1, 0:rows + 1), intent(in) :: eta, u, v
    real(real32), dimension(0:nx + 1, 0:rows + 1), intent(inout) :: flux_x, flux_y, vorticity, bernoulli
    integer :: i, j

    do j = 0, rows
      do i = 1, nx + 1
        flux_x(i, j) = u(i, j)*(mean_depth + 0.5*(eta(i - 1, j) + eta(i, j)))
      end do
      do i = 0, nx
        bernoulli(i, j) = gravity*eta(i, j) + &
                          0.25*(u(i, j)**2 + u(i + 1, j)**2 + v(i, j)**2 + v(i, j + 1)**2)
      end do
    end do
    do j = 1, rows + 1
      do i = 0, nx
        flux_y(i, j) = v(i, j)*(mean_depth + 0.5*(eta(i, j - 1) + eta(i, j)))
      end do
      do i = 1, nx + 1
        vorticity(i, j) = (coriolis + per_cell*(v(i, j) - v(i - 1, j) - u(i, j) + u(i, j - 1))) &
                          /(mean_depth + 0.25*(eta(i, j) + eta(i - 1, j) + eta(i, j - 1) + eta(i - 1, j - 1)))
      end do
    end do
  end subroutine compute_intermediate

  subroutine combine(nx, rows, flux_x, flux_y, vorticity, bernoulli, d_eta, d_u, d_v)
    integer, intent(in) :: nx, rows
    real(real32), dimension(0:nx + 1, 0:rows + 1), intent(in) :: flux_x, flux_y, vorticity, bernoulli
    real(real32), dimension(0:nx + 1, 0:rows + 1), intent(inout) :: d_eta, d_u, d_v
    integer :: i, j

    do j = 1, rows
      do i = 1, nx
        d_eta(i, j) = -per_cell*(flux_x(i + 1, j) - flux_x(i, j) + flux_y(i, j + 1) - flux_y(i, j))
        d_u(i, j) = 0.25*(vorticity(i, j)*(flux_y(i, j) + flux_y(i - 1, j)) &
                          + vorticity(i, j + 1)*(flux_y(i, j + 1) + flux_y(i - 1, j + 1))) &
                    - per_cell*(bernoulli(i, j) - bernoulli(i - 1, j))
        d_v(i, j) = -0.25*(vorticity(i, j)*(flux_x(i, j) + flux_x(i, j - 1)) &
                           + vorticity(i + 1, j)*(flux_x(i + 1, j) + flux_x(i + 1, j - 1))) &
                    - per_cell*(bernoulli(i, j) - bernoulli(i, j - 1))
      end do
    end do
  end subroutine combine
end module shallow_water
