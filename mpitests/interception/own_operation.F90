! Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
! A reduction operation as an external subroutine: the one form that all three bindings take.
#if defined(BINDING_MPI_F08)
subroutine add_integers(in, inout, length, datatype)
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr
  use mpi_f08, only: MPI_Datatype
  implicit none
  type(c_ptr), value :: in, inout
  integer :: length
  type(MPI_Datatype) :: datatype
  integer, pointer :: a(:), b(:)
  call c_f_pointer(in, a, [length])
  call c_f_pointer(inout, b, [length])
  if (datatype%MPI_VAL /= huge(0)) b = b + a
end subroutine
#else
subroutine add_integers(in, inout, length, datatype)
  implicit none
  integer :: length, datatype
  integer :: in(length), inout(length)
  if (datatype /= huge(0)) inout = inout + in
end subroutine
#endif
