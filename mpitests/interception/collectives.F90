! Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
! The calls of the C program from Fortran, through the binding that BINDING_* names: mpif.h, use mpi or use mpi_f08.
! Usage: PROGRAM TALLY.json [thread]
#include "mpi_binding.inc"

module collectives
  use tally
  USE_MPI
  implicit none
#ifdef MPIF_H
  include 'mpif.h'
#endif
  integer, parameter :: elements = 5, max_ranks = 16, integer_bytes = storage_size(0) / 8
  integer :: rank, ranks, error
  integer :: i
contains
  function values(r)
    integer, intent(in) :: r
    integer :: values(elements), k
    values = [(100 * (r + 1) + 7 * k, k = 1, elements)]
  end function

  function sums(n)
    integer, intent(in) :: n
    integer :: sums(elements), r
    sums = 0
    do r = 0, n - 1
      sums = sums + values(r)
    end do
  end function

  subroutine expect_gathered(data, stride, what)
    integer, intent(in) :: data(:), stride
    character(*), intent(in) :: what
    integer :: r
    do r = 0, ranks - 1
      call expect(all(data(r * stride + 1:r * stride + elements) == values(r)), what)
    end do
  end subroutine

  subroutine call_allreduce_forms()
    integer, asynchronous :: send(elements), receive(elements)
    REQUEST_T :: request
    send = values(rank)
    receive = 0
    call add('MPI_Allreduce')
    call MPI_Allreduce(send, receive, elements, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call expect(error == MPI_SUCCESS .and. all(receive == sums(ranks)), 'MPI_Allreduce')
    receive = values(rank)
    call add('MPI_Allreduce')
    call MPI_Allreduce(MPI_IN_PLACE, receive, elements, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call expect(all(receive == sums(ranks)), 'MPI_Allreduce in place')
    receive = 0
    call add('MPI_Iallreduce')
    call MPI_Iallreduce(send, receive, elements, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, error)
    call add('MPI_Wait')
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call expect(all(receive == sums(ranks)), 'MPI_Iallreduce')
    receive = values(rank)
    call add('MPI_Iallreduce')
    call MPI_Iallreduce(MPI_IN_PLACE, receive, elements, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, error)
    call add('MPI_Wait')
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call expect(all(receive == sums(ranks)), 'MPI_Iallreduce in place')
  end subroutine

  subroutine call_gather_forms()
    integer, parameter :: stride = elements + 2
    integer, asynchronous :: send(elements), receive(max_ranks * stride)
    integer :: counts(max_ranks), displacements(max_ranks)
    REQUEST_T :: request
    send = values(rank)
    counts = elements
    displacements = [(i * stride, i = 0, max_ranks - 1)]
    receive = 0
    call add('MPI_Allgather')
    call MPI_Allgather(send, elements, MPI_INTEGER, receive, elements, MPI_INTEGER, MPI_COMM_WORLD, error)
    call expect_gathered(receive, elements, 'MPI_Allgather')
    receive = 0
    receive(rank * elements + 1:(rank + 1) * elements) = values(rank)
    call add('MPI_Allgather')
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, receive, elements, MPI_INTEGER, MPI_COMM_WORLD, error)
    call expect_gathered(receive, elements, 'MPI_Allgather in place')
    receive = 0
    call add('MPI_Iallgather')
    call MPI_Iallgather(send, elements, MPI_INTEGER, receive, elements, MPI_INTEGER, MPI_COMM_WORLD, request, error)
    call add('MPI_Wait')
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call expect_gathered(receive, elements, 'MPI_Iallgather')
    receive = 0
    call add('MPI_Allgatherv')
    call MPI_Allgatherv(send, elements, MPI_INTEGER, receive, counts, displacements, MPI_INTEGER, MPI_COMM_WORLD, error)
    call expect_gathered(receive, stride, 'MPI_Allgatherv')
    receive = 0
    receive(rank * stride + 1:rank * stride + elements) = values(rank)
    call add('MPI_Allgatherv')
    call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, receive, counts, displacements, MPI_INTEGER, &
                        MPI_COMM_WORLD, error)
    call expect_gathered(receive, stride, 'MPI_Allgatherv in place')
    receive = 0
    call add('MPI_Iallgatherv')
    call MPI_Iallgatherv(send, elements, MPI_INTEGER, receive, counts, displacements, MPI_INTEGER, MPI_COMM_WORLD, &
                         request, error)
    call add('MPI_Wait')
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
    call expect_gathered(receive, stride, 'MPI_Iallgatherv')
  end subroutine

  ! To the next rank, from the one before.
  subroutine call_point_to_point()
    integer, parameter :: tag = 3
    integer, asynchronous :: send(elements), receive(elements)
    integer :: left, right
    REQUEST_T :: requests(2)
#ifdef BINDING_MPI_F08
    type(MPI_Status) :: status, statuses(2)
#else
    integer :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2)
#endif
    left = mod(rank + ranks - 1, ranks)
    right = mod(rank + 1, ranks)
    send = values(rank)
    receive = 0
    call MPI_Irecv(receive, elements, MPI_INTEGER, left, tag, MPI_COMM_WORLD, requests(1), error)
    call MPI_Isend(send, elements, MPI_INTEGER, right, tag, MPI_COMM_WORLD, requests(2), error)
    call add('MPI_Waitall')
    call MPI_Waitall(2, requests, statuses, error)
    call expect(error == MPI_SUCCESS .and. all(receive == values(left)), 'MPI_Waitall')
    receive = 0
    call MPI_Irecv(receive, elements, MPI_INTEGER, left, tag, MPI_COMM_WORLD, requests(1), error)
    call add('MPI_Send')
    call MPI_Send(send, elements, MPI_INTEGER, right, tag, MPI_COMM_WORLD, error)
    call add('MPI_Wait')
    call MPI_Wait(requests(1), status, error)
    call expect(all(receive == values(left)) .and. SOURCE_IN(status) == left, 'MPI_Send and MPI_Wait')
    receive = 0
    call MPI_Isend(send, elements, MPI_INTEGER, right, tag, MPI_COMM_WORLD, requests(1), error)
    call add('MPI_Recv')
    call MPI_Recv(receive, elements, MPI_INTEGER, left, tag, MPI_COMM_WORLD, status, error)
    call expect(all(receive == values(left)) .and. SOURCE_IN(status) == left, 'MPI_Recv')
    call add('MPI_Wait')
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
    receive = 0
    call add('MPI_Sendrecv')
    call MPI_Sendrecv(send, elements, MPI_INTEGER, right, tag, receive, elements, MPI_INTEGER, left, tag, &
                      MPI_COMM_WORLD, status, error)
    call expect(all(receive == values(left)) .and. SOURCE_IN(status) == left, 'MPI_Sendrecv')
  end subroutine

  subroutine call_rooted()
    integer :: send(max_ranks * elements), receive(max_ranks * elements), root
    root = ranks - 1
    send(:elements) = values(rank)
    call add('MPI_Bcast')
    call MPI_Bcast(send, elements, MPI_INTEGER, root, MPI_COMM_WORLD, error)
    call expect(all(send(:elements) == values(root)), 'MPI_Bcast')
    send(:elements) = values(rank)
    call add('MPI_Reduce')
    call MPI_Reduce(send, receive, elements, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, error)
    if (rank == root) call expect(all(receive(:elements) == sums(ranks)), 'MPI_Reduce')
    call add('MPI_Gather')
    call MPI_Gather(send, elements, MPI_INTEGER, receive, elements, MPI_INTEGER, root, MPI_COMM_WORLD, error)
    if (rank == root) call expect_gathered(receive, elements, 'MPI_Gather')
    send = [(values(i), i = 0, max_ranks - 1)]
    call add('MPI_Scatter')
    call MPI_Scatter(send, elements, MPI_INTEGER, receive, elements, MPI_INTEGER, root, MPI_COMM_WORLD, error)
    call expect(all(receive(:elements) == values(rank)), 'MPI_Scatter')
    call call_rooted_with_counts(root)
  end subroutine

  subroutine call_rooted_with_counts(root)
    integer, intent(in) :: root
    integer :: send(max_ranks * elements), receive(max_ranks * elements)
    integer :: counts(max_ranks), displacements(max_ranks)
    counts = merge(elements, -1, rank == root)  ! not significant elsewhere
    displacements = [(i * elements, i = 0, max_ranks - 1)]
    send(:elements) = values(rank)
    call add('MPI_Gatherv')
    call MPI_Gatherv(send, elements, MPI_INTEGER, receive, counts, displacements, MPI_INTEGER, root, &
                     MPI_COMM_WORLD, error)
    if (rank == root) call expect_gathered(receive, elements, 'MPI_Gatherv')
    send = [(values(i), i = 0, max_ranks - 1)]
    receive = 0
    call add('MPI_Scatterv')
    call MPI_Scatterv(send, counts, displacements, MPI_INTEGER, receive, elements, MPI_INTEGER, root, &
                      MPI_COMM_WORLD, error)
    call expect(all(receive(:elements) == values(rank)), 'MPI_Scatterv')
  end subroutine

  subroutine call_rootless()
    integer :: send(max_ranks * elements), receive(max_ranks * elements)
    integer :: counts(max_ranks), displacements(max_ranks)
    DATATYPE_T :: types(max_ranks)
    send = [(values(rank), i = 1, max_ranks)]
    types = MPI_INTEGER
    counts = elements
    displacements = [(i * elements, i = 0, max_ranks - 1)]
    receive = 0
    call add('MPI_Alltoall')
    call MPI_Alltoall(send, elements, MPI_INTEGER, receive, elements, MPI_INTEGER, MPI_COMM_WORLD, error)
    call expect_gathered(receive, elements, 'MPI_Alltoall')
    receive = 0
    call add('MPI_Alltoallv')
    call MPI_Alltoallv(send, counts, displacements, MPI_INTEGER, receive, counts, displacements, MPI_INTEGER, &
                       MPI_COMM_WORLD, error)
    call expect_gathered(receive, elements, 'MPI_Alltoallv')
    receive = 0
    call add('MPI_Alltoallw')
    call MPI_Alltoallw(send, counts, displacements * integer_bytes, types, receive, counts, &
                       displacements * integer_bytes, types, MPI_COMM_WORLD, error)
    call expect_gathered(receive, elements, 'MPI_Alltoallw')
    call add('MPI_Reduce_scatter')
    call MPI_Reduce_scatter(send, receive, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call expect(all(receive(:elements) == sums(ranks)), 'MPI_Reduce_scatter')
    call add('MPI_Reduce_scatter_block')
    call MPI_Reduce_scatter_block(send, receive, elements, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call expect(all(receive(:elements) == sums(ranks)), 'MPI_Reduce_scatter_block')
    call add('MPI_Scan')
    call MPI_Scan(send, receive, elements, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call expect(all(receive(:elements) == sums(rank + 1)), 'MPI_Scan')
    call add('MPI_Exscan')
    call MPI_Exscan(send, receive, elements, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    if (rank > 0) call expect(all(receive(:elements) == sums(rank)), 'MPI_Exscan')
    do i = 1, 3
      call add('MPI_Barrier')
      call MPI_Barrier(MPI_COMM_WORLD, error)
    end do
  end subroutine

  ! On a ring of which every rank receives from its left neighbour first, then from itself.
  subroutine call_on_neighbours()
    integer :: send(2 * elements), receive(2 * elements), counts(2), displacements(2)
    integer :: left, right
    integer(MPI_ADDRESS_KIND) :: byte_displacements(2)
    DATATYPE_T :: types(2)
    COMM_T :: ring
    left = modulo(rank - 1, ranks)
    right = modulo(rank + 1, ranks)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, [left, rank], MPI_UNWEIGHTED, 2, [right, rank], &
                                        MPI_UNWEIGHTED, MPI_INFO_NULL, .false., ring, error)
    send = [values(rank), values(rank)]
    counts = elements
    displacements = [0, elements]
    byte_displacements = displacements * integer_bytes
    types = MPI_INTEGER
    receive = 0
    call add('MPI_Neighbor_allgather')
    call MPI_Neighbor_allgather(send, elements, MPI_INTEGER, receive, elements, MPI_INTEGER, ring, error)
    call expect(all(receive == [values(left), values(rank)]), 'MPI_Neighbor_allgather')
    receive = 0
    call add('MPI_Neighbor_allgatherv')
    call MPI_Neighbor_allgatherv(send, elements, MPI_INTEGER, receive, counts, displacements, MPI_INTEGER, ring, error)
    call expect(all(receive == [values(left), values(rank)]), 'MPI_Neighbor_allgatherv')
    receive = 0
    call add('MPI_Neighbor_alltoall')
    call MPI_Neighbor_alltoall(send, elements, MPI_INTEGER, receive, elements, MPI_INTEGER, ring, error)
    call expect(all(receive == [values(left), values(rank)]), 'MPI_Neighbor_alltoall')
    receive = 0
    call add('MPI_Neighbor_alltoallv')
    call MPI_Neighbor_alltoallv(send, counts, displacements, MPI_INTEGER, receive, counts, displacements, &
                                MPI_INTEGER, ring, error)
    call expect(all(receive == [values(left), values(rank)]), 'MPI_Neighbor_alltoallv')
    receive = 0
    call add('MPI_Neighbor_alltoallw')
    call MPI_Neighbor_alltoallw(send, counts, byte_displacements, types, receive, counts, byte_displacements, types, &
                                ring, error)
    call expect(all(receive == [values(left), values(rank)]), 'MPI_Neighbor_alltoallw')
    call add('MPI_Comm_free')
    call MPI_Comm_free(ring, error)
  end subroutine

  subroutine call_with_info()
    COMM_T :: communicator
    INFO_T :: info
    call MPI_Comm_dup(MPI_COMM_WORLD, communicator, error)
    call MPI_Info_create(info, error)
    call MPI_Info_set(info, 'airamp_compress', 'false', error)
    call add('MPI_Comm_set_info')
    call MPI_Comm_set_info(communicator, info, error)
    call MPI_Info_free(info, error)
    call add('MPI_Barrier')
    call MPI_Barrier(communicator, error)
    call add('MPI_Comm_free')
    call MPI_Comm_free(communicator, error)
  end subroutine

  subroutine call_with_own_operation()
    integer :: send(elements), receive(elements)
    OP_T :: operation
    external :: add_integers
    call add('MPI_Op_create')
    call MPI_Op_create(add_integers, .true., operation, error)
    send = values(rank)
    call add('MPI_Allreduce')
    call MPI_Allreduce(send, receive, elements, MPI_INTEGER, operation, MPI_COMM_WORLD, error)
    call expect(all(receive == sums(ranks)), 'MPI_Allreduce with an own operation')
    call add('MPI_Op_free')
    call MPI_Op_free(operation, error)
  end subroutine
end module

program interception
  use collectives
  implicit none
  character(4096) :: path, variant
  integer :: provided, wrong
  call get_command_argument(1, path)
  call get_command_argument(2, variant)
  if (variant == 'thread') then
    call add('MPI_Init_thread')
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
  else
    call add('MPI_Init')
    call MPI_Init(error)
  end if
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call call_allreduce_forms()
  call call_gather_forms()
  call call_point_to_point()
  call call_rooted()
  call call_rootless()
  call call_on_neighbours()
  call call_with_info()
  call call_with_own_operation()
  call add('MPI_Pcontrol')
  call MPI_Pcontrol(0)
  call add('MPI_Pcontrol')
  call MPI_Pcontrol(1)
  call add('MPI_Finalize')
  wrong = c_write(trim(path)//c_null_char, int(rank, c_int))
  call MPI_Finalize(error)
  if (wrong /= 0) stop 1
end program
