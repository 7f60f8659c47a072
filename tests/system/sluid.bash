# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs without a Slurm, in cgroups with Slurm 26.05's names: peer acts as its slurmstepd, and talks to a real stintd.
# shellcheck shell=bash disable=SC2034,SC2154

sluid_tops() { # where a node's cgroups would be: one on cgroup v2, one in each hierarchy, or in SLUID_HIERARCHIES, on v1
	local hierarchy name=stint${STINT_TESTBED##*.}

	if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
		echo "/sys/fs/cgroup/system.slice/${name}_slurmstepd.scope"
		return
	fi
	for hierarchy in ${SLUID_HIERARCHIES:-memory freezer cpuacct}; do
		echo "/sys/fs/cgroup/$hierarchy/slurm_$name"
	done
}

sluid_make() { # DIRECTORY : of a step, below sluid_tops
	local top directory part

	for top in $(sluid_tops); do
		if [[ $top != *.scope ]]; then
			mkdir -p "$top/$1/task_0"
			continue
		fi
		directory=$top
		mkdir -p "$top"
		# the path of v2 has no directory for the user
		for part in $(tr / ' ' <<<"${1#uid_*/}") user; do
			echo "+memory +cpu" >"$directory/cgroup.subtree_control"
			directory+=/$part
			mkdir -p "$directory"
		done
		mkdir -p "$directory/task_0" "${directory%/user}/slurm"
	done
}

# Places slurmstepd and its task: the cpuacct hierarchy has only the task, the freezer has the daemon in the job's cgroup.
sluid_own_files() { # DIRECTORY
	local top

	for top in $(sluid_tops); do
		case $top in
		*.scope) echo "$top/${1#uid_*/}/slurm/cgroup.procs" ;;
		*/memory/*) echo "$top/$1/cgroup.procs" ;;
		*/freezer/*) echo "$top/${1%/*}/cgroup.procs" ;;
		esac
	done
}

sluid_task_files() { # DIRECTORY
	local top

	for top in $(sluid_tops); do
		case $top in
		*.scope) echo "$top/${1#uid_*/}/user/task_0/cgroup.procs" ;;
		*/freezer/*) echo "$top/$1/cgroup.procs" ;;
		*) echo "$top/$1/task_0/cgroup.procs" ;;
		esac
	done
}

sluid_step() { # JOB SLUID STEP COMMAND... : with SLUID_LATE, COMMAND runs before the step's message is sent
	local directory=uid_$SLUID_UID/$2/step_$3 step=$3 own task

	case $3 in
	batch) step=0xfffffffb ;;
	extern) step=0xfffffffc ;;
	esac
	sluid_make "$directory"
	mapfile -t own < <(sluid_own_files "$directory")
	mapfile -t task < <(sluid_task_files "$directory")
	"$PROGRAMS/peer" "$STINT_TESTBED/run/stintd.sock" step job="$1" step="$step" uid="$SLUID_UID" gid="$SLUID_GID" \
		node=simulated work_dir="$STINT_TESTBED/home" late="${SLUID_LATE:-0}" -- "${own[@]}" -- "${task[@]}" -- "${@:4}"
}

sluid_files() { # SLUID FILE : in the job's cgroup
	local top

	for top in $(sluid_tops); do
		cat "$top/uid_$SLUID_UID/$1/$2" "$top/$1/$2" 2>/dev/null || true
	done
}

# A cgroup is busy for a moment after its last process was waited for.
cgroups_are_removed() { # TOP PATTERN
	find "$1" -depth -type d -path "$2" -exec rmdir {} +
	[ -z "$(find "$1" -type d -path "$2" | head -n 1)" ]
}

# Acts like slurmd: ends the extern step, removes the cgroups, and then sends the epilog's message.
sluid_close() { # JOB SLUID EXTERN-PID
	local top

	kill "$(sluid_pids "$2/step_extern" | tail -n 1)"
	wait "$3" || true
	CPU_S=$(sluid_cpu_s "$2")
	PEAK=$(sluid_files "$2" memory.max_usage_in_bytes)$(sluid_files "$2" memory.peak)
	for top in $(sluid_tops); do
		soon cgroups_are_removed "$top" "*/$2*"
	done
	"$PROGRAMS/peer" "$STINT_TESTBED/run/stintd.sock" send kind=4 job="$1" step=0xfffffffe uid="$SLUID_UID" gid="$SLUID_GID" \
		node=simulated work_dir="$STINT_TESTBED/home" user="$TESTBED_USER" stepd=0 wait=30000
	REPORT=$STINT_TESTBED/home/stint-$1.json
}

sluid_pids() { # DIRECTORY : below the tops
	local top

	for top in $(sluid_tops); do
		find "$top" -path "*$1/*" -name cgroup.procs -exec cat {} + 2>/dev/null
	done | sort -un
}

# Prints what the job's own cgroup counted.
sluid_cpu_s() { # SLUID
	local usage

	usage=$(sluid_files "$1" cpuacct.usage)
	if [ -n "$usage" ]; then
		awk "BEGIN { print $usage / 1e9 }"
	else
		sluid_files "$1" cpu.stat | awk '$1 == "usage_usec" { print $2 / 1e6 }'
	fi
}

sluid_end() {
	local top pids

	for top in $(sluid_tops); do
		[ -d "$top" ] || continue
		pids=$(find "$top" -name cgroup.procs -exec cat {} + | sort -u)
		# shellcheck disable=SC2086
		[ -z "$pids" ] || kill -KILL $pids
		soon cgroups_are_removed "$top" '*'
	done
}
