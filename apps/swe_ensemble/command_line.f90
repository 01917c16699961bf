! Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
!> The program's options.
module command_line
  use, intrinsic :: iso_fortran_env, only: error_unit, output_unit, real32
  implicit none
  private
  public :: options_type, read_options, print_help

  type :: options_type
    integer :: nx = 512             !< cells in x
    integer :: ny = 512             !< cells in y
    integer :: steps = 60           !< time steps
    integer :: members = 0          !< ensemble members; 0: the smallest divisor above 1 of the number of ranks
    integer :: mean_interval = 10   !< time steps between two ensemble means
    real(real32) :: nudging = 0.05  !< how far every mean pulls the members towards it, 0 to 1
    logical :: help = .false.
  end type options_type

contains

  !> Reads the command line. `message` comes back empty, or says what is wrong.
  subroutine read_options(options, message)
    type(options_type), intent(out) :: options
    character(len=*), intent(out) :: message
    character(len=64) :: name, text
    integer :: argument, status

    message = ''
    argument = 1
    do while (argument <= command_argument_count() .and. message == '')
      call get_command_argument(argument, name)
      if (name == '--help' .or. name == '-h') then
        options%help = .true.
        return
      end if
      if (argument == command_argument_count()) then
        message = trim(name)//': unknown option, or its value is missing'
        return
      end if
      call get_command_argument(argument + 1, text)
      status = 0
      select case (name)
      case ('--nx')
        call read_integer(text, 4, 65536, options%nx, status)
      case ('--ny')
        call read_integer(text, 4, 65536, options%ny, status)
      case ('--steps')
        call read_integer(text, 1, huge(1), options%steps, status)
      case ('--members')
        call read_integer(text, 0, huge(1), options%members, status)
      case ('--mean-interval')
        call read_integer(text, 1, huge(1), options%mean_interval, status)
      case ('--nudging')
        read (text, *, iostat=status) options%nudging
        if (status == 0 .and. .not. (options%nudging >= 0.0 .and. options%nudging <= 1.0)) status = 1
      case default
        message = trim(name)//': unknown option'
      end select
      if (status /= 0) message = trim(name)//': '//trim(text)//' is not allowed; see --help'
      argument = argument + 2
    end do
    if (message == '' .and. options%mean_interval > options%steps) &
      message = '--mean-interval: must not be larger than the number of steps'
  end subroutine read_options

  subroutine read_integer(text, lowest, highest, value, status)
    character(len=*), intent(in) :: text
    integer, intent(in) :: lowest, highest
    integer, intent(inout) :: value
    integer, intent(out) :: status
    integer :: number

    ! A list-directed read would take "12,5" or "3/4" for a number.
    status = merge(0, 1, len_trim(text) > 0 .and. verify(trim(text), '0123456789') == 0)
    if (status == 0) read (text, *, iostat=status) number
    if (status /= 0) return
    if (number < lowest .or. number > highest) then
      status = 1
    else
      value = number
    end if
  end subroutine read_integer

  subroutine print_help()
    character(len=*), parameter :: lines(*) = [character(len=100) :: &
      'Usage: swe_ensemble [OPTION VALUE]...', &
      'Ensemble of rotating shallow-water models: every member runs on a communicator of its own, and the', &
      'members'' states are averaged in FP32 by MPI_Allreduce.', &
      '', &
      '  --nx N             cells in x, 4 to 65536 (default 512)', &
      '  --ny N             cells in y, 4 to 65536, at least the ranks of a member (default 512)', &
      '  --steps N          time steps (default 60)', &
      '  --members N        ensemble members; must divide the number of ranks; 0: its smallest divisor', &
      '                     above 1 (default 0)', &
      '  --mean-interval N  time steps between two ensemble means (default 10)', &
      '  --nudging X        relaxation of the members towards every mean, 0 to 1 (default 0.05)', &
      '  --help             this text', &
      '', &
      'One ensemble mean takes two Allreduces of 12 * nx * ny / (ranks of a member) bytes: the sum of the', &
      'states, and in place the sum of their squared deviations.']
    integer :: i

    write (output_unit, '(a)') (trim(lines(i)), i=1, size(lines))
  end subroutine print_help
end module command_line
