#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs of known truth that read and write: fio, or the job itself, says what it did and how long it waited. The storage is an ext4 on a loop
# device whose file takes 5 ms for each read and write. A FUSE file system that takes 10 ms replaces a network file system.
# shellcheck shell=bash disable=SC2016,SC2154,SC2317

load truth

setup_file() {
	testbed_begin --first --nodes 6
	[ -z "$NO_TESTBED" ] || return 0
	NO_SLOWFS=$(no_slowfs)
	export NO_SLOWFS
	rm -rf "${STINT_TESTBED:?}/bpf/stint" # the programs that count files are loaded with the others
	collector_gets 'files = on'
	mkdir -p "$STINT_TESTBED"/io/{seed,back,remote}
	fast_jobs
	[ -n "$NO_SLOWFS" ] || slow_jobs
	jobs_end
	truth_undo
}

teardown_file() {
	truth_undo
	testbed_end
}

fio_job() { # NAME FILE OPTION...
	beside "$1" --mem=300M -- fio --output-format=json --name="$1" --filename="$2" --size=512k --bs=4k "${@:3}"
}

slow_jobs() {
	local io=$STINT_TESTBED/io name

	for name in psync libaio uring cold mapped; do
		head -c 524288 /dev/urandom >"$io/seed/$name"
	done
	head -c 1048576 /dev/urandom >"$io/remote/data"
	touch "$io/remote/unwritten"
	ext4_image "$io/back/image" 64 "$io/seed"
	slowfs_mount back "$io/back" "$io/slow" 0 5 5
	ext4_mount "$io/slow/image" "$io/ext4"
	mkdir -p "$io/names/many"
	(cd "$io/names/many" && seq -f 'a-name-that-takes-its-room-%g' 4000 | xargs touch)
	ext4_image "$io/back/names" 32 "$io/names"
	ext4_mount "$io/slow/names" "$io/ext4names"
	slowfs_mount remote "$io/remote" "$io/network" 10 10 10
	# names that the kernel already knows are not looked up slowly within a job
	find "$io/ext4" -type f -exec stat {} + >/dev/null
	workload reader writer mapper looker remote leaver
	beside fuse --mem=200M -- "$TOOLS/remote" read direct "$io/network/data" 4096
	beside stat --mem=200M -- "$TOOLS/looker" stat "$io/network" 200
	beside leave --mem=200M -- "$TOOLS/leaver" leave "$io/network/unwritten" 100
	beside names --mem=200M -- "$TOOLS/looker" stat "$io/ext4names/many" 50
	if command -v fio >/dev/null; then
		fio --version >/dev/null # its many libraries should be in the page cache
		fio_job psync "$io/ext4/psync" --rw=randread --direct=1 --ioengine=psync
		fio_job libaio "$io/ext4/libaio" --rw=randread --direct=1 --ioengine=libaio --iodepth=1
		no_uring || fio_job uring "$io/ext4/uring" --rw=randread --direct=1 --ioengine=io_uring --iodepth=1
	fi
	jobs_end
	beside mapped --mem=200M -- "$TOOLS/mapper" fault "$io/ext4/mapped"
	jobs_end
	beside fsync --mem=200M -- "$TOOLS/writer" write fsync "$io/ext4/synced" 131072 4096
	beside often --mem=200M -- "$TOOLS/writer" write sync "$io/ext4/often" 819200 4096
	jobs_end
	beside seldom --mem=200M -- "$TOOLS/writer" write fsync "$io/ext4/seldom" 1048576 131072
	jobs_end
	# the file system is released, and prints its requests
	sync --file-system "$io/ext4"
}

fast_jobs() {
	local io=$STINT_TESTBED/io

	install -d -m 1777 "$io/fast"
	head -c 16777216 /dev/urandom | tee "$io/fast/data" >"$io/fast/cached"
	sync "$io/fast/data" "$io/fast/cached"
	workload direct cacher dirtier memory
	beside direct --mem=200M -- "$TOOLS/direct" read direct "$io/fast/data" 16384
	beside directwrite --mem=200M -- "$TOOLS/dirtier" write direct "$io/fast/direct" 8388608 65536
	beside buffered --mem=200M -- "$TOOLS/dirtier" write buffered "$io/fast/dirty" 8388608 65536
	# a file's first use writes down its time of access, which can wait for the journal
	"$TOOLS/cacher" read cached "$io/fast/cached" 65536 1 >/dev/null
	beside cached --mem=200M -- "$TOOLS/cacher" read cached "$io/fast/cached" 65536 1000
	MEMORY_FILE=/dev/shm/stint-truth.$$
	[ "$(stat -f -c %T /dev/shm)" != tmpfs ] || {
		head -c 16777216 /dev/urandom >"$MEMORY_FILE"
		chmod 644 "$MEMORY_FILE"
		undo_with rm -f "$MEMORY_FILE"
		beside tmpfs --mem=200M -- "$TOOLS/memory" read cached "$MEMORY_FILE" 65536 500
	}
}

slow_or_skip() {
	[ -z "$NO_SLOWFS" ] || skip "$NO_SLOWFS"
}

storage_or_skip() {
	local type

	type=$(stat -f -c %T /var/tmp)
	[[ $type != tmpfs && $type != overlayfs ]] || skip "/var/tmp is on $type, which is no storage"
}

# The bytes that a tool moved to and from storage: exact, plus metadata of the file system.
storage_read() { # TOOL BYTES
	over "tool(\"$1\").read_bytes" "($2)" 131072
}

FIO_S='fio.read | (.clat_ns.mean + .slat_ns.mean) * .clat_ns.N / 1e9'

fio_read() {
	# the time that fio measures for a read includes the CPU time that the read had, or waited for
	agree 'tool("fio").states.file_io_s' "$FIO_S" 0.01 'fio.read.total_ios * 1e-5 + (tool("fio").states.runnable_s)'
	# and pages of fio itself that were not in memory
	over 'tool("fio").read_bytes' 'fio.read.io_bytes' '131072 + .used.major_faults * MiB'
	# fio reads for itself, too
	over 'tool("fio").syscall_read_bytes' 'fio.read.io_bytes' 262144
	agree '[.used.file_systems[] | select(.type == "ext4") | .wait_s] | add' 'tool("fio").states.file_io_s' 0.01 0.03
	closed 10
	bound_by file-io
	holds '.verdict.file_system == "ext4" and .verdict.file_system_class == "local"'
}

@test "fio psync with O_DIRECT: storage and syscall bytes, the wait of each read, ext4; file-io, local" {
	slow_or_skip
	need fio
	of psync
	fio_read
	agree '.used.async_read_bytes' 0 0 0
}

@test "fio libaio: what rchar does not have is counted, and its wait; file-io" {
	slow_or_skip
	need fio
	of libaio
	agree '.used.async_read_bytes' 'fio.read.io_bytes' 0 0
	fio_read
}

@test "fio io_uring: what rchar does not have is counted, and its wait; file-io" {
	slow_or_skip
	need fio
	! no_uring || skip "io_uring is turned off here"
	of uring
	agree '.used.async_read_bytes' 'fio.read.io_bytes' 0 0
	fio_read
}

@test "fsync on ext4: the wait for the journal, which iowait does not see; file-io" {
	slow_or_skip
	of fsync
	waited writer file_io_s 'own("write").waited_ns' '2 * own("write").calls'
	over 'tool("writer").write_bytes' 'own("write").bytes' 131072
	agree '.used.file_systems[] | select(.type == "ext4") | .wait_s' 'own("write").waited_ns / 1e9' 0.01 '0.02 + tool("writer").states.runnable_s'
	closed 3
	bound_by file-io
	holds '.verdict.file_system == "ext4" and .verdict.file_system_class == "local"'
	# the remaining time is the wait of the first use of what the file system must read
	true_of_both 'tool("writer") | .sync_wait_s <= .states.file_io_s and .sync_wait_s >= 0.6 * .states.file_io_s'
	true_of_both 'tool("writer").sync_waits >= own("write").calls'
}

@test "many small writes with O_SYNC: they stand still until the disk has each, and the report says so" {
	slow_or_skip
	of often
	waited writer file_io_s 'own("write").waited_ns' 'own("write").calls'
	true_of_both 'tool("writer") | .sync_wait_s <= .states.file_io_s and .sync_wait_s >= 0.8 * .states.file_io_s'
	true_of_both 'tool("writer").sync_waits >= own("write").calls'
	bound_by file-io
	found synchronous-writes
}

@test "a few fsyncs of much each stand still as long, and no program can do without them: no finding" {
	slow_or_skip
	of seldom
	true_of_both 'tool("writer").sync_wait_s >= 0.1 * .states.file_io_s and tool("writer").sync_waits < 100'
	bound_by file-io
	not_found synchronous-writes
}

@test "pages of a mapped file: each is a major fault, and a wait for page-fault I/O; file-io" {
	slow_or_skip
	of mapped
	waited mapper fault_io_s 'own("fault").waited_ns' 'own("fault").pages'
	agree '.used.major_faults' 'own("fault").major_faults' 0 3
	true_of_both 'own("fault").major_faults >= own("fault").pages'
	storage_read mapper 'own("fault").read_bytes'
	closed 3
	bound_by file-io
}

@test "reads on a FUSE mount: file I/O of the class network, as long as its server took; file-io" {
	slow_or_skip
	of fuse
	waited remote file_io_s 'own("read").waited_ns' 'own("read").calls'
	agree '.used.file_systems[] | select(.type == "fuse") | .wait_s' 'own("read").waited_ns / 1e9' 0.01 0.05
	holds '.used.file_systems[] | select(.type == "fuse") | .class == "network"'
	agree '.used.file_systems[] | select(.type == "fuse") | .read_bytes' 'own("read").bytes' 0 0
	agree '.used.file_systems[] | select(.type == "fuse") | .reads' 'own("read").calls' 0 0
	# the server's own numbers: every read is one request, and a few more are names
	holds --slurpfile server "$BATS_FILE_TMPDIR/remote.slowfs" '$server[0].read.requests as $requests |
		.used.file_systems[] | select(.type == "fuse") | .reads == $requests and .wait_s * 1e9 >= $server[0].read.ns'
	agree '.used.read_bytes' 'own("read").read_bytes' 0 8192
	closed 3
	bound_by file-io
	holds '.verdict.file_system == "fuse" and .verdict.file_system_class == "network"'
	found network-file-system-waits
}

@test "names asked for on a FUSE mount: metadata is waited for, and no byte moves; file-io" {
	slow_or_skip
	of stat
	waited looker file_io_s 'own("stat").waited_ns' 'own("stat").calls'
	agree '.used.file_systems[] | select(.type == "fuse") | .wait_s' 'own("stat").waited_ns / 1e9' 0.01 0.05
	holds '.used.file_systems[] | select(.type == "fuse") | .read_bytes == 0 and .reads == 0'
	closed 3
	bound_by file-io
	holds '.verdict.file_system == "fuse" and .verdict.file_system_class == "network"'
}

@test "what is written as a process ends, or is killed, and its files are closed: file I/O" {
	slow_or_skip
	of leave
	# The parent's clock also includes its children's computing. And next to other jobs, a child that is born or ends waits for the kernel's
	# lock of cgroups (exit_signals()) while another process is moved into one. The server's clock has neither, and is the lower bound.
	agree '(tool("leaver").states | .file_io_s + .on_cpu_s) - own("leave").process_cpu_ns / 1e9' 'own("leave").waited_ns / 1e9' 0.02 \
		'own("leave").times * 1e-4 + (tool("leaver").states | .runnable_s + .other_s)'
	holds --slurpfile server "$BATS_FILE_TMPDIR/remote.slowfs" '$server[0].write.requests == 100 and
		(.used.file_systems[] | select(.type == "fuse") | .wait_s * 1e9) >= $server[0].write.ns and
		(.tools[] | select(.name == "leaver") | .states.file_io_s * 1e9) >= $server[0].write.ns'
	closed 103
	bound_by file-io
}

@test "names asked for on ext4: the path that is looked up says which file system is waited for" {
	slow_or_skip
	of names
	true_of_both 'own("stat").waited_ns > 50000000'
	waited looker file_io_s 'own("stat").waited_ns' 'own("stat").calls'
	agree '.used.file_systems[] | select(.type == "ext4") | .wait_s' 'own("stat").waited_ns / 1e9' 0.01 \
		'0.005 + tool("looker").states.runnable_s'
	closed 3
}

@test "O_DIRECT: storage bytes and calls are what was asked for, and the file is named with them" {
	storage_or_skip
	of direct
	storage_read direct 'own("read").bytes'
	agree 'tool("direct").read_bytes' 'own("read").read_bytes' 0 0
	agree 'tool("direct").syscall_read_bytes' 'own("read").rchar' 0 4096
	agree '.files[] | select(.path | endswith("/fast/data")) | .read_bytes' 'own("read").bytes' 0 0
	agree '.files[] | select(.path | endswith("/fast/data")) | .reads' 'own("read").calls' 0 0
	holds '.files[] | select(.path | endswith("/fast/data")) | .opens == 1 and .writes == 0 and .write_bytes == 0'
	of directwrite
	over 'tool("dirtier").write_bytes' 'own("write").bytes' 131072
	agree '.files[] | select(.path | endswith("/fast/direct")) | .write_bytes' 'own("write").bytes' 0 0
	agree '.files[] | select(.path | endswith("/fast/direct")) | .writes' 'own("write").calls' 0 0
	closed 3
}

@test "buffered writes: storage bytes as the kernel counts them, syscall bytes as they were written" {
	storage_or_skip
	of buffered
	agree 'tool("dirtier").write_bytes' 'own("write").write_bytes' 0 4096
	over 'tool("dirtier").write_bytes' 'own("write").bytes' 65536
	# and the line that it printed afterwards
	true_of_both 'tool("dirtier").syscall_write_bytes - own("write").bytes | . > 0 and . < 1024'
	agree 'tool("dirtier").syscall_writes' 'own("write").calls + 1' 0 0
	closed 3
}

@test "reads from the page cache: syscall bytes without storage bytes, and no wait; cpu" {
	of cached
	agree 'tool("cacher").syscall_read_bytes' 'own("read").rchar' 0 4096
	over 'tool("cacher").syscall_read_bytes' 'own("read").bytes' 65536
	agree 'tool("cacher").syscall_reads' 'own("read").syscr' 0 16
	agree 'tool("cacher").read_bytes' 'own("read").read_bytes' 0 0
	# the kernel may have taken some of it out of the cache
	true_of_both '.used.read_bytes < own("read").bytes / 800'
	agree 'tool("cacher").states.on_cpu_s' 'own("read").process_cpu_ns / 1e9' 0.001 0.003
	# No read waits, except for data that was out of the cache: the program counts how often it left its CPU by itself. The program's own
	# begin and the output's first write may wait for the disk's journal.
	true_of_both '(.states.waits | .file_io + .fault_io) <= own("read").voluntary_switches + 4'
	true_of_both 'own("read").read_bytes > 0 or (.states.waits | .file_io + .fault_io) <= 4'
	true_of_both 'tool("cacher").states | .file_io_s + .fault_io_s + .other_s < .on_cpu_s / 4'
	closed 3
	bound_by cpu
}

@test "reads from tmpfs: the class memory, syscall bytes without storage bytes; cpu" {
	[ "$(stat -f -c %T /dev/shm)" = tmpfs ] || skip "/dev/shm is no tmpfs"
	of tmpfs
	agree 'tool("memory").syscall_read_bytes' 'own("read").rchar' 0 4096
	agree 'tool("memory").read_bytes' 0 0 65536
	holds '.used.file_systems[] | select(.type == "tmpfs") | .class == "memory"'
	agree '.used.file_systems[] | select(.type == "tmpfs") | .read_bytes' 'own("read").bytes' 0 0
	agree '.used.file_systems[] | select(.type == "tmpfs") | .reads' 'own("read").calls' 0 0
	closed 3
	bound_by cpu
}
