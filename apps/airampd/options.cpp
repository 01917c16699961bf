// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/options.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

#include "config/load.hpp"

namespace airamp::sidecar {
Options default_options(const config::Settings& settings) {
  Options options;
  options.address = settings.metrics_addr;
  options.port = static_cast<std::uint16_t>(settings.metrics_port);
  options.folder = settings.telemetry_folder;
  return options;
}

void add_options(CLI::App& app, Options& options) {
  app.description(
      "Serves what the ranks of MPI jobs on this host publish about AIRamp:\n"
      "  /metrics   for Prometheus, as OpenMetrics 1.0 or text format 0.0.4\n"
      "  /          a status page for people\n"
      "  /healthz   for probes\n");
  app.set_version_flag("--version", "airampd " AIRAMP_VERSION);
  app.add_option("--address", options.address,
                 "IPv4 or IPv6 address to listen on; 0.0.0.0 or :: for all of the host's. Whoever reaches it can read "
                 "the metrics, unless there is a token or a login [AIRAMP_METRICS_ADDR]")
      ->capture_default_str();
  app.add_option("--port", options.port,
                 "TCP port; 0 for any free one, which is then named on stderr [AIRAMP_METRICS_PORT]")
      ->capture_default_str();
  app.add_option("--folder", options.folder, "Folder in which the ranks keep their segments [AIRAMP_TELEMETRY_FOLDER]")
      ->capture_default_str();
  auto* job =
      app.add_option("--job", options.job, "Serve this job alone; without it, all jobs of the user that runs airampd");
  app.add_flag(
         "--all-users", options.all_users,
         "Serve the jobs of all users, with a label \"user\": as root, or with the capability CAP_DAC_READ_SEARCH")
      ->excludes(job);
  app.add_flag_callback(
      "--detail", [&options] { options.detail = telemetry::Detail::all; },
      "Metrics of each rank, message size and signature; without it, a job has at most 150 series");
  auto* textfile = app.add_option("--textfile", options.textfile,
                                  "Serve nothing, but write the metrics into this file, for node_exporter's collector "
                                  "of text files: its name ends in .prom there. Not with what says how to serve");
  app.add_option("--interval", options.interval, "Seconds between two times that the file is written")
      ->capture_default_str()
      ->check(CLI::Range(1, 86400))
      ->needs(textfile);
  app.add_flag("--once", options.once, "Write the file once and end, as for cron")->needs(textfile);
  app.add_option("--token-file", options.token_file,
                 "File that holds a token; / and /metrics are then given only to requests with \"Authorization: Bearer "
                 "TOKEN\"");
  app.add_option(
      "--basic-auth-file", options.basic_auth_file,
      "File with lines USER:PASSWORD; / and /metrics are then given only to those users, whom browsers ask for "
      "both, or to whoever has the token");
  auto* certificate = app.add_option("--tls-cert", options.tls_certificate,
                                     "Certificate chain (PEM); with it, airampd speaks HTTPS and nothing else");
  app.add_option("--tls-key", options.tls_key, "Private key of the certificate (PEM)")->needs(certificate);
  certificate->needs(app.get_option("--tls-key"));
  // Not by excludes(), which would have --help name them all again.
  app.final_callback([&app, textfile] {
    for (const char* of_serving :
         {"--address", "--port", "--token-file", "--basic-auth-file", "--tls-cert", "--tls-key"}) {
      if (*textfile && *app.get_option(of_serving)) throw CLI::ExcludesError(textfile->get_name(), of_serving);
    }
  });
  app.footer(
      "airampd runs until SIGTERM or SIGINT and then exits with 0; 1 if it cannot serve or write, 2 for a wrong\n"
      "option. A text file is removed at the end, but with --once.\n"
      "It never writes to a job's segments, and a job does not notice whether it runs.");
}

int parse_options(int argc, char** argv, Options& options) {
  const config::Loaded loaded = config::load(config::process_environment());
  options = default_options(loaded.errors.empty() ? loaded.settings : config::Settings{});
  CLI::App app("", "airampd");
  add_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  for (const std::string& error : loaded.errors) std::cerr << "airampd: " << error << '\n';
  return loaded.errors.empty() ? -1 : 2;
}

}  // namespace airamp::sidecar
