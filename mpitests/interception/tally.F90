! Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
! tally.h for Fortran.
module tally
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
  implicit none
  interface
    subroutine c_add(name) bind(C, name="tally_add")
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
    subroutine c_expect(right, what) bind(C, name="tally_expect")
      import :: c_char, c_int
      integer(c_int), value :: right
      character(kind=c_char), intent(in) :: what(*)
    end subroutine
    integer(c_int) function c_write(path, rank) bind(C, name="tally_write")
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), value :: rank
    end function
  end interface
contains
  subroutine add(name)
    character(*), intent(in) :: name
    call c_add(name//c_null_char)
  end subroutine

  subroutine expect(right, what)
    logical, intent(in) :: right
    character(*), intent(in) :: what
    call c_expect(merge(1_c_int, 0_c_int, right), what//c_null_char)
  end subroutine
end module
