! Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
!> The lines that the program prints at its end.
module report
  use, intrinsic :: iso_fortran_env, only: int64, output_unit, real64
  use mpi_f08
  use bit_checksum, only: add_checksum, add_reals, checksum_text, checksum_type
  use command_line, only: options_type
  use diagnostics, only: budget_type
  use ensemble_layout, only: layout_type
  use ensemble_statistics, only: statistics_type
  use model_state, only: surface
  implicit none
  private
  public :: print_report

contains

  !> Collective over MPI_COMM_WORLD; rank 0 prints. `first` and `last`: the member's budget before and after the run;
  !> `courant`: the largest Courant number of the run; `loop_seconds`: of this rank's time steps.
  subroutine print_report(options, layout, statistics, first, last, courant, loop_seconds)
    type(options_type), intent(in) :: options
    type(layout_type), intent(in) :: layout
    type(statistics_type), intent(in) :: statistics
    type(budget_type), intent(in) :: first, last
    real(real64), intent(in) :: courant, loop_seconds
    real(real64) :: drifts(3), worst(3), seconds(size(statistics%seconds)), variance
    type(checksum_type) :: checksum
    logical :: agree

    drifts = [abs(last%mass/first%mass - 1.0), abs(last%energy/first%energy - 1.0), courant]
    call MPI_Reduce(drifts, worst, size(drifts), MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD)
    call MPI_Reduce(statistics%seconds, seconds, size(seconds), MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD)
    ! Every member holds the same variance of its subdomains; a sum over one member is that of the domain.
    call MPI_Allreduce(sum(real(statistics%variance(:, :, surface), real64)), variance, 1, MPI_DOUBLE_PRECISION, &
                       MPI_SUM, layout%member_comm)
    call combine_checksums(layout, statistics, checksum, agree)
    if (layout%rank /= 0) return
    write (output_unit, '(a,i0)') 'ranks ', layout%ranks
    write (output_unit, '(a,i0)') 'members ', layout%members
    write (output_unit, '(a,i0,a,i0)') 'grid ', options%nx, ' x ', options%ny
    write (output_unit, '(a,i0)') 'steps ', options%steps
    write (output_unit, '(a,i0)') 'mean_bytes ', storage_size(statistics%mean)/8*size(statistics%mean, kind=int64)
    write (output_unit, '(a,i0)') 'allreduces ', size(seconds)
    write (output_unit, '(a,f10.6)') 'allreduce_seconds_median ', median(seconds)
    write (output_unit, '(a,f10.6)') 'allreduce_seconds_total ', sum(seconds)
    write (output_unit, '(a,f14.6)') 'loop_seconds ', loop_seconds
    write (output_unit, '(a,es12.5)') 'courant_number ', worst(3)
    write (output_unit, '(a,es12.5)') 'mass_drift ', worst(1)
    write (output_unit, '(a,es12.5)') 'energy ', last%energy
    write (output_unit, '(a,es12.5)') 'energy_drift ', worst(2)
    write (output_unit, '(a,es12.5)') 'ensemble_spread ', sqrt(variance/(real(options%nx, real64)*options%ny))
    write (output_unit, '(a,a)') 'checksum ', checksum_text(checksum)
    write (output_unit, '(a,a)') 'members_agree ', trim(merge('yes', 'no ', agree))
  end subroutine print_report

  !> On rank 0: the checksum of the ensemble mean of the whole domain, and whether all members hold the same mean.
  subroutine combine_checksums(layout, statistics, checksum, agree)
    type(layout_type), intent(in) :: layout
    type(statistics_type), intent(in) :: statistics
    type(checksum_type), intent(out) :: checksum
    logical, intent(out) :: agree
    type(checksum_type) :: own
    integer(int64) :: all(2, layout%subdomains, layout%members)
    integer :: member, subdomain

    call add_reals(own, statistics%mean)
    call MPI_Gather(own%hashes, 2, MPI_INTEGER8, all, 2, MPI_INTEGER8, 0, MPI_COMM_WORLD)
    agree = .false.
    if (layout%rank /= 0) return
    agree = .true.
    do subdomain = 1, layout%subdomains
      call add_checksum(checksum, checksum_type(all(:, subdomain, 1)))
      do member = 2, layout%members
        agree = agree .and. all(1, subdomain, member) == all(1, subdomain, 1) &
                .and. all(2, subdomain, member) == all(2, subdomain, 1)
      end do
    end do
  end subroutine combine_checksums

  pure real(real64) function median(values)
    real(real64), intent(in) :: values(:)
    real(real64) :: sorted(size(values)), value
    integer :: i, j

    sorted = values
    do i = 2, size(sorted)
      value = sorted(i)
      do j = i - 1, 1, -1
        if (sorted(j) <= value) exit
        sorted(j + 1) = sorted(j)
      end do
      sorted(j + 1) = value
    end do
    median = 0.5*(sorted((size(sorted) + 1)/2) + sorted(size(sorted)/2 + 1))
  end function median
end module report
