# shellcheck shell=bash
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#
# The comment at the head of a script is its help. Scripts source this before they go to another folder:
#
#   . "$(dirname "$0")/usage.sh"
#
# It answers -h and --help. `usage` and `mistake` end a script that was called wrongly.

this_script=$(realpath "$0")

help_of_script() { sed -n '4,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$this_script"; }

usage() {
  help_of_script >&2
  exit 2
}

mistake() { # TEXT
  echo "$0: $1; see --help" >&2
  exit 2
}

case ${1:-} in
  -h | --help)
    help_of_script
    exit 0
    ;;
esac
