#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the drive and target tests again as a user without any rights: unprivileged.sh SOURCE-FOLDER PROGRAM...
[ "$(id -u)" = 0 ] || { echo "already an unprivileged user"; exit 77; }
command -v setpriv >/dev/null || { echo "no setpriv"; exit 77; }
source=$1
shift
away=$(mktemp -d /tmp/dg-nobody-XXXXXX) || exit 1
trap 'rm -rf "$away"' EXIT
mkdir "$away/home"
cp -r "$source/fixtures" "$source/expected" "$away"
cp "$@" "$away"
chmod -R a+rX "$away"
chown 65534:65534 "$away/home"
failed=0
for program; do
    name=$(basename "$program")
    echo "# $name"
    (cd / && HOME=$away/home TMPDIR=$away/home exec setpriv --reuid 65534 --regid 65534 --clear-groups "$away/$name" "$away") || failed=1
done
exit $failed
