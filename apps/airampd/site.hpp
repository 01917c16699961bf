// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>

#include "apps/airampd/error_log.hpp"
#include "apps/airampd/reading.hpp"
#include "apps/airampd/server/credentials.hpp"
#include "apps/airampd/server/http_message.hpp"
#include "telemetry/openmetrics/detail.hpp"
#include "telemetry/openmetrics/exporter_figures.hpp"
#include "telemetry/openmetrics/exposition.hpp"

namespace airamp::sidecar {

/// What airampd serves: /metrics, /healthz and the status page. Segments are read when somebody asks; what was read is
/// served to everybody for a while, so that many scrapers cost no more than one. Not thread-safe.
class Site {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = Clock::time_point (*)();

  /// An answer is at most so old. Where reading and writing it takes long, it lives longer: ten times as long as that
  /// takes, so that a tenth of a core is the most that scrapers can make airampd use.
  static constexpr std::chrono::milliseconds lifetime{200};

  Site(ReadJobs read, Credentials credentials, telemetry::Detail detail, Now now = Clock::now);

  HttpResponse answer(const HttpRequest& request);

  /// What the HTTP side has seen, for the metrics.
  void count_answer(int status) { ++figures_.http_requests[status]; }
  void set_connections(std::size_t connections) { figures_.http_connections = connections; }

 private:
  HttpResponse metrics(const HttpRequest& request);
  HttpResponse status_page();
  void refresh();
  /// The present reading in some form, made on first demand.
  const std::string& cached(std::optional<std::string>& text, auto make);

  ReadJobs read_;
  Credentials credentials_;
  telemetry::Detail detail_;
  Now now_;
  telemetry::ExporterFigures figures_;
  Reading reading_;
  bool has_read_ = false;
  Clock::time_point expires_;
  std::array<std::optional<std::string>, 2> expositions_;
  std::optional<std::string> page_;
  ErrorLog log_;
};

}  // namespace airamp::sidecar
