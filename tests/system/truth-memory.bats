#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs of known truth that use memory. Swap is turned on for one of them: contrib/check runs this suite alone.
# shellcheck shell=bash disable=SC2016,SC2154,SC2317

load truth

setup_file() {
	testbed_begin --first --nodes 3
	[ -z "$NO_TESTBED" ] || return 0
	NO_SLOWFS=$(no_slowfs)
	export NO_SLOWFS
	mkdir -p "$STINT_TESTBED"/memory/{seed,back}
	workload hog crew parent victim presser roamer cachereader keeper namer
	in_step
	plain_jobs
	[ -n "$NO_SLOWFS" ] || slow_jobs
	truth_undo
}

teardown_file() {
	truth_undo
	testbed_end
}

# Runs something as a step, and prints the charged peak of the step's cgroup at its end.
in_step() {
	cat >"$TOOLS/in-step" <<-'END'
		#!/bin/bash
		name=$1
		"${@:2}" || exit
		sed -n 's,^[0-9]*:[^:]*memory[^:]*:\(.*/step_[^/]*\).*,/sys/fs/cgroup/memory\1 memory.max_usage_in_bytes,p
			s,^0::\(.*/step_[^/]*\).*,/sys/fs/cgroup\1 memory.peak,p' /proc/self/cgroup | head -n 1 |
			while read -r cgroup peak; do
				echo "{\"what\": \"step of $name\", \"peak_bytes\": $(cat "$cgroup/$peak")}"
			done
	END
	chmod 755 "$TOOLS/in-step"
}

plain_jobs() {
	local data=$STINT_TESTBED/memory/data

	meet
	head -c 314572800 /dev/zero >"$data"
	sync "$data"
	beside hog --mem=1G -- "$TOOLS/hog" hold 300 3
	beside crew --mem=1G -- "$TOOLS/crew" together 4 64 0.05
	beside oom --mem=128M -- "$TOOLS/parent" victim "$TOOLS/victim" 112
	# 192 bytes for each name: 59 and 15 MiB. Both fit: a kernel that must free many at once may kill first.
	beside_script names --mem=64M <<-END
		#!/bin/bash
		$TOOLS/namer stat $STINT_TESTBED/memory 320000
		$(tells_and_awaits names names-seen)
	END
	beside_script tight --mem=256M <<-END
		#!/bin/bash
		$TOOLS/namer stat $STINT_TESTBED/memory/seed 80000
		$TOOLS/hog hold 234 $MEET/tight
	END
	beside_script cache --mem=1G <<-END
		#!/bin/bash
		$TOOLS/cachereader read dropped $data 1048576
		cgroup=\$(sed -n 's,^[0-9]*:[^:]*memory[^:]*:\\(.*\\)/step_.*,/sys/fs/cgroup/memory\\1/memory.max_usage_in_bytes,p
			s,^0::\\(.*\\)/step_.*,/sys/fs/cgroup\\1/memory.peak,p' /proc/self/cgroup | head -n 1)
		echo "{\"what\": \"cgroup\", \"peak_bytes\": \$(cat "\$cgroup")}"
	END
	beside_script steps --mem=1G <<-END
		#!/bin/bash
		srun $TOOLS/in-step crew $TOOLS/crew together 4 100 $MEET/crew
		srun $TOOLS/in-step keeper $TOOLS/keeper memfd 250 $MEET/keeper
		srun --mem=300M $TOOLS/in-step hog $TOOLS/hog hold 50 0
	END
	[ "$(stat -f -c %T /dev/shm)" != tmpfs ] || {
		undo_with rm -f "/dev/shm/stint-truth.$$"
		beside_script tmpfs --mem=1G <<-END
			#!/bin/bash
			$TOOLS/keeper write buffered /dev/shm/stint-truth.$$ 209715200 1048576
			$(tells_and_awaits tmpfs tmpfs-seen)
		END
		told tmpfs
		seen tmpfs '.used.memory_used_peak_bytes >= 209715200'
		tell tmpfs-seen
	}
	told names
	seen names '.used.memory_charged_peak_bytes > 58 * 1048576'
	tell names-seen
	told tight.held
	seen tight '.used.memory_used_peak_bytes >= 234 * 1048576'
	tell tight
	told crew.held
	seen steps '.steps[] | select(.id == "0") | .memory_used_peak_bytes >= 400 * 1048576'
	tell crew
	told keeper.held
	seen steps '.steps[] | select(.id == "1") | .memory_used_peak_bytes >= 250 * 1048576'
	tell keeper
	jobs_end
	dmesg >"$BATS_FILE_TMPDIR/dmesg" 2>/dev/null || rm -f "$BATS_FILE_TMPDIR/dmesg"
}

# A page of the file, or of swap, takes a millisecond.
slow_jobs() {
	local memory=$STINT_TESTBED/memory

	head -c 8388608 /dev/urandom >"$memory/seed/text"
	ext4_image "$memory/back/image" 48 "$memory/seed"
	truncate --size 128M "$memory/back/swap"
	slowfs_mount back "$memory/back" "$memory/slow" 0 1 0
	ext4_mount "$memory/slow/image" "$memory/ext4"
	beside squeeze --mem=64M -- "$TOOLS/presser" squeeze "$memory/ext4/text" 58 2
	jobs_end
	swap_on "$memory/slow/swap" || return 0
	beside swap --mem=64M -- "$TOOLS/roamer" roam 80 4
	jobs_end
}

swap_on() { # FILE
	local loop

	loop=$(losetup --find --show "$1") || return 1
	undo_with losetup --detach "$loop"
	mkswap "$loop" >/dev/null && swapon --priority 100 "$loop" || return 1
	undo_with swapoff "$loop"
}

# Checks the peaks of a tool and of the job, which also has a shell.
peak_is() { # TOOL WORD
	agree "tool(\"$1\").peak_bytes" "own(\"$2\").rss_peak_bytes" 0.005 1048576
	over ".used.memory_used_peak_bytes" "own(\"$2\").bytes" '16 * MiB'
}

@test "a hog below its limit: what it holds is the peak, and nothing is reclaimed; idle" {
	of hog
	peak_is hog hold
	true_of_both '.used.memory_charged_peak_bytes >= own("hold").bytes'
	agree '.used.minor_faults' 'own("hold").minor_faults' 0.01 1000
	holds '.used | .reclaims == 0 and .reclaim_s == 0 and .oom_kills == 0 and .memory_swap_peak_bytes == 0'
	holds '.oom == []'
	closed 3
	bound_by idle
}

@test "four processes that peak together for 50 ms: the truth is between the lower bound and the upper one" {
	of crew
	true_of_both '.used.memory_used_peak_bytes <= own("together").bytes + 16 * MiB'
	# the report leaves out an upper bound that is hardly above the lower one
	true_of_both '.used | .memory_used_peak_upper_bytes //
		([.memory_used_peak_bytes * 1.02, .memory_used_peak_bytes + 16 * MiB] | max) | . >= own("together").bytes'
	over '.used.memory_charged_peak_bytes' 'own("together").bytes' '16 * MiB'
	agree 'tool("crew").peak_bytes' 'own("together").bytes / 4' 0.01 2097152
	closed 7
}

@test "a child over the limit while its parent allocates: it is the child that is named, with pid and size" {
	local killed

	of oom 253 # Slurm's exit code for it is 0:125
	true_of_both 'own("victim").child_signal == 9'
	agree '.oom | length' 1 0 0
	agree '.used.oom_kills' 1 0 0
	true_of_both '.oom[0].pid == own("victim").child_pid'
	holds '.oom[0] | .tool == "victim" and .comm == "victim" and .step == "batch"'
	agree '.oom[0].limit_bytes' '128 * MiB' 0 0
	true_of_both '.oom[0].rss_bytes - own("victim").child_bytes | . >= -1 * MiB and . < 4 * MiB'
	holds '.oom[0] | .used_bytes <= .rss_bytes and .used_bytes <= .limit_bytes'
	if killed=$(grep "Killed process $(both 'own("victim").child_pid') (victim)" "$BATS_FILE_TMPDIR/dmesg"); then
		killed=$(grep -oE '(anon|file|shmem)-rss:[0-9]+' <<<"$killed" | awk -F: '{ sum += $2 } END { print sum * 1024 }')
		agree '.oom[0].rss_bytes' "$killed" 0 2097152
		killed=$(grep "Killed process $(both 'own("victim").child_pid') (victim)" "$BATS_FILE_TMPDIR/dmesg" | grep -oE '(anon|shmem)-rss:[0-9]+' |
			awk -F: '{ sum += $2 } END { print sum * 1024 }')
		agree '.oom[0].used_bytes' "$killed" 0 2097152
	fi
	holds '.tools[] | select(.name == "victim") | .runs == 1 and .failures == 1 and .signals == 1'
	holds '.tools[] | select(.name == "parent") | .runs == 1 and .failures == 0'
	holds '.job.state == "OUT_OF_MEMORY"'
	found oom-kill
	holds '[.advice[].line] == ["#SBATCH --mem=256M"]'
	closed 4
}

@test "a step killed at its own limit is told to ask for more: the whole job has enough" {
	script_job --mem=300M <<-END
		#!/bin/bash
		srun --mem=100M $TOOLS/hog hold 200 1
		exit 0
	END
	valid
	found oom-kill
	holds '.oom[0].limit_bytes == 104857600 and .oom[0].step == "0"'
	holds '[.advice[].line] == ["srun --mem=256M"]'
}

@test "a reader of a large file: used peak small, charged peak large" {
	of cache
	over '.used.memory_charged_peak_bytes' 'own("cgroup").peak_bytes' 4194304
	# the data that was read is in the cache, less what another process has pushed out
	holds '.used.memory_charged_peak_bytes > 200 * 1048576'
	holds '.used.memory_used_peak_bytes < 32 * 1048576'
	agree '.used.read_bytes' 'own("read").read_bytes' 0 65536
	closed 3
}

@test "a job that asks for very many names of files: what the kernel keeps of them fills the limit, and no memory is short" {
	of names
	holds '.used.memory_charged_peak_bytes > 58 * 1048576'
	holds '.used.memory_used_peak_bytes < 16 * 1048576'
	holds '[.gaps[].name | select(startswith("used.memory"))] == []'
	not_found memory-near-limit
	not_found memory-reclaim
	holds '[.advice[]?.line | select(test("--mem"))] == []'
	closed 3
}

@test "another one that itself holds nearly all that it may: the names do not count, and memory is tight" {
	of tight
	over '.used.memory_used_peak_bytes' 'own("hold").bytes' '10 * MiB'
	true_of_both '.used | .memory_charged_peak_bytes - .memory_used_peak_bytes | . > 10 * MiB'
	found memory-near-limit
	closed 3
}

# A step's used peak is what its processes held at once, whatever the largest of them did, with 16 MiB for Slurm's and the
# shell's own; its charged peak is its cgroup's.
step_peaks() { # STEP NAME BYTES
	over "step(\"$1\").memory_used_peak_bytes" "$3" '16 * MiB'
	over "step(\"$1\").memory_charged_peak_bytes" "own(\"step of $2\").peak_bytes" '4 * MiB'
	true_of_both "step(\"$1\") | (.memory_used_peak_upper_bytes // .memory_used_peak_bytes * 1.02 + 16 * MiB) >= .memory_charged_peak_bytes"
}

@test "what a step's processes held together is its peak, and so is what lies in no process" {
	of steps
	step_peaks 0 crew 'own("together").bytes'
	step_peaks 1 keeper 'own("memfd").bytes'
	step_peaks 2 hog 'own("hold").bytes'
	# the job's is its largest step's
	true_of_both '(.used.memory_used_peak_bytes - step("0").memory_used_peak_bytes) | . >= 0 and . < 32 * MiB'
	holds '[.gaps[].name | select(startswith("steps"))] == []'
}

@test "a file in tmpfs is memory that must fit" {
	[ "$(stat -f -c %T /dev/shm)" = tmpfs ] || skip "/dev/shm is no tmpfs"
	of tmpfs
	over '.used.memory_used_peak_bytes' 'own("write").bytes' '32 * MiB'
	agree 'tool("keeper").write_bytes' 0 0 65536
	over 'tool("keeper").syscall_write_bytes' 'own("write").bytes' 4096
	closed 4
}

@test "a hog at its limit, with pages reclaimed and read again: memory" {
	[ -z "$NO_SLOWFS" ] || skip "$NO_SLOWFS"
	of squeeze
	agree '.used.memory_charged_peak_bytes' '64 * MiB' 0.01 0
	over '.used.memory_used_peak_bytes' 'own("squeeze").bytes' '6 * MiB'
	agree '.used.major_faults' 'own("squeeze").major_faults' 0.01 5
	agree 'tool("presser").states | .fault_io_s + .memory_stall_s' 'own("squeeze").waited_ns / 1e9' 0.01 \
		'own("squeeze").major_faults * 1e-5'
	agree '.used.read_bytes' 'own("squeeze").read_bytes' 0.01 1048576
	holds '.used | .reclaims > 5 and .reclaim_s > 0'
	closed 3
	bound_by memory
	found memory-near-limit
}

@test "a hog over its limit, with swap: what lies there is told, and the waits for it; memory" {
	[ -z "$NO_SLOWFS" ] || skip "$NO_SLOWFS"
	[ -e "$BATS_FILE_TMPDIR/swap.report" ] || skip "no swap can be turned on here"
	of swap
	# memory that does not fit is in swap; pages on their way there or back count as the process's, and still as memory
	true_of_both '.used.memory_swap_peak_bytes >= own("roam").bytes - 64 * MiB'
	true_of_both '.used.memory_swap_peak_bytes <= own("roam").swap_bytes * 1.15 + 4 * MiB'
	# the job's script was swapped out, too
	agree '.used.major_faults' 'own("roam").major_faults' 0.01 \
		'5 + ([users | select(.name != "roamer") | .states.fault_io_s] | add) / (own("roam") | .waited_ns / 1e9 / .major_faults)'
	agree 'tool("roamer").states | .fault_io_s + .memory_stall_s' 'own("roam").waited_ns / 1e9' 0.02 \
		'own("roam").major_faults * 1e-5'
	closed 3
	bound_by memory
	found memory-swapped
}
