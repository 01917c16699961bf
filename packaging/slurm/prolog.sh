#!/bin/bash
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#
# A prolog for nodes of Slurm without systemd (Prolog= in slurm.conf, beside Epilog=epilog.sh): the first job on a node
# starts airampd, for all users, and the last one ends it. Where there is systemd, its service is the better place
# (../systemd/airampd.service): that one is there between jobs as well, as Prometheus expects.
#
# AIRAMPD: the program. AIRAMPD_OPTIONS: by default --all-users; with "--all-users --textfile FILE" node_exporter serves
# the metrics, and to Prometheus the end of airampd is no failure. AIRAMPD_STATE: folder of root's for what both scripts
# must know. Slurm gives a prolog no variables of the job's user.
airampd=${AIRAMPD:-/usr/bin/airampd}
state=${AIRAMPD_STATE:-/run/airampd}
if [ -z "${SLURM_JOB_ID-}" ]; then exit 0; fi

(umask 022 && mkdir -p "$state")
exec 9>"$state/lock"
flock 9
: >"$state/job-$SLURM_JOB_ID"
if ! [ "/proc/$(cat "$state/pid" 2>/dev/null)/exe" -ef "$airampd" ]; then
  # Options are words by design.
  # shellcheck disable=SC2086
  setsid "$airampd" ${AIRAMPD_OPTIONS:---all-users} </dev/null >"$state/log" 2>&1 9>&- &
  process=$!
  echo "$process" >"$state/pid"
  # slurmd ends what is left of a prolog's own session.
  for _ in $(seq 100); do
    if [ "/proc/$process/exe" -ef "$airampd" ]; then break; fi
    sleep 0.05
  done
fi
# A prolog that fails takes the node out of service.
exit 0
