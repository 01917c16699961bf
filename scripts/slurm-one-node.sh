#!/bin/bash
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#
# Starts and stops a real Slurm of one node (munged, slurmctld, slurmd) for tests. Needs root.
#
#   slurm-one-node.sh start FOLDER
#   slurm-one-node.sh stop FOLDER
#
# After the start, with SLURM_CONF=FOLDER/slurm.conf in the environment:
#   srun -n 2 --mpi=pmix PROGRAM    (Open MPI)
#   srun -n 2 --mpi=pmi2 PROGRAM    (MPICH)
set -eu

usage() {
  sed -n '3,/^set -eu/{/^#/s/^# \{0,1\}//p}' "$0" >&2
  exit 2
}
[ $# = 2 ] || usage
mkdir -p "$2"
folder=$(cd "$2" && pwd)
export SLURM_CONF=$folder/slurm.conf

start_munge() {
  munge -n >/dev/null 2>&1 && return
  mkdir -p /run/munge
  chown munge:munge /run/munge
  runuser -u munge -- munged --force
  cp /run/munge/munged.pid "$folder/munged.pid"
}

write_configuration() {
  local host
  host=$(hostname -s)
  cat >"$SLURM_CONF" <<CONFIGURATION
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=16817
SlurmdPort=16818
AuthType=auth/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=500 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
CONFIGURATION
}

# Ends the daemon of a pid file and waits for its end, so that the next start finds its port free.
stop_daemon() { # NAME
  local file=$folder/$1.pid pid
  [ -e "$file" ] || return 0
  pid=$(cat "$file")
  kill "$pid" 2>/dev/null || true
  for _ in $(seq 50); do
    [ -e "/proc/$pid/exe" ] || break # gone, or a zombie that waits for its parent
    sleep 0.1
  done
  rm -f "$file"
}

case $1 in
  start)
    mkdir -p "$folder/state" "$folder/spool"
    start_munge
    write_configuration
    slurmctld -f "$SLURM_CONF"
    slurmd -f "$SLURM_CONF"
    for _ in $(seq 60); do
      if sinfo -h 2>/dev/null | grep -q idle; then exit 0; fi
      sleep 0.5
    done
    tail -n 5 "$folder"/*.log >&2
    exit 1
    ;;
  stop)
    for daemon in slurmd slurmctld munged; do stop_daemon "$daemon"; done
    ;;
  *) usage ;;
esac
