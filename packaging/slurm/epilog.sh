#!/bin/bash
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#
# An epilog for nodes of Slurm (Epilog= in slurm.conf): removes what the ranks of a job that ends leave in shared memory.
# Otherwise it stays until the same user's next job on this node. Where systemd can wait for it, it goes after ten
# minutes, so that the last figures are scraped and airamp hang can be asked why the job died; otherwise at once.
#
# Nothing needs to be started in a prolog. An airampd of each job would need a port of its own, and its end would look
# like a failure to Prometheus; one airampd --all-users for the node (../systemd/airampd.service) needs neither. On nodes
# without systemd prolog.sh starts that one, and this epilog ends it with the node's last job.
folder=${AIRAMP_TELEMETRY_FOLDER:-/dev/shm}
if [ -z "${SLURM_JOB_ID-}" ] || [ -z "${SLURM_JOB_UID-}" ]; then exit 0; fi

# With the user's own rights: whatever may lie there instead, that user could have removed it as well.
# shellcheck disable=SC2016 # the inner shell has these arguments
remove=(/bin/sh -c 'rm -rf -- "$1/airamp-$2/slurm-$3-"*' sh "$folder" "$SLURM_JOB_UID" "$SLURM_JOB_ID")
if [ -d /run/systemd/system ]; then
  systemd-run --quiet --collect --uid="$SLURM_JOB_UID" --on-active=10min -- "${remove[@]}"
else
  setpriv --reuid="$SLURM_JOB_UID" --regid=65534 --clear-groups --inh-caps=-all -- "${remove[@]}"
fi

airampd=${AIRAMPD:-/usr/bin/airampd}
state=${AIRAMPD_STATE:-/run/airampd}
if [ -d "$state" ]; then
  exec 9>"$state/lock"
  flock 9
  rm -f "$state/job-$SLURM_JOB_ID"
  process=$(cat "$state/pid" 2>/dev/null)
  if ! compgen -G "$state/job-*" >/dev/null && [ "/proc/$process/exe" -ef "$airampd" ]; then
    kill "$process"
    rm -f "$state/pid"
  fi
fi
# An epilog that fails takes the node out of service.
exit 0
