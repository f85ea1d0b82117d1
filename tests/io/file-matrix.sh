#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The test file on each file system that this kernel and its mkfs programs can make, on loop devices. Root only (else skipped).
#
#   file-matrix.sh FILE-TOOL [CASE...]       writes TAP; images lie in DG_TEST_FOLDER or the current folder
#
# DG_TEST_DEVICES="/dev/A /dev/B" takes these block devices in place of direct loop devices. ALL THAT IS ON THEM IS LOST.
tool=$(readlink -f "$1"); shift
wanted=$*
[ "$(id -u)" = 0 ] || { echo "1..0 # SKIP mounting needs root"; exit 0; }
command -v losetup >/dev/null || { echo "1..0 # SKIP no losetup"; exit 0; }
modprobe -q loop 2>/dev/null
work=$(mktemp -d "${DG_TEST_FOLDER:-$PWD}/file-matrix.XXXXXX") || exit 1
mnt=$work/mnt; mkdir "$mnt"
n=0; failed=0; loops=(); devices=()
MiB=$((1 << 20))

ok() { n=$((n + 1)); echo "ok $n - $1"; }
not_ok() { n=$((n + 1)); failed=1; echo "not ok $n - $1"; [ -z "$2" ] || sed 's/^/# /' <<<"$2"; }
skip() { n=$((n + 1)); echo "ok $n - $1 # SKIP $2"; }
has() { grep -qx -- "$1" <<<"$out"; }
value() { sed -n "s/^$1 //p" <<<"$out"; }

attach() { # SIZE-MiB on|off: $dev
    local image
    if [ "$2" = on ] && [ -n "$DG_TEST_DEVICES" ]; then
        dev=$(cut -d ' ' -f $((${#devices[@]} + 1)) <<<"$DG_TEST_DEVICES ")
        [ -b "$dev" ] && devices+=("$dev") && wipefs -qa "$dev" >/dev/null; return
    fi
    image=$(mktemp "$work/image.XXXXXX") || return 1
    truncate -s "${1}M" "$image"
    dev=$(losetup --find --show --direct-io="$2" "$image" 2>/dev/null) || return 1
    loops+=("$dev")
}
clear_up() {
    umount "$mnt" 2>/dev/null; umount "$work/base" 2>/dev/null
    for l in "${loops[@]}"; do losetup -d "$l" 2>/dev/null; done
    loops=(); devices=(); rm -f "$work"/image.*
}
trap 'fsfreeze -u "$mnt" 2>/dev/null; clear_up; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

free_bytes() { sync -f "$mnt"; stat -f -c '%a %S' "$mnt" | { read -r a s; echo $((a * s)); }; }
nothing_left() { # NAME FREE-BEFORE: no name at once, and the space comes back (a delayed free is waited for)
    local left diff try
    left=$(find "$mnt" -name 'drivegauge-test-*')
    [ -z "$left" ] && ok "$1: no name left" || not_ok "$1: no name left" "$left"
    for try in 1 2 3 4 5 6 7 8; do
        diff=$(($2 - $(free_bytes)))
        [ $diff -le $((16 * MiB)) ] && break
        sleep 0.25
    done
    [ $diff -le $((16 * MiB)) ] && ok "$1: space is free again" || not_ok "$1: space is free again" "$diff bytes are missing"
}
expect() { # NAME 'key value'...: lines that the tool must have printed
    local name=$1 line missing=
    shift
    for line; do has "$line" || missing+="no line '$line'"$'\n'; done
    [ -z "$missing" ] && ok "$name: $*" || not_ok "$name: $*" "$missing$out"
}

endings() { # NAME: done is checked by the caller; here a signal, and SIGKILL with the next visit
    local name=$1 before visible pid
    before=$(free_bytes)
    for how in TERM KILL; do
        rm -f "$work/in" "$work/out"; mkfifo "$work/in"
        "$tool" "$mnt" $((24 * MiB)) hold <"$work/in" >"$work/out" & pid=$!
        exec 8>"$work/in"
        for _ in $(seq 200); do grep -q ready "$work/out" && break; kill -0 $pid 2>/dev/null || break; sleep 0.05; done
        grep -q ready "$work/out" || not_ok "$name: held" "$(cat "$work/out")"
        visible=$(sed -n 's/^visible //p' "$work/out")
        [ "$(find "$mnt" -name 'drivegauge-test-*.tmp' | wc -l)" = "$visible" ] && ok "$name: $visible names while it is in use" ||
            not_ok "$name: $visible names while it is in use"
        if [ $how = KILL ] && [ "$visible" = 1 ]; then
            out=$("$tool" "$mnt" $MiB) # a second run beside it does not take it away
            expect "$name: a file in use is no leftover" "leftovers 0"
        fi
        kill -$how $pid; exec 8>&-; wait $pid 2>/dev/null
        if [ $how = KILL ] && [ "$visible" = 1 ]; then
            out=$("$tool" "$mnt" $MiB)
            expect "$name: after SIGKILL, the next visit" "leftovers 1"
        fi
        nothing_left "$name: after SIG$how" "$before"
    done
}

# The file system's image as it is while the file is open, as if the plug were pulled: after recovery nothing is left.
power_cut() { # NAME FSTYPE
    local name=$1 type=$2 before pid
    before=$(free_bytes)
    rm -f "$work/in" "$work/out"; mkfifo "$work/in"
    "$tool" "$mnt" $((48 * MiB)) hold <"$work/in" >"$work/out" & pid=$!
    exec 8>"$work/in"
    for _ in $(seq 200); do grep -q ready "$work/out" && break; sleep 0.05; done
    sync -f "$mnt"
    # Frozen, so that the copy is one moment's state and not a mixture that no drive ever held.
    fsfreeze -f "$mnt" 2>/dev/null
    dd if="$dev" of="$work/image.cut" bs=4M iflag=direct conv=sparse status=none
    fsfreeze -u "$mnt" 2>/dev/null
    truncate -s "$(blockdev --getsize64 "$dev")" "$work/image.cut"
    kill -KILL $pid; exec 8>&-; wait $pid 2>/dev/null
    for _ in $(seq 40); do umount "$mnt" 2>/dev/null && break; sleep 0.25; done # somebody may be looking at it
    [ "$type" = ntfs ] && type=ntfs-3g
    local cut; cut=$(losetup --find --show "$work/image.cut"); loops+=("$cut")
    if mount -t "$type" "$cut" "$mnt"; then
        "$tool" "$mnt" $MiB >/dev/null
        nothing_left "$name: after a pulled plug" "$before"
    else
        not_ok "$name: after a pulled plug" "cannot be mounted: $(dmesg 2>/dev/null | tail -3)"
    fi
}

can() { # FSTYPE: has the kernel got it, and is there a mkfs?
    case " $wanted " in "  " | *" $case "*) ;; *) return 1 ;; esac
    grep -qw "$1" /proc/filesystems || modprobe -q "$1" 2>/dev/null || { skip "$case" "no $1 in this kernel"; return 1; }
    command -v "mkfs.$1" >/dev/null || [ -n "$2" ] || { skip "$case" "no mkfs.$1"; return 1; }
}
make() { # SIZE DIO FSTYPE MOUNT-OPTIONS MKFS-OPTIONS...
    local size=$1 dio=$2 type=$3 options=$4; shift 4
    attach "$size" "$dio" || { skip "$case" "no loop device with direct-io $dio here"; clear_up; return 1; }
    "mkfs.$type" "$@" "$dev" >"$work/mkfs" 2>&1 && mount -t "$type" -o "${options:-defaults}" "$dev" "$mnt" && return 0
    not_ok "$case: made and mounted" "$(cat "$work/mkfs")"; clear_up; return 1
}
run_tool() { # a checker's finding (memcheck's status is the same) is a failure
    out=$(ASAN_OPTIONS=exitcode=99:$ASAN_OPTIONS TSAN_OPTIONS=exitcode=99:$TSAN_OPTIONS "$tool" "$mnt" "$@")
    [ $? != 99 ] || not_ok "$case: nothing found by the checker ($*)"
}

for case in ext4 xfs f2fs; do
    options=(-q); [ $case = xfs ] && options=(-q -f)
    can $case && make 600 on $case "" "${options[@]}" || continue
    before=$(free_bytes)
    run_tool $((64 * MiB))
    expect $case "direct 1 -" "visible 0" "missing 0" "read proved -" "write proved -" "nowait 1" "counters 1" "leftovers 0"
    nothing_left "$case: after the end" "$before"
    endings $case
    run_tool $((64 * MiB)) write-through
    expect "$case: write-through" "direct 1 -" "write proved -"
    run_tool $((590 * MiB))
    expect "$case: too large for its space" "error -7"
    nothing_left "$case: after an error" "$before"
    power_cut $case $case
    clear_up
done

case=ext4-loop-caches
if can ext4 && make 300 off ext4 "" -q; then
    run_tool $((32 * MiB))
    expect $case "direct 1 -" "read unknown loop-caches" "write unknown loop-caches"
    clear_up
fi

case=ext4-partition
if can ext4 && command -v sfdisk >/dev/null && attach 300 on; then
    echo '2048,,L' | sfdisk -q "$dev" >/dev/null 2>&1
    if [ -z "$DG_TEST_DEVICES" ]; then
        losetup -d "$dev"
        dev=$(losetup --find --show --partscan --direct-io=on "$(ls -t "$work"/image.* | head -1)"); loops=("$dev")
    fi
    part=$(readlink -f "$dev"); part=$(ls "$part"p1 "$part"1 2>/dev/null | head -1)
    if [ -b "$part" ] && mkfs.ext4 -q "$part" && mount "$part" "$mnt"; then
        run_tool $((32 * MiB))
        expect $case "read proved -" "write proved -" "counters 1"
    else
        skip $case "no partitions on loop devices here"
    fi
    clear_up
fi

case=ext4-dm
modprobe -q dm-mod 2>/dev/null
if can ext4 && ! dmsetup version >/dev/null 2>&1; then
    skip $case "no device mapper"
elif can ext4 && attach 300 on; then
    # two pieces, so that the file system's device is not its drive
    half=$((256 * 1024))
    printf '0 %d linear %s 0\n%d %d linear %s %d\n' $half "$dev" $half $half "$dev" $((half + 2048)) | dmsetup create drivegauge-test
    dmsetup mknodes drivegauge-test
    if mkfs.ext4 -q /dev/mapper/drivegauge-test && mount /dev/mapper/drivegauge-test "$mnt"; then
        run_tool $((32 * MiB))
        expect $case "read proved -" "write proved -" "counters 1"
        [ "$(value drive)" = "$(basename "$(readlink -f "$dev")")" ] && ok "$case: the drive below it" || not_ok "$case: the drive below it" "$out"
    else
        not_ok "$case: made and mounted"
    fi
    umount "$mnt"; dmsetup remove --retry drivegauge-test
    clear_up
fi

case=ext2
if can ext2 && make 300 on ext2 "" -q; then
    run_tool $((32 * MiB))
    expect $case "visible 0" "missing 0" "read proved -" "write proved -"
    clear_up
fi

case=ext4-journalled-data
if can ext4 && make 300 on ext4 data=journal -q; then
    run_tool $((32 * MiB)) # there ext4 takes O_DIRECT at open and buffers
    [ "$(value direct)" = "1 -" ] && expect $case "write refuted dirtied" || expect $case "direct 0 refused-o-direct" "read refuted refused-o-direct" "write refuted refused-o-direct"
    clear_up
fi

case=btrfs
if can btrfs && make 600 on btrfs "" -q -f; then
    before=$(free_bytes)
    run_tool $((64 * MiB))
    # From 6.15 on a direct write of data with checksums goes through the page cache; the pages it dirtied tell.
    expect "$case" "direct 1 -" "visible 0" "missing 0" "read proved -" "counters 1" "nocow 0"
    [ "$(printf '%s\n' 6.15 "$(uname -r)" | sort -V | head -1)" = 6.15 ] && expect "$case, buffered by the kernel" "write refuted dirtied" ||
        expect "$case, direct writes" "write proved -"
    nothing_left "$case: after the end" "$before"
    run_tool $((64 * MiB)) no-cow
    expect "$case: no-cow" "nocow 1" "read proved -" "write proved -" "missing 0"
    run_tool $((200 * MiB))
    expect "$case: three times its size" "error -7"
    endings $case
    power_cut btrfs btrfs
    clear_up
fi

case=btrfs-nodatasum
if can btrfs && make 600 on btrfs nodatasum -q -f; then
    btrfs subvolume create "$mnt/sub" >/dev/null
    out=$("$tool" "$mnt/sub" $((64 * MiB)))
    expect $case "direct 1 -" "read proved -" "write proved -" "counters 1"
    clear_up
fi

case=btrfs-two-devices
if can btrfs && attach 600 on && first=$dev && attach 600 on; then
    if mkfs.btrfs -q -f -d raid0 -m raid1 "$first" "$dev" >"$work/mkfs" && mount -o "nodatasum,device=$first,device=$dev" "$first" "$mnt"; then
        run_tool $((64 * MiB))
        expect $case "read proved -" "write proved -" "counters 1"
        [ "$(value read_device_bytes)" -ge $((64 * MiB)) ] && ok "$case: both are counted" || not_ok "$case: both are counted" "$out"
    else
        not_ok "$case: made and mounted" "$(cat "$work/mkfs")"
    fi
    clear_up
fi

case=btrfs-compressed
if can btrfs && make 600 on btrfs compress-force=zstd -q -f; then
    run_tool $((32 * MiB))
    expect $case "read proved -" "missing 0"
    clear_up
fi

case=tmpfs
if can tmpfs none && mount -t tmpfs -o size=200m tmpfs "$mnt"; then
    run_tool $((32 * MiB))
    expect $case "visible 0" "read refuted memory" "write refuted memory" "counters 0"
    clear_up
fi

case=overlay
if can overlay none && attach 300 on && mkfs.ext4 -q "$dev"; then
    mkdir "$work/base"; mount "$dev" "$work/base"
    mkdir "$work"/base/{lower,upper,work}
    # relative: the options would break at a comma in the path
    if (cd "$work" && mount -t overlay -o lowerdir=base/lower,upperdir=base/upper,workdir=base/work overlay mnt); then
        run_tool $((32 * MiB))
        expect $case "visible 0" "read unknown overlay" "write unknown overlay"
    else
        not_ok "$case: mounted"
    fi
    clear_up
fi

for case in vfat exfat ntfs; do
    options=(); type=$case
    [ $case = ntfs ] && { can fuse none || continue; command -v mkfs.ntfs ntfs-3g >/dev/null || { skip ntfs "no ntfs-3g"; continue; }; options=(-Q -F); type=ntfs-3g; }
    [ $case != ntfs ] && { can $case || continue; }
    attach 300 on || { skip $case "no loop device with direct I/O here"; continue; }
    if ! { mkfs.$case "${options[@]}" "$dev" >"$work/mkfs" 2>&1 && mount -t $type "$dev" "$mnt"; }; then
        not_ok "$case: made and mounted" "$(cat "$work/mkfs")"; clear_up; continue
    fi
    before=$(free_bytes)
    run_tool $((32 * MiB))
    if [ $case = ntfs ]; then expect ntfs "visible 1" "read unknown fuse" "write unknown fuse" "nowait 0"
    else expect $case "visible 1" "direct 1 -" "read proved -" "write proved -" "nowait 0" "counters 1"; fi
    nothing_left "$case: after the end" "$before"
    endings $case
    [ $case = ntfs ] || power_cut $case $case
    [ $case = vfat ] && { run_tool $((4096 * MiB)); expect "vfat: 4 GiB" "error -8"; nothing_left "vfat: after an error" "$before"; }
    clear_up
done

case=proc
out=$("$tool" /proc $MiB); expect "/proc" "error -10"
out=$("$tool" "$work/missing" $MiB); expect "a folder that is not there" "error -3"
touch "$work/file"; out=$("$tool" "$work/file" $MiB); expect "a file in place of a folder" "error -4"
mkfifo "$work/fifo"; out=$(timeout 5 "$tool" "$work/fifo" $MiB); expect "a FIFO in place of a folder" "error -4"

echo "1..$n"
exit $failed
