// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/site.hpp"

#include <algorithm>
#include <utility>

#include "apps/airampd/status_page.hpp"
#include "telemetry/openmetrics/scrape.hpp"

namespace airamp::sidecar {

Site::Site(ReadJobs read, Credentials credentials, telemetry::Detail detail, Now now)
    : read_(std::move(read)), credentials_(std::move(credentials)), detail_(detail), now_(now) {}

HttpResponse Site::answer(const HttpRequest& request) {
  const bool known = request.path == "/" || request.path == "/metrics" || request.path == "/healthz";
  if (!known) return {.status = 404, .body = "Not found. There are /, /metrics and /healthz.\n"};
  if (request.method != "GET" && request.method != "HEAD") {
    return {.status = 405, .body = "Only GET and HEAD.\n", .headers = {{"Allow", "GET, HEAD"}}};
  }
  // Probes have no credentials, and it says nothing about a job.
  if (request.path == "/healthz") return {.body = "ok\n"};
  if (!credentials_.allows(request.authorization)) {
    HttpResponse refused{.status = 401, .body = "A token, or a name and a password, are needed.\n"};
    for (std::string& challenge : credentials_.challenges()) {
      refused.headers.emplace_back("WWW-Authenticate", std::move(challenge));
    }
    return refused;
  }
  refresh();
  return request.path == "/metrics" ? metrics(request) : status_page();
}

void Site::refresh() {
  const Clock::time_point start = now_();
  if (has_read_ && start < expires_) return;
  reading_ = read_();
  has_read_ = true;
  figures_.up = reading_.folder_read;
  figures_.segment_errors += reading_.errors.size();
  expositions_ = {};
  page_.reset();
  log_.note(reading_.errors);
  const Clock::time_point end = now_();
  figures_.read_seconds = std::chrono::duration<double>(end - start).count();
  expires_ = std::max(start + lifetime, end + 10 * (end - start));
}

const std::string& Site::cached(std::optional<std::string>& text, auto make) {
  if (!text) {
    const Clock::time_point start = now_();
    text = make();
    expires_ += 10 * (now_() - start);
  }
  return *text;
}

HttpResponse Site::metrics(const HttpRequest& request) {
  const telemetry::Exposition exposition = telemetry::negotiate(request.accept);
  const std::string& text = cached(expositions_.at(static_cast<std::size_t>(exposition)), [&] {
    return telemetry::scrape(reading_.ranks, figures_, detail_).to_text(exposition);
  });
  return {.content_type = std::string(telemetry::content_type(exposition)),
          .body = text,
          .headers = {{"Vary", "Accept"}, {"Cache-Control", "no-store"}}};
}

HttpResponse Site::status_page() {
  const std::string& text = cached(page_, [&] { return sidecar::status_page(reading_); });
  return {.content_type = "text/html; charset=utf-8",
          .body = text,
          .headers = {{"Cache-Control", "no-store"},
                      {"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"},
                      {"X-Content-Type-Options", "nosniff"}}};
}

}  // namespace airamp::sidecar
