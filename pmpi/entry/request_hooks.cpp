// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The functions that take requests. Where none is of AIRamp's they are the MPI library's. Else the library gets the
// others, with MPI_REQUEST_NULL in place of AIRamp's.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "pmpi/entry/hooks.hpp"
#include "pmpi/entry/timed_call.hpp"
#include "pmpi/job/counting.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/spin.hpp"
#include "pmpi/state/started/started_requests.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {
namespace {

bool any_started() noexcept { return started_requests().any(); }

StartedRequest* find(MPI_Request request) noexcept {
  return request != MPI_REQUEST_NULL ? started_requests().find(request) : nullptr;
}

bool is_any_started(int count, const MPI_Request* requests) noexcept {
  return any_started() && requests != nullptr &&
         std::any_of(requests, requests + std::max(count, 0), [](MPI_Request request) { return find(request); });
}

/// What MPI says of a request that has no status of its own (MPI-4.1, 3.7.3).
void set_empty(MPI_Status* status) noexcept {
  MPI_Request none = MPI_REQUEST_NULL;
  if (status != MPI_STATUS_IGNORE) native().MPI_Wait(&none, status);
}

MPI_Status* status_at(MPI_Status* statuses, int index) noexcept {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[index];
}

/// What becomes of a request whose collective is complete: it is inactive, or gone. Returns the collective's error.
struct Ended {
  int error;
  MPI_Comm comm;
  bool is_raised = false;
};
Ended end(StartedRequest& started, MPI_Request* request) {
  const Ended ended{.error = started.start.error, .comm = started.comm, .is_raised = started.is_raised};
  started_requests().deactivate(started);
  if (!started.is_persistent) {
    *request = MPI_REQUEST_NULL;
    started_requests().give_back(&started);
  }
  return ended;
}

int raise(const Ended& ended) {
  if (ended.error == MPI_SUCCESS || ended.is_raised) return ended.error;
  if (ended.error != MPI_ERR_BUFFER) {  // which is of a copy to or from a GPU, and the log has it
    telemetry::log(config::LogLevel::error, "the process of another rank has ended before it started a collective");
  }
  native().Comm_call_errhandler(ended.comm, ended.error);
  return ended.error;
}

/// The same in functions of one request.
int finish(StartedRequest& started, MPI_Request* request, MPI_Status* status) {
  set_empty(status);
  return raise(end(started, request));
}

/// Of those among `requests` that are AIRamp's the first that is complete; and whether there are any.
struct FirstComplete {
  int index = MPI_UNDEFINED;
  StartedRequest* started = nullptr;
};
FirstComplete first_complete(int count, const MPI_Request* requests) noexcept {
  for (int i = 0; i < count; ++i) {
    StartedRequest* const started = find(requests[i]);
    if (started != nullptr && started->is_complete()) return {.index = i, .started = started};
  }
  return {};
}

/// The MPI library goes on where no call of it does so by itself.
void progress(int count, const MPI_Request* requests) noexcept {
  for (int i = 0; i < count; ++i) {
    if (StartedRequest* const started = find(requests[i])) {
      started->test();
      return;
    }
  }
}

/// Several requests as the MPI library gets them. What it does to its own it does to the application's.
class OthersRequests {
 public:
  /// Throws std::bad_alloc.
  OthersRequests(int count, const MPI_Request* requests) : copies_(requests, requests + count) {
    for (MPI_Request& request : copies_) {
      if (find(request) != nullptr) request = MPI_REQUEST_NULL;
    }
  }

  MPI_Request* data() { return copies_.data(); }

  void write_back(MPI_Request* requests) const {
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      if (find(requests[i]) == nullptr) requests[i] = copies_[i];
    }
  }

 private:
  std::vector<MPI_Request> copies_;
};

/// Looks once whether one of several requests is complete, some of which are AIRamp's.
int test_any(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  if (const auto [at, started] = first_complete(count, requests); started != nullptr) {
    *index = at;
    *flag = 1;
    return finish(*started, &requests[at], status);
  }
  OthersRequests others(count, requests);
  const int error = native().MPI_Testany(count, others.data(), index, flag, status);
  others.write_back(requests);
  if (error == MPI_SUCCESS && *flag != 0 && *index == MPI_UNDEFINED) *flag = 0;  // AIRamp's are not
  if (error == MPI_SUCCESS && *flag == 0) progress(count, requests);
  return error;
}

/// The same, and takes all that are.
int test_some(int count, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses) {
  OthersRequests others(count, requests);
  const int error = native().MPI_Testsome(count, others.data(), outcount, indices, statuses);
  others.write_back(requests);
  if (error != MPI_SUCCESS && error != MPI_ERR_IN_STATUS) return error;
  int complete = *outcount == MPI_UNDEFINED ? 0 : *outcount;
  Ended failed{.error = MPI_SUCCESS, .comm = MPI_COMM_WORLD};
  for (int i = 0; i < count; ++i) {
    StartedRequest* const started = find(requests[i]);
    if (started == nullptr || !started->is_complete()) continue;
    set_empty(status_at(statuses, complete));
    indices[complete++] = i;
    if (const Ended ended = end(*started, &requests[i]); ended.error != MPI_SUCCESS) failed = ended;
  }
  *outcount = complete;
  if (complete == 0) progress(count, requests);
  return failed.error != MPI_SUCCESS ? raise(failed) : error;
}

/// After all of several requests are complete. Ends those that are AIRamp's, of which the MPI library knows nothing.
int end_all(int count, MPI_Request* requests, MPI_Status* statuses, int error) {
  Ended failed{.error = MPI_SUCCESS, .comm = MPI_COMM_WORLD};
  const bool has_statuses = statuses != MPI_STATUSES_IGNORE;
  for (int i = 0; i < count; ++i) {
    StartedRequest* const started = find(requests[i]);
    if (started == nullptr) continue;
    const Ended ended = end(*started, &requests[i]);
    if (ended.error == MPI_SUCCESS) continue;
    for (int k = 0; has_statuses && failed.error == MPI_SUCCESS && error == MPI_SUCCESS && k < count; ++k)
      statuses[k].MPI_ERROR = MPI_SUCCESS;
    if (has_statuses) statuses[i].MPI_ERROR = ended.error;
    failed = ended;
  }
  if (failed.error == MPI_SUCCESS) return error;
  raise(failed);
  return MPI_ERR_IN_STATUS;
}

bool are_complete(int count, const MPI_Request* requests) noexcept {
  return std::all_of(requests, requests + count, [](MPI_Request request) {
    StartedRequest* const started = find(request);
    return started == nullptr || started->is_complete();
  });
}

}  // namespace

int on_MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const TimedCall timed(Function::MPI_Wait);
  StartedRequest* const started = any_started() && request != nullptr ? find(*request) : nullptr;
  if (started == nullptr) return native().MPI_Wait(request, status);
  started->wait();
  return finish(*started, request, status);
}

int on_MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  const TimedCall timed(Function::MPI_Waitany);
  if (!is_any_started(count, requests)) return native().MPI_Waitany(count, requests, index, status);
  Spin spin;
  for (int flag = 0;; spin.once()) {
    const int error = test_any(count, requests, index, &flag, status);
    if (error != MPI_SUCCESS || flag != 0) return error;
  }
}

int on_MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  const TimedCall timed(Function::MPI_Waitall);
  if (!is_any_started(count, requests)) return native().MPI_Waitall(count, requests, statuses);
  for (int i = 0; i < count; ++i) {
    if (StartedRequest* const started = find(requests[i])) started->wait();
  }
  OthersRequests others(count, requests);
  const int error = native().MPI_Waitall(count, others.data(), statuses);
  others.write_back(requests);
  return end_all(count, requests, statuses, error);
}

int on_MPI_Waitsome(int incount, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses) {
  const TimedCall timed(Function::MPI_Waitsome);
  if (!is_any_started(incount, requests)) {
    return native().MPI_Waitsome(incount, requests, outcount, indices, statuses);
  }
  Spin spin;
  for (;; spin.once()) {
    const int error = test_some(incount, requests, outcount, indices, statuses);
    if (error != MPI_SUCCESS || *outcount > 0) return error;
  }
}

int on_MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  StartedRequest* const started = any_started() && request != nullptr ? find(*request) : nullptr;
  if (started == nullptr) return native().MPI_Test(request, flag, status);
  *flag = started->test() ? 1 : 0;
  return *flag != 0 ? finish(*started, request, status) : MPI_SUCCESS;
}

int on_MPI_Testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  if (!is_any_started(count, requests)) return native().MPI_Testany(count, requests, index, flag, status);
  return test_any(count, requests, index, flag, status);
}

int on_MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  if (!is_any_started(count, requests)) return native().MPI_Testall(count, requests, flag, statuses);
  if (!are_complete(count, requests)) {
    progress(count, requests);
    *flag = 0;
    return MPI_SUCCESS;
  }
  OthersRequests others(count, requests);
  const int error = native().MPI_Testall(count, others.data(), flag, statuses);
  others.write_back(requests);
  if (*flag == 0 || (error != MPI_SUCCESS && error != MPI_ERR_IN_STATUS)) return error;
  return end_all(count, requests, statuses, error);
}

int on_MPI_Testsome(int incount, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses) {
  if (!is_any_started(incount, requests)) {
    return native().MPI_Testsome(incount, requests, outcount, indices, statuses);
  }
  return test_some(incount, requests, outcount, indices, statuses);
}

int on_MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  StartedRequest* const started = any_started() ? find(request) : nullptr;
  if (started == nullptr) return native().MPI_Request_get_status(request, flag, status);
  *flag = started->test() ? 1 : 0;
  if (*flag != 0) set_empty(status);
  return MPI_SUCCESS;
}

int on_MPI_Request_get_status_any(int count, const MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  count_call(Function::MPI_Request_get_status_any, 0);
  const auto run = native().MPI_Request_get_status_any;
  if (run == nullptr) return missing_function("MPI_Request_get_status_any", MPI_COMM_WORLD);
  if (!is_any_started(count, requests)) return run(count, requests, index, flag, status);
  if (const auto [at, started] = first_complete(count, requests); started != nullptr) {
    *index = at;
    *flag = 1;
    set_empty(status);
    return MPI_SUCCESS;
  }
  const int error = run(count, OthersRequests(count, requests).data(), index, flag, status);
  if (error == MPI_SUCCESS && *flag != 0 && *index == MPI_UNDEFINED) *flag = 0;
  if (error == MPI_SUCCESS && *flag == 0) progress(count, requests);
  return error;
}

int on_MPI_Request_get_status_all(int count, const MPI_Request* requests, int* flag, MPI_Status* statuses) {
  count_call(Function::MPI_Request_get_status_all, 0);
  const auto run = native().MPI_Request_get_status_all;
  if (run == nullptr) return missing_function("MPI_Request_get_status_all", MPI_COMM_WORLD);
  if (!is_any_started(count, requests)) return run(count, requests, flag, statuses);
  if (!are_complete(count, requests)) {
    progress(count, requests);
    *flag = 0;
    return MPI_SUCCESS;
  }
  return run(count, OthersRequests(count, requests).data(), flag, statuses);
}

int on_MPI_Request_get_status_some(int incount, const MPI_Request* requests, int* outcount, int* indices,
                                   MPI_Status* statuses) {
  count_call(Function::MPI_Request_get_status_some, 0);
  const auto run = native().MPI_Request_get_status_some;
  if (run == nullptr) return missing_function("MPI_Request_get_status_some", MPI_COMM_WORLD);
  if (!is_any_started(incount, requests)) return run(incount, requests, outcount, indices, statuses);
  const int error = run(incount, OthersRequests(incount, requests).data(), outcount, indices, statuses);
  if (error != MPI_SUCCESS) return error;
  int complete = *outcount == MPI_UNDEFINED ? 0 : *outcount;
  for (int i = 0; i < incount; ++i) {
    StartedRequest* const started = find(requests[i]);
    if (started == nullptr || !started->is_complete()) continue;
    set_empty(status_at(statuses, complete));
    indices[complete++] = i;
  }
  *outcount = complete;
  if (complete == 0) progress(incount, requests);
  return MPI_SUCCESS;
}

/// What runs goes on: the other ranks have what they need of it already.
int on_MPI_Request_free(MPI_Request* request) {
  count_call(Function::MPI_Request_free, 0);
  StartedRequests& requests = started_requests();
  StartedRequest* const started = any_started() && request != nullptr ? find(*request) : nullptr;
  if (started != nullptr) end(*started, request);
  if (started != nullptr && *request == MPI_REQUEST_NULL) return MPI_SUCCESS;
  if (StartedRequest* const persistent =
          requests.any_persistent() && request != nullptr ? requests.find_persistent(*request) : nullptr) {
    requests.remove_persistent(persistent);
  }
  return native().MPI_Request_free(request);
}

/// Of a collective that is an error.
int on_MPI_Cancel(MPI_Request* request) {
  count_call(Function::MPI_Cancel, 0);
  const StartedRequest* const started = any_started() && request != nullptr ? find(*request) : nullptr;
  if (started == nullptr) return native().MPI_Cancel(request);
  native().Comm_call_errhandler(started->comm, MPI_ERR_REQUEST);
  return MPI_ERR_REQUEST;
}

}  // namespace airamp::pmpi
