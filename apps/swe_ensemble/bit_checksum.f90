! Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
!> A 62-bit checksum of the bits of FP32 numbers.
module bit_checksum
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32
  implicit none
  private
  public :: checksum_type, add_reals, add_checksum, checksum_text

  !> Two polynomial hashes modulo the prime 2^31 - 1: no product leaves the range of int64, as FNV's would.
  type :: checksum_type
    integer(int64) :: hashes(2) = [1_int64, 2_int64]
  end type checksum_type

  integer(int64), parameter :: modulus = 2147483647_int64
  integer(int64), parameter :: multipliers(2) = [16777619_int64, 1103515245_int64]

contains

  subroutine add_reals(checksum, values)
    type(checksum_type), intent(inout) :: checksum
    real(real32), intent(in) :: values(:, :, :)
    integer :: i, j, k

    do k = 1, size(values, 3)
      do j = 1, size(values, 2)
        do i = 1, size(values, 1)
          call add_word(checksum, iand(int(transfer(values(i, j, k), 0_int32), int64), 4294967295_int64))
        end do
      end do
    end do
  end subroutine add_reals

  !> Adds another checksum, so that those of several subdomains become one.
  subroutine add_checksum(checksum, other)
    type(checksum_type), intent(inout) :: checksum
    type(checksum_type), intent(in) :: other

    call add_word(checksum, other%hashes(1))
    call add_word(checksum, other%hashes(2))
  end subroutine add_checksum

  !> Sixteen hexadecimal digits.
  function checksum_text(checksum) result(text)
    type(checksum_type), intent(in) :: checksum
    character(len=16) :: text

    write (text, '(2z8.8)') checksum%hashes
  end function checksum_text

  subroutine add_word(checksum, word)
    type(checksum_type), intent(inout) :: checksum
    integer(int64), intent(in) :: word  !< 0 to 2^32 - 1

    checksum%hashes = mod(checksum%hashes*multipliers + word, modulus)
  end subroutine add_word
end module bit_checksum
