# SPDX-License-Identifier: GPL-2.0-or-later
# What suites must not leave: their processes, mounts, cgroups, users and directories, pinned kernel programs, and crashes that no test saw.
# Checked once all of them have ended.
# shellcheck shell=bash disable=SC2015,SC2034,SC2153

LEFT_WAIT_S=30 # a suite's guard may still be at work

# Processes that the suites start have STINT_CHECK in their environment; helper.bash notes the suites' directories in a file there.
leftovers_begin() {
	export STINT_CHECK=$WORK
	pins >"$WORK/pins-before"
	crashes >"$WORK/crashes-before"
}

pins() {
	find /sys/fs/bpf -maxdepth 2 -name '*stint*' 2>/dev/null | sort
}

# The kernel notes each program that crashes.
crashes() {
	dmesg 2>/dev/null | grep -E '\<(stint[a-z-]*|slurmstepd|slurmd|srun|sbatch|salloc)\[[0-9]+\]: segfault|traps: (stint|slurm|srun|sbatch|salloc)'
}

# Prints the processes that have STINT_CHECK, except those of this check itself.
left_processes() {
	local pid

	grep -lzsFx "STINT_CHECK=$WORK" /proc/[0-9]*/environ | cut -d / -f 3 | while read -r pid; do
		[ ! -e "/proc/$pid" ] || ps -o pid=,stat=,args= -p "$pid"
	done
}

left_of() { # DIRECTORY : of a suite
	local tag

	tag=$(printf '%s' "$1" | sha256sum | cut -c 1-6)
	ls -d "$1" "$1"-* 2>/dev/null
	awk -v top="$1" 'index($2, top) == 1 { print "mounted: " $2 }' /proc/self/mounts
	getent passwd | grep -F "$1"
	find /sys/fs/cgroup -maxdepth 3 -type d \( -name "*stint*${1##*.}*" -o -name "*t${tag}n[0-9]*" \) 2>/dev/null
}

left_behind() {
	local directory

	left_processes
	while IFS= read -r directory; do
		left_of "$directory"
	done < <(sort -u "$WORK/directories" 2>/dev/null)
	pins | comm -13 "$WORK/pins-before" -
}

leftovers_end() {
	local end=$((SECONDS + LEFT_WAIT_S))

	[ -e "$WORK/directories" ] || return 0 # no suite ran
	until left_behind >"$LOGS/left-behind" && [ ! -s "$LOGS/left-behind" ] || [ "$SECONDS" -ge "$end" ]; do
		sleep 0.5
	done
	[ ! -s "$LOGS/left-behind" ]
	result_of_one leftovers "$LEFTOVERS" "$LOGS/left-behind" 0 $?
	crashes | grep -vxFf "$WORK/crashes-before" >"$LOGS/crashed"
	[ ! -s "$LOGS/crashed" ]
	result_of_one crashes "$CRASHES" "$LOGS/crashed" 0 $?
}
