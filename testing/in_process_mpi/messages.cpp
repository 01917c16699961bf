// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Messages and requests. A message takes some turns; messages from one rank to another arrive in order. By chance it
// takes its bytes with it at once, or leaves them where they are until it was received: until then the send waits.
#include <algorithm>
#include <cstring>

#include "testing/in_process_mpi/world.hpp"

namespace airamp::testing {

Request* find_request(MPI_Request request) {
  const auto found = world().requests.find(number_of(request));
  return found != world().requests.end() ? found->second.get() : nullptr;
}

namespace {

constexpr std::uint64_t longest_way = 12;  // turns

bool is_done(const Request& request) {
  return request.complete || (request.meeting != nullptr && request.meeting->complete);
}

/// Gives a message to the receive that it matches.
void deliver(Message& message, Request& receive) {
  const std::byte* const from = message.waiting != nullptr ? message.waiting->buffer : message.bytes.data();
  const std::size_t bytes = message.waiting != nullptr ? message.waiting->bytes : message.bytes.size();
  if (bytes > receive.bytes) receive.error = MPI_ERR_TRUNCATE;
  const std::size_t taken = std::min(bytes, receive.bytes);
  if (taken > 0) std::memcpy(receive.buffer, from, taken);
  receive.complete = true;
  if (message.waiting != nullptr) message.waiting->complete = true;
  world().turns.note_progress();
}

/// A message has come: the first receive that matches gets it, or it waits for one.
void arrive(Communicator& comm, int receiver, Message message) {
  auto& receives = comm.receives[static_cast<std::size_t>(receiver)];
  const auto receive = std::find_if(receives.begin(), receives.end(), [&](const Request* posted) {
    return posted->peer == message.sender && posted->tag == message.tag;
  });
  if (receive == receives.end()) {
    comm.arrived[static_cast<std::size_t>(receiver)].push_back(std::move(message));
    return;
  }
  deliver(message, **receive);
  receives.erase(receive);
}

Touched memory_in(const Communicator& comm, int rank) {
  return memory_of(comm.members[static_cast<std::size_t>(rank)]);
}

/// What a call about a request touches beside its own rank's memory. A receive takes what its sender still has; in a
/// collective that has been started, who comes last moves the data of all.
Touched touched_by(const Request& request) {
  if (request.kind == Request::Kind::collective) return all_memory;
  return request.kind == Request::Kind::receive ? memory_in(*request.comm, request.peer) : 0;
}

void start_send(Request& send) {
  Communicator& comm = *send.comm;
  Turns& turns = world().turns;
  auto message = std::make_shared<Message>(Message{.sender = send.owner, .tag = send.tag, .bytes = {}});
  const bool takes_bytes = turns.takes_bytes();
  if (takes_bytes) {
    message->bytes.assign(send.buffer, send.buffer + send.bytes);
    send.complete = true;
  } else {
    message->waiting = &send;
  }
  world().seconds += world().costs.message_seconds;
  if (turns.has_scheduler()) {
    const Touched sender = takes_bytes ? 0 : memory_in(comm, send.owner);
    turns.send({&comm, {send.owner, send.peer}}, sender | memory_in(comm, send.peer),
               [&comm, receiver = send.peer, message] { arrive(comm, receiver, *message); });
    return;
  }
  std::uint64_t& latest = comm.latest[{send.owner, send.peer}];
  latest = std::max(latest, turns.now() + turns.draw(longest_way));
  turns.later(latest - turns.now(), [&comm, receiver = send.peer, message] { arrive(comm, receiver, *message); });
}

void start_receive(Request& receive) {
  auto& arrived = receive.comm->arrived[static_cast<std::size_t>(receive.owner)];
  const auto message = std::find_if(arrived.begin(), arrived.end(), [&](const Message& there) {
    return there.sender == receive.peer && there.tag == receive.tag;
  });
  if (message == arrived.end()) {
    receive.comm->receives[static_cast<std::size_t>(receive.owner)].push_back(&receive);
    return;
  }
  deliver(*message, receive);
  arrived.erase(message);
}

int make_request(const char* name, Request::Kind kind, void* buffer, int count, MPI_Datatype type, int peer, int tag,
                 MPI_Comm comm, MPI_Request* request) {
  const Call call(name, comm);
  if (call.error != MPI_SUCCESS) return call.error;
  Communicator* const there = find_communicator(comm);
  if (there == nullptr) return misuse(std::string(name) + " without a communicator");
  const bool valid = peer >= 0 && peer < there->size() && tag >= 0 && tag <= world().plan.largest_tag;
  if (!valid) return misuse(std::string(name) + " with a rank or a tag that is none");
  const std::uintptr_t number = new_number();
  world().requests.emplace(
      number, std::make_unique<Request>(Request{.kind = kind,
                                                .persistent = true,
                                                .comm = there,
                                                .owner = own_rank(*there),
                                                .peer = peer,
                                                .tag = tag,
                                                .buffer = static_cast<std::byte*>(buffer),
                                                .bytes = static_cast<std::size_t>(count) * find_type(type)->size}));
  *request = handle_of<MPI_Request>(number);
  return MPI_SUCCESS;
}

int send_init(const void* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return make_request("Send_init", Request::Kind::send, const_cast<void*>(buffer), count, type, peer, tag, comm,
                      request);
}

int recv_init(void* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request* request) {
  return make_request("Recv_init", Request::Kind::receive, buffer, count, type, peer, tag, comm, request);
}

/// A call about one request. Errors go to the handler of its communicator.
struct OnRequest : Call {
  OnRequest(const char* function, MPI_Request handle) : Call(function, MPI_COMM_NULL), request(find_request(handle)) {
    if (request == nullptr && error == MPI_SUCCESS) error = misuse(std::string(function) + " of no request");
    const bool injected = error != MPI_SUCCESS && !world().turns.stopped();
    if (injected && request->comm != nullptr) raise(*request->comm, own_rank(*request->comm), error);
  }

  Request* request;
};

int start(MPI_Request* handle) {
  const OnRequest call("Start", *handle);
  if (call.error != MPI_SUCCESS) return call.error;
  Request& request = *call.request;
  if (request.active) return misuse("MPI_Start of an active request");
  world().turns.before_step(touched_by(request));
  request.active = true;
  request.complete = false;
  request.error = MPI_SUCCESS;
  switch (request.kind) {
    case Request::Kind::send:
      start_send(request);
      return MPI_SUCCESS;
    case Request::Kind::receive:
      start_receive(request);
      return MPI_SUCCESS;
    default:
      return request.start();
  }
}

/// After a request is done: inactive, or gone.
int end(MPI_Request* handle, Request& request) {
  const int error = request.error;
  request.active = false;
  request.meeting.reset();
  if (!request.persistent) {
    world().requests.erase(number_of(*handle));
    *handle = MPI_REQUEST_NULL;
  }
  return error;
}

std::string describe(const Request& request) {
  if (request.kind == Request::Kind::collective) return "MPI_Wait for a collective";
  return std::string("MPI_Wait for a ") + (request.kind == Request::Kind::send ? "send to" : "receive from") +
         " rank " + std::to_string(request.peer) + ", tag " + std::to_string(request.tag);
}

int wait(MPI_Request* handle, MPI_Status*) {
  if (*handle == MPI_REQUEST_NULL) return MPI_SUCCESS;
  const OnRequest call("Wait", *handle);
  if (call.error != MPI_SUCCESS) return call.error;
  Request& request = *call.request;
  if (!request.active) return MPI_SUCCESS;
  world().turns.before_step(touched_by(request));
  if (!is_done(request) && !world().turns.wait_until([&] { return is_done(request); }, describe(request)))
    return MPI_ERR_OTHER;
  const int error = end(handle, request);
  return error != MPI_SUCCESS ? misuse("a message is longer than its receive") : MPI_SUCCESS;
}

/// A request for once.
int start_and_wait(MPI_Request request) {
  if (const int error = start(&request); error != MPI_SUCCESS) return error;
  find_request(request)->persistent = false;
  return wait(&request, MPI_STATUS_IGNORE);
}

int send(const void* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int error = send_init(buffer, count, type, peer, tag, comm, &request);
  return error == MPI_SUCCESS ? start_and_wait(request) : error;
}

int recv(void* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Status*) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int error = recv_init(buffer, count, type, peer, tag, comm, &request);
  return error == MPI_SUCCESS ? start_and_wait(request) : error;
}

int test(MPI_Request* handle, int* done, MPI_Status*) {
  *done = *handle == MPI_REQUEST_NULL ? 1 : 0;
  if (*done != 0) return MPI_SUCCESS;
  const OnRequest call("Test", *handle);
  if (call.error != MPI_SUCCESS) return call.error;
  world().turns.before_look(touched_by(*call.request));
  *done = is_done(*call.request) ? 1 : 0;
  if (*done == 0) world().turns.pass();
  return *done != 0 ? end(handle, *call.request) : MPI_SUCCESS;
}

int cancel(MPI_Request* handle) {
  const OnRequest call("Cancel", *handle);
  if (call.error != MPI_SUCCESS) return call.error;
  Request& request = *call.request;
  if (request.kind != Request::Kind::receive) return misuse("MPI_Cancel of what is no receive");
  world().turns.before_step();
  if (!request.complete) std::erase(request.comm->receives[static_cast<std::size_t>(request.owner)], &request);
  request.complete = true;
  return MPI_SUCCESS;
}

int request_free(MPI_Request* handle) {
  const Call call("Request_free");
  Request* const request = find_request(*handle);
  if (request == nullptr) return misuse("MPI_Request_free of no request");
  if (request->active && !is_done(*request) && !world().turns.stopped())
    misuse("MPI_Request_free of a request that is under way");
  // what is under way may still look at it
  if (!request->active || is_done(*request)) world().requests.erase(number_of(*handle));
  *handle = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

int grequest_start(MPI_Grequest_query_function*, MPI_Grequest_free_function*, MPI_Grequest_cancel_function*, void*,
                   MPI_Request* request) {
  const Call call("Grequest_start");
  if (call.error != MPI_SUCCESS) return call.error;
  const std::uintptr_t number = new_number();
  world().requests.emplace(number,
                           std::make_unique<Request>(Request{.kind = Request::Kind::generalized, .active = true}));
  *request = handle_of<MPI_Request>(number);
  return MPI_SUCCESS;
}

int grequest_complete(MPI_Request request) {
  const OnRequest call("Grequest_complete", request);
  if (call.error == MPI_SUCCESS) call.request->complete = true;
  return call.error;
}

}  // namespace

void add_messages(pmpi::Native& table) {
  table.Send_init = send_init;
  table.Recv_init = recv_init;
  table.MPI_Send = send;
  table.MPI_Recv = recv;
  table.MPI_Start = start;
  table.MPI_Wait = wait;
  table.MPI_Test = test;
  table.MPI_Cancel = cancel;
  table.MPI_Request_free = request_free;
  table.Grequest_start = grequest_start;
  table.Grequest_complete = grequest_complete;
}

}  // namespace airamp::testing
