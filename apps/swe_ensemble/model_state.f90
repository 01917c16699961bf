! Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
!> The prognostic fields of one subdomain on an Arakawa C grid, and the weather that they start with.
module model_state
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use command_line, only: options_type
  use ensemble_layout, only: layout_type
  implicit none
  private
  public :: initialise
  public :: surface, zonal, meridional, fields
  public :: gravity, coriolis, mean_depth, cell_size, time_step

  !> Indices of the fields in a state: surface height above the mean depth at cell centres (m), velocity to the east at
  !> west faces and to the north at south faces (m/s). A state has the shape (0:nx+1, 0:rows+1, fields): one halo cell.
  integer, parameter :: surface = 1, zonal = 2, meridional = 3, fields = 3

  real(real32), parameter :: gravity = 9.81       !< m/s^2
  real(real32), parameter :: coriolis = 1.0e-4    !< 1/s
  real(real32), parameter :: mean_depth = 1000.0  !< m
  real(real32), parameter :: cell_size = 5000.0   !< m
  !> Gravity waves cross 0.4 cells in a step; the scheme bears 0.61.
  real(real32), parameter :: time_step = 0.4*cell_size/sqrt(gravity*mean_depth)  !< s

contains

  !> A cyclone and an anticyclone in geostrophic balance and a heap of water that is not, displaced a little
  !> differently in every member. Sets the cells that the rank owns; the halo comes from the exchange.
  subroutine initialise(options, layout, state)
    type(options_type), intent(in) :: options
    type(layout_type), intent(in) :: layout
    real(real32), intent(out) :: state(0:options%nx + 1, 0:layout%rows + 1, fields)
    real(real64), parameter :: golden_angle = 2.399963229728653_real64
    real(real64), parameter :: largest_radius = 100.0_real64  ! cells; higher hills would be too much for the depth
    real(real64) :: east, north
    integer :: i, j

    state = 0.0
    east = 0.01_real64*cos(golden_angle*layout%member)
    north = 0.01_real64*sin(golden_angle*layout%member)
    do j = 1, layout%rows
      do i = 1, options%nx
        call add_vortex(0.35_real64 + east, 0.40_real64 + north, -1.0_real64, .true.)
        call add_vortex(0.62_real64 - north, 0.58_real64 + east, 0.75_real64, .true.)
        call add_vortex(0.50_real64 + north, 0.75_real64 - east, 0.1_real64, .false.)
      end do
    end do

  contains

    !> Adds a Gaussian hill around a point given in parts of the domain; `steepness` is its height in metres per cell of
    !> its radius, which makes the wind the same on every grid; `balanced`: with the geostrophic wind.
    subroutine add_vortex(centre_x, centre_y, steepness, balanced)
      real(real64), intent(in) :: centre_x, centre_y, steepness
      logical, intent(in) :: balanced
      real(real64) :: radius, height, x, y, wind

      radius = min(0.04_real64*min(options%nx, options%ny), largest_radius)
      height = steepness*radius
      x = i - 0.5_real64 - centre_x*options%nx
      y = layout%first_row + j - 1.5_real64 - centre_y*options%ny
      state(i, j, surface) = state(i, j, surface) + real(height*gaussian(x, y, radius), real32)
      if (.not. balanced) return
      wind = height*gravity/(real(coriolis, real64)*cell_size*radius**2)
      state(i, j, zonal) = state(i, j, zonal) + real(wind*y*gaussian(x - 0.5_real64, y, radius), real32)
      state(i, j, meridional) = state(i, j, meridional) - real(wind*x*gaussian(x, y - 0.5_real64, radius), real32)
    end subroutine add_vortex
  end subroutine initialise

  pure real(real64) function gaussian(x, y, radius)
    real(real64), intent(in) :: x, y, radius

    gaussian = exp(-(x**2 + y**2)/(2.0_real64*radius**2))
  end function gaussian
end module model_state
