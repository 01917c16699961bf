// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/textfile.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <system_error>

#include "apps/airampd/error_log.hpp"
#include "base/file_descriptor.hpp"
#include "telemetry/openmetrics/scrape.hpp"

namespace airamp::sidecar {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const std::string& file) {
  throw std::system_error(errno, std::generic_category(), "cannot write " + file);
}

/// The file beside another one that will take its place. Its name does not end in .prom: node_exporter does not read
/// it.
class NewFile {
 public:
  explicit NewFile(const std::string& beside) : name_(beside + ".XXXXXX") {
    descriptor_ = base::FileDescriptor(mkostemp(name_.data(), O_CLOEXEC));
    if (!descriptor_.valid()) fail(beside);
  }
  ~NewFile() {
    if (!name_.empty()) unlink(name_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t count = ::write(descriptor_.get(), text.data(), text.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail(name_);
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  void take_place_of(const std::string& file) {
    constexpr mode_t everybody_reads = S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH;
    if (fchmod(descriptor_.get(), everybody_reads) != 0 || rename(name_.c_str(), file.c_str()) != 0) fail(file);
    name_.clear();
  }

 private:
  std::string name_;
  base::FileDescriptor descriptor_;
};

/// What is written, each time anew.
class Metrics {
 public:
  Metrics(const ReadJobs& read, telemetry::Detail detail) : read_(read), detail_(detail) {}

  std::string text() {
    const Clock::time_point start = Clock::now();
    const Reading reading = read_();
    log_.note(reading.errors);
    figures_.up = reading.folder_read;
    figures_.segment_errors += reading.errors.size();
    figures_.read_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return telemetry::scrape(reading.ranks, figures_, detail_).to_text(telemetry::Exposition::prometheus_text);
  }

 private:
  const ReadJobs& read_;
  telemetry::Detail detail_;
  telemetry::ExporterFigures figures_;
  ErrorLog log_;
};

/// Does something at even intervals until a signal comes.
template <typename Action>
void repeat(std::chrono::seconds interval, Action action) {
  boost::asio::io_context io(1);
  boost::asio::signal_set ending(io, SIGTERM, SIGINT);
  ending.async_wait([&io](const boost::system::error_code&, int) { io.stop(); });
  boost::asio::steady_timer timer(io, interval);
  const std::function<void(const boost::system::error_code&)> again = [&](const boost::system::error_code&) {
    action();
    timer.expires_after(interval);
    timer.async_wait(again);
  };
  timer.async_wait(again);
  io.run();
}

}  // namespace

void replace_file(const std::string& file, std::string_view text) {
  NewFile replacement(file);
  replacement.write(text);
  replacement.take_place_of(file);
}

void write_textfile(const Options& options, const ReadJobs& read) {
  Metrics metrics(read, options.detail);
  replace_file(options.textfile, metrics.text());
  if (options.once) return;
  std::cerr << "airampd: writing " << options.textfile << " every " << options.interval << " s\n";
  std::string last_failure;
  repeat(std::chrono::seconds(options.interval), [&] {
    std::string failure;
    try {
      replace_file(options.textfile, metrics.text());
    } catch (const std::exception& error) {
      failure = error.what();
    }
    if (!failure.empty() && failure != last_failure) std::cerr << "airampd: " << failure << '\n';
    last_failure = failure;
  });
  unlink(options.textfile.c_str());
}

}  // namespace airamp::sidecar
