#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# stintd started by systemd: it works without the rights that its unit takes away.
# shellcheck shell=bash disable=SC2015,SC2016,SC2154

load ../system/helper
load machine
load plain

UNIT=/run/systemd/system/stintd.service

setup() {
	in_the_machine && [ "$(cat /proc/1/comm)" = systemd ] || skip "only in a virtual machine with systemd: contrib/check --vm unit"
}

teardown() {
	[ -n "${BATS_TEST_COMPLETED:-}" ] || [ -n "${BATS_TEST_SKIPPED:-}" ] || systemctl status --no-pager --full stintd || true
	plain_evidence
}

setup_file() {
	! setup >/dev/null || plain_begin start_unit
}

teardown_file() {
	[ ! -d "${PLAIN:-/nonexistent}" ] || { systemctl stop stintd && plain_end; }
}

# A directory of stint's programs that notes each start of a stint-epilog, and its system call filters.
noted_programs() {
	mkdir "$PLAIN/libexec" && cat >"$PLAIN/libexec/stint-epilog" <<-END && chmod 755 "$PLAIN/libexec/stint-epilog"
		#!/bin/bash
		while read -r name value; do [ "\$name" != Seccomp: ] || filter=\$value; done </proc/self/status
		echo "filter \$filter: \$*" >>$PLAIN/starts
		exec $STINT_BUILD/reports/stint-epilog "\$@"
	END
}

# The unit in its installed form, without other units that this machine lacks, and with programs that are built but not installed.
start_unit() {
	noted_programs || return
	sed -e '/^\(Before\|After\|Wants\|RequiresMountsFor\)=/d' -e 's/^TimeoutStartSec=.*/TimeoutStartSec=infinity/' \
		-e 's/^\[Unit\]/&\nDefaultDependencies=no/' \
		-e "s|^\\[Service\\]|&\nEnvironment=STINT_LIBEXEC=$PLAIN/libexec|" \
		-e "s|@sbindir@/stintd|$STINTD --config $CONF|" \
		"$BATS_TEST_DIRNAME/../../contrib/stintd.service.in" >"$UNIT"
	systemctl daemon-reload && systemctl start stintd
	journal_to_log
}

# Puts stintd's output where plain_begin() has it.
journal_to_log() {
	journalctl --sync
	journalctl --unit=stintd --output=cat >"$PLAIN/stintd.log"
}

journal_has() { # TEXT [OPTION...] : of journalctl
	journalctl --sync
	journalctl --unit=stintd --output=cat "${@:2}" | grep -q "$1"
}

began_times() { # COUNT : stintd
	journalctl --sync
	[ "$(journalctl --unit=stintd --output=cat | grep -c 'socket /')" -eq "$1" ]
}

of_stintd() { # FIELD : of its status in /proc
	sed -n "s/^$1:\t//p" "/proc/$(systemctl show --property=MainPID --value stintd)/status"
}

@test "the unit's bounds are in force, and all kernel programs are loaded" {
	[ "$(of_stintd NoNewPrivs)" -eq 1 ]
	[ "$(of_stintd Seccomp)" -eq 2 ]
	# DAC_READ_SEARCH, KILL, SETGID, SETUID, SYS_PTRACE, PERFMON, BPF: capability.h numbers them
	[ "$((0x$(of_stintd CapBnd)))" -eq "$((1 << 2 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 19 | 1 << 38 | 1 << 39))" ]
	all_programs_are_loaded
}

@test "a job is counted exactly, and its report is written as its user" {
	plain_job '' < <(known_work)
	journal_to_log
	known_work_is_told
	known_peak_is_told
}

MANY=24

# Opens job NUMBER, of one of six users, each of whose jobs has a directory; its task ends when $PLAIN/over exists.
open_job() { # NUMBER
	local home=$PLAIN/many/$1

	mkdir -p "$home" && chown "$((5000 + $1 % 6)):$((5000 + $1 % 6))" "$home" && open_job_in "$1" "$home"
}

open_job_in() { # NUMBER DIRECTORY
	local job=/sys/fs/cgroup/slurm/job_$1 home=$2

	start_in "$job/step_0/slurm" "$PLAIN/slurmstepd" 86400 hold >/dev/null
	DAEMON[$1]=$PID
	start_in "$job/step_0/user/task_0" bash -c "while sleep 0.2; do [ ! -e $PLAIN/over ] || exit 0; done"
	TASK[$1]=$PID
	"$PROGRAMS/../bench/job" "$PLAIN/run" "$1" "$home" "${DAEMON[$1]}" "${TASK[$1]}"
}

close_job() { # NUMBER
	"$PROGRAMS/../bench/job" "$PLAIN/run" "$1" "$PLAIN/many/$1" 3>&-
}

has_reports() { # COUNT
	[ "$(find "$PLAIN/many" -name 'stint-*.json' | wc -l)" -ge "$1" ]
}

# Jobs from NUMBER on that end at once; waits for their reports. Sets FORKED to the number of their writers that were forked, not started.
many_jobs() { # NUMBER
	local i DAEMON=() TASK=() ending=()

	rm -f "$PLAIN/over"
	for ((i = $1; i < $1 + MANY; i++)); do
		open_job "$i"
	done
	: >"$PLAIN/over"
	: >"$PLAIN/starts"
	for ((i = $1; i < $1 + MANY; i++)); do
		wait "${TASK[i]}"
		kill "${DAEMON[i]}"
		wait "${DAEMON[i]}" || true
	done
	for ((i = $1; i < $1 + MANY; i++)); do
		close_job "$i" &
		ending+=($!)
	done
	# stintd answers each in time, or writes the report later: the next lines wait for it
	wait "${ending[@]}" || true
	SOON_S=600 soon has_reports $(($1 - 100 + MANY))
	run ! grep -v '^filter 2: ' "$PLAIN/starts"
	FORKED=$((MANY - $(grep -vc -- --serve "$PLAIN/starts" || true)))
	echo "$(grep -c -- --serve "$PLAIN/starts") stay, and have forked $FORKED"
}

@test "of many jobs that end at once each has its report, by the writer that stays, below the unit's filter" {
	local i owner

	mkdir "$PLAIN/many" && chmod 755 "$PLAIN" "$PLAIN/many"
	many_jobs 100
	# on a busy machine, the serving one may be too slow for each of its calls
	for ((i = 100 + MANY; FORKED <= 0 && i <= 100 + 3 * MANY; i += MANY)); do
		many_jobs "$i"
	done
	[ "$FORKED" -gt 0 ]
	for ((i = 100; i < 100 + MANY; i++)); do
		REPORT=$PLAIN/many/$i/stint-$i.json
		owner=$((5000 + i % 6))
		[ "$(stat --format=%u:%g "$REPORT")" = "$owner:$owner" ]
		holds --argjson job "$i" '.job.id == $job and (.lost | to_entries | all(.value == 0)) and .used.cpu_s > 0 and
			(.tools | map(.name) | contains(["bash", "sleep"]))'
	done
	soon eval '[ -z "$(find "$PLAIN/spool" -name "*.record")" ]'
	run ! journal_has . --priority=err
	[ "$(systemctl show --property=NRestarts --value stintd)" -eq 0 ]
}

CGROUP=/sys/fs/cgroup/system.slice/stintd.service

pages() { # CGROUP : prints the bytes of in-memory file systems that are charged to it
	awk '$1 == "shmem" { print $2 }' "$CGROUP/$1/memory.stat"
}

# A job of user 5001's in memory. Its report's pages are the user's.
job_in_memory() { # NUMBER
	local before=0 mine home=$PLAIN/memory/$1 DAEMON=() TASK=()

	[ ! -d "$CGROUP/writers/5001" ] || before=$(pages writers/5001)
	mine=$(pages collector)
	mkdir -p "$home" && chown 5001:5001 "$home" && chmod 755 "$PLAIN" "$PLAIN/memory"
	rm -f "$PLAIN/over"
	open_job_in "$1" "$home"
	: >"$PLAIN/over"
	wait "${TASK[$1]}"
	kill "${DAEMON[$1]}"
	wait "${DAEMON[$1]}" || true
	"$PROGRAMS/../bench/job" "$PLAIN/run" "$1" "$home" 3>&-
	REPORT=$home/stint-$1.json
	SOON_S=600 soon test -s "$REPORT"
	SOON_S=600 soon eval '[ -z "$(cat $CGROUP/writers/5001/cgroup.procs)" ]'
	echo "charged: $(pages writers/5001) to the user, $mine before and $(pages collector) now to stintd"
	[ "$(pages writers/5001)" -eq $((before + $(stat --format='%b * %B' "$REPORT"))) ]
	# stintd's own files are also in memory here: some pages, and none of the report
	[ $(($(pages collector) - mine)) -lt "$(stat --format=%s "$REPORT")" ]
}

@test "reports in memory are charged to their users, also after stintd was killed and started again" {
	local before count stays

	[ "$(stat --file-system --format=%T "$PLAIN")" = tmpfs ]
	grep -qx "0::/system.slice/stintd.service/collector" "/proc/$(systemctl show --property=MainPID --value stintd)/cgroup"
	job_in_memory 300
	[ "$(cat "$CGROUP/writers/5001/memory.max")" -ge $((256 << 20)) ]
	before=$(systemctl show --property=MainPID --value stintd)
	kill -KILL "$before"
	SOON_S=600 soon began_times 2
	grep -qx "0::/system.slice/stintd.service/collector" "/proc/$(systemctl show --property=MainPID --value stintd)/cgroup"
	job_in_memory 301
	systemctl restart stintd
	run ! journal_has 'stintd cannot make cgroups for the writers'
	job_in_memory 302
	# a writer that lives on, like one that waits for other nodes, keeps no stintd from starting
	sleep 10000 3>&- &
	stays=$!
	echo "$stays" >"$CGROUP/writers/5001/cgroup.procs"
	before=$(systemctl show --property=MainPID --value stintd)
	count=$(journalctl --unit=stintd --output=cat | grep -c 'socket /')
	kill -KILL "$before"
	SOON_S=600 soon began_times $((count + 1))
	systemctl restart stintd
	SOON_S=600 soon began_times $((count + 2))
	grep -qx "0::/system.slice/stintd.service/collector" "/proc/$(systemctl show --property=MainPID --value stintd)/cgroup"
	grep -qx "$stays" "$CGROUP/writers/5001/cgroup.procs"
	kill "$stays"
	job_in_memory 303
	[ "$(cat "$CGROUP/writers/5001/memory.max")" != max ] # the limit was set again
}

@test "systemd finds the unit well enough guarded" {
	local exposure

	exposure=$(systemd-analyze security --no-pager stintd.service | sed -n 's/.*Overall exposure level[^:]*: \([0-9.]*\).*/\1/p')
	echo "exposure: $exposure"
	between 0 "$exposure" 4.9 # "OK"
}

@test "a stint.conf with a mistake is not tried again, and a stintd that was killed is started" {
	local before count

	before=$(systemctl show --property=MainPID --value stintd)
	count=$(journalctl --unit=stintd --output=cat | grep -c 'socket /')
	kill -KILL "$before"
	SOON_S=600 soon began_times $((count + 1))
	cp "$CONF" "$BATS_TEST_TMPDIR/kept"
	echo 'colour = blue' >>"$CONF"
	run ! systemctl restart stintd
	[ "$(systemctl show --property=ExecMainStatus --value stintd)" -eq 78 ]
	[ "$(systemctl show --property=SubState --value stintd)" = failed ]
	cp "$BATS_TEST_TMPDIR/kept" "$CONF"
	systemctl start stintd
}

@test "the journal has each line with its priority" {
	journal_has "unknown key 'colour'" --priority=err
	run ! journal_has 'socket /' --priority=warning
	journal_has 'socket /' --priority=notice
}
