#!/bin/bash
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#
# Starts and stops a real Slurm (munged, slurmctld, slurmd) for tests, on this host or on emulated ones. Needs root.
#
#   slurm-hosts.sh start FOLDER [HOSTS [LINE...]]   HOSTS 0 (default): this host is the one node; LINE: of slurm.conf
#   slurm-hosts.sh run FOLDER COMMAND...            with SLURM_CONF, on the host of slurmctld: emulated ones are reached
#                                                   from there alone
#   slurm-hosts.sh stop FOLDER                      ends daemons, and what jobs have left running on emulated hosts
#
#   slurm-hosts.sh run FOLDER srun -n 2 --mpi=pmix PROGRAM    (Open MPI)
#   slurm-hosts.sh run FOLDER srun -n 2 --mpi=pmi2 PROGRAM    (MPICH)
#
# An emulated host (node1, node2...) has a network, a hostname and a /dev/shm of its own, and shares all else. "head" is
# one without slurmd, for slurmctld and for whoever logs in. They are joined by veth to a bridge, without limits.
set -eu
# shellcheck source=scripts/usage.sh
. "$(dirname "$0")/usage.sh"
[ $# -ge 2 ] || usage
action=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
shift 2
export SLURM_CONF=$folder/slurm.conf
subnet=10.78.0 head_address=10.78.0.100

hosts() { cat "$folder/count" 2>/dev/null || echo 0; }
id() { cat "$folder/id"; }
namespace() { echo "$(id)-$1"; }
names() { # of all emulated hosts
  local i
  [ "$(hosts)" = 0 ] || echo head
  for i in $(seq 1 "$(hosts)"); do echo "node$i"; done
}
address() { if [ "$1" = head ]; then echo "$head_address"; else echo "$subnet.${1#node}"; fi; }

# Runs a command with the network and the name of an emulated host; of what it mounts nobody else knows.
on_host() { # NAME COMMAND...
  local name=$1
  shift
  # Not by "ip netns exec", which hides the control groups from slurmd.
  # shellcheck disable=SC2016 # the inner shell has these arguments
  nsenter --net="/run/netns/$(namespace "$name")" unshare --uts --mount -- bash -c '
    hostname "$0"
    mount --bind "$1" /etc/hosts
    exec "${@:2}"' "$name" "$folder/hosts.txt" "$@"
}

create_hosts() {
  local name
  { echo "127.0.0.1 localhost"; for name in $(names); do echo "$(address "$name") $name"; done; } >"$folder/hosts.txt"
  echo "s$$" >"$folder/id"
  for name in $(names); do mkdir -p "$folder/tmp.$name"; done # where each slurmstepd meets its ranks for PMIx
  ip netns add "$(namespace switch)"
  ip -n "$(namespace switch)" link add br0 type bridge
  ip -n "$(namespace switch)" link set br0 up
  for name in $(names); do
    ip netns add "$(namespace "$name")"
    ip -n "$(namespace "$name")" link set lo up
    ip link add "a-$name-$$" type veth peer name "b-$name-$$"
    ip link set "a-$name-$$" netns "$(namespace "$name")" name eth0
    ip link set "b-$name-$$" netns "$(namespace switch)" name "$name"
    ip -n "$(namespace switch)" link set "$name" master br0 up
    ip -n "$(namespace "$name")" addr add "$(address "$name")/24" dev eth0
    ip -n "$(namespace "$name")" link set eth0 up
  done
}

processes() {
  local name
  for name in $(names); do ip netns pids "$(namespace "$name")" 2>/dev/null || true; done
}

remove_hosts() {
  local name pid signal
  for signal in TERM KILL; do
    for pid in $(processes); do kill "-$signal" "$pid" 2>/dev/null || true; done
    for _ in $(seq 20); do
      [ -n "$(processes)" ] || break
      sleep 0.1
    done
  done
  for name in switch $(names); do ip netns del "$(namespace "$name")" 2>/dev/null || true; done
}

start_munge() {
  munge -n >/dev/null 2>&1 && return
  mkdir -p /run/munge
  chown munge:munge /run/munge
  runuser -u munge -- munged --force
  cp /run/munge/munged.pid "$folder/munged.pid"
}

node_lines() {
  local i
  if [ "$(hosts)" = 0 ]; then
    echo "NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=500 State=UNKNOWN"
    return
  fi
  for i in $(seq 1 "$(hosts)"); do
    echo "NodeName=node$i NodeAddr=$(address "node$i") CPUs=$(nproc) RealMemory=500 State=UNKNOWN"
  done
}

write_configuration() { # LINE...
  local controller
  controller="$(hostname -s)(127.0.0.1)"
  [ "$(hosts)" = 0 ] || controller="head($head_address)"
  cat >"$SLURM_CONF" <<CONFIGURATION
ClusterName=test
SlurmctldHost=$controller
SlurmUser=root
SlurmctldPort=16817
SlurmdPort=16818
AuthType=auth/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool.%n
TmpFS=$folder/tmp.%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
ReturnToService=2
KillWait=5
$(node_lines)
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
$(printf '%s\n' "$@")
CONFIGURATION
  # Jobs here are followed by process groups. Later releases refuse to start where control groups are of two versions.
  local release
  release=$(slurmd -V | grep -oE '[0-9]+' | head -n 1)
  if [ "$release" -ge 24 ]; then echo "CgroupPlugin=disabled" >"$folder/cgroup.conf"; fi
}

# Ends the daemon of a pid file and waits for its end, so that the next start finds its port free.
stop_daemon() { # FILE
  local pid
  [ -e "$1" ] || return 0
  pid=$(cat "$1")
  kill "$pid" 2>/dev/null || true
  for _ in $(seq 50); do
    [ -e "/proc/$pid/exe" ] || break # gone, or a zombie that waits for its parent
    sleep 0.1
  done
  rm -f "$1"
}

start_daemons() {
  local name
  if [ "$(hosts)" = 0 ]; then
    slurmctld -f "$SLURM_CONF"
    slurmd -f "$SLURM_CONF"
    return
  fi
  on_host head slurmctld -f "$SLURM_CONF"
  for name in $(names); do
    [ "$name" != head ] || continue
    # shellcheck disable=SC2016 # the inner shell has this argument
    on_host "$name" bash -c 'mount -t tmpfs -o mode=1777 tmpfs /dev/shm; exec slurmd -f "$1"' bash "$SLURM_CONF"
  done
}

run() { if [ "$(hosts)" = 0 ]; then "$@"; else on_host head "$@"; fi; }

case $action in
  start)
    mkdir -p "$folder/state"
    echo "${1-0}" >"$folder/count"
    [ $# = 0 ] || shift
    if [ "$(hosts)" = 0 ]; then mkdir -p "$folder/tmp.$(hostname -s)"; else create_hosts; fi
    start_munge
    write_configuration "$@"
    start_daemons
    wanted=$(hosts)
    [ "$wanted" != 0 ] || wanted=1
    for _ in $(seq 60); do
      if [ "$(run sinfo --noheader --Node --format=%T 2>/dev/null | grep -c '^idle$')" = "$wanted" ]; then exit 0; fi
      sleep 0.5
    done
    for file in "$folder"/*.log; do tail -n 5 "$file"; done >&2
    exit 1
    ;;
  run)
    [ $# -ge 1 ] || usage
    run "$@"
    ;;
  stop)
    for file in "$folder"/slurmd.*.pid "$folder/slurmctld.pid" "$folder/munged.pid"; do stop_daemon "$file"; done
    [ "$(hosts)" = 0 ] || remove_hosts
    ;;
  *) usage ;;
esac
