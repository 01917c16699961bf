#!/bin/bash
# Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#
# Runs a command where a locale is found, which is made in FOLDER if it is not there; exit status 77 if that fails.
#
#   with_locale.sh FOLDER NAME COMMAND...      NAME.UTF-8 is made, such as de_DE.UTF-8
set -eu

folder=$1 name=$2.UTF-8
if [ ! -d "$folder/$name" ]; then
  made=$folder/made-$$
  mkdir -p "$made"
  localedef -i "$2" -f UTF-8 "$made/$name" 2>/dev/null || exit 77
  mv -T "$made/$name" "$folder/$name" 2>/dev/null || rm -r "${made:?}/$name"  # another one was faster
  rmdir "$made"
fi
shift 2
export LOCPATH=$folder
exec "$@"
