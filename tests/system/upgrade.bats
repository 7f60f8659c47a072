#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A stintd with another layout takes over the counts of the former one's programs, during a job, both ways.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_begin
}

teardown_file() {
	testbed_end
}

setup() {
	testbed_or_skip
	need bpftool
	PINS=$STINT_TESTBED/bpf/stint
	GATE=$BATS_TEST_TMPDIR/gate GO=$BATS_TEST_TMPDIR/go
	WAITS=$STINT_TESTBED/home/waits BURNT=$STINT_TESTBED/home/burnt
	rm -f "$WAITS" "$BURNT"
	rm -f "$TOOLS"/*
	OURS=${STINT_BUILD:-$SOURCE}/collector/stintd OTHER=$PROGRAMS/other/stintd
	[ -x "$OTHER" ] || skip "the other layout's stintd is not built (make check)"
	chmod 755 "$BATS_TEST_TMPDIR" "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" "${BATS_TEST_TMPDIR%/*}" 2>/dev/null
	mkfifo "$GATE" && chmod 666 "$GATE"
	[[ $BATS_TEST_DESCRIPTION == downgrade* ]] && begin_with "$OTHER" || begin_with "$OURS"
}

begin_with() { # STINTD : unless it already runs; without a job, nothing is taken over
	[ "$(readlink "/proc/$(daemon_pid stintd)/exe")" -ef "$1" ] || change_to "$1"
}

teardown() {
	touch "$GO"
	testbed_evidence
}

change_to() { # STINTD
	sed -i "s|^STINTD=.*|STINTD=$1|" "$STINT_TESTBED/etc/testbed.env"
	"$TESTBED" restart-collector
}

# Starts a job in the background. job_ends waits for it and sets REPORT, OUTPUT, and CPU_S, its cgroup's own count.
job_begins() { # ARGUMENT... : of testbed run
	"$BATS_TEST_DIRNAME/poll-cpu" "$NODE" >"$BATS_TEST_TMPDIR/cgroup" 3>&- &
	POLL=$!
	(cd / && "$TESTBED" run "$@" >"$BATS_TEST_TMPDIR/report") 3>&- &
	JOB=$!
}

job_ends() {
	wait "$JOB"
	wait "$POLL"
	REPORT=$(cat "$BATS_TEST_TMPDIR/report")
	OUTPUT=$(cat "${REPORT%/*}"/slurm-*.out)
	CPU_S=$(cat "$BATS_TEST_TMPDIR/cgroup")
	echo "the cgroup used $CPU_S s; the job printed: $OUTPUT"
	valid
}

# While the programs are replaced, the job starts and ends no process: the files say how far it is.
quiet_tools() {
	tool before
	tool after
	tool stopwatch
	cat >"$TOOLS/spinner.sh" <<-END
		#!/bin/bash
		until [ -e "$GO" ]; do :; done
	END
	cat >"$TOOLS/quiet.sh" <<-END
		#!/bin/bash
		$TOOLS/before burn 100
		$TOOLS/before burn 100
		$TOOLS/stopwatch timed $TOOLS/spinner.sh &
		exec 3<>$GATE
		: >$WAITS
		read -r _ <&3
		$TOOLS/after burn 100
		: >$BURNT
		wait
	END
	chmod 755 "$TOOLS"/*.sh
}

is_quiet() {
	[ -e "$WAITS" ] && pgrep -f "^/bin/bash $TOOLS/spinner.sh"
}

quiet_begins() {
	quiet_tools
	job_begins -- "$TOOLS/quiet.sh"
	soon is_quiet
}

quiet_ends() {
	timeout 120 sh -c "echo >$GATE"
	soon test -e "$BURNT"
	touch "$GO"
	job_ends
}

cpu_is_the_cgroups() {
	between "$(awk "BEGIN { print $CPU_S - 0.003 }")" "$(value .used.cpu_s)" "$(awk "BEGIN { print $CPU_S + 0.005 }")"
}

quiet_is_exact() {
	holds '.complete == true'
	holds '[.lost | to_entries[] | select(.key != "seen_by_killed_collector") | .value] | add == 0'
	# two scripts, the program that the second ran before, the stopwatch and what it timed, and one after
	holds '.used.processes == 7'
	holds '[.tools[] | select(.slurm | not) | .runs] | add == 7'
	holds '.tools | any(.name == "before" and .runs == 2 and .failures == 0 and .cpu_s > 0.199 and .cpu_s < 0.4)' # nothing twice
	holds '.tools | any(.name == "after" and .runs == 1 and .cpu_s > 0.099 and .cpu_s < 0.2)'
	holds '.tools | any(.name == "stopwatch" and .runs == 1)'
	holds '.tools | any(.name == "quiet.sh" and .runs == 1)'
	# the time of fork and exec before the spinner's image began is in the stopwatch's count of it, and in that of the tool stopwatch
	between "$(awk "BEGIN { print $OUTPUT / 1e6 - 0.001 - $(value '.tools[] | select(.name == "stopwatch") | .cpu_s') }")" \
		"$(value '.tools[] | select(.name == "spinner.sh" and .runs == 1) | .cpu_s')" \
		"$(awk "BEGIN { print $OUTPUT / 1e6 + 0.002 }")"
	cpu_is_the_cgroups
	# the steps' sums are the job's, without what its cgroup had used before it was counted
	holds '([.steps[].cpu_s] | add) as $steps | (.used.cpu_s - $steps - (.used.cpu_before_s // 0)) | fabs < 0.003'
}

log_says() { # TEXT
	grep -qF "$1" "$STINT_TESTBED/log/stintd.out" || { echo "the log does not say '$1'"; return 1; }
}

forget_log() {
	: >"$STINT_TESTBED/log/stintd.out"
}

# Prints the ids of everything that is pinned, and of all maps that the programs use.
note_old() {
	OLD_MAPS=$(for pin in "$PINS"/map_*; do bpftool -j map show pinned "$pin" | jq .id; done
		bpftool -j prog show pinned "$PINS/scan" | jq '.map_ids[]'
		bpftool -j prog show id "$(bpftool -j link show pinned "$PINS/thread_switch" | jq .prog_id)" | jq '.map_ids[]')
	OLD_PROGRAMS=$(for pin in "$PINS"/*_*; do [[ $pin == */map_* ]] || bpftool -j link show pinned "$pin" | jq .prog_id; done)
	[ "$(wc -w <<<"$OLD_MAPS")" -gt 20 ] && [ "$(wc -w <<<"$OLD_PROGRAMS")" -gt 10 ]
}

old_is_gone() {
	local id

	for id in $OLD_PROGRAMS; do
		for ((i = 0; i < 1200; i++)); do bpftool prog show id "$id" >/dev/null 2>&1 || continue 2; sleep 0.05; done
		echo "program $id is still there"
		return 1
	done
	for id in $OLD_MAPS; do
		for ((i = 0; i < 1200; i++)); do bpftool map show id "$id" >/dev/null 2>&1 || continue 2; sleep 0.05; done
		echo "map $id is still there: $(bpftool map show id "$id")"
		return 1
	done
}

took_over_another() {
	log_says "took over what another version had counted"
}

@test "upgrade: another layout's programs are replaced in mid-job, totals and tools are exact, and nothing of the old is left" {
	quiet_begins
	note_old
	forget_log
	change_to "$OTHER"
	took_over_another
	old_is_gone
	quiet_ends
	quiet_is_exact
	holds '.gaps | any(.name == "used.test_ns")' # a sum that the old programs did not have is not reported for half of the job
}

@test "downgrade, after kill -9: exact too" {
	quiet_begins
	forget_log
	collector_kill
	change_to "$OURS"
	took_over_another
	quiet_ends
	quiet_is_exact
}

@test "twice in a row, there and back: exact" {
	quiet_begins
	forget_log
	change_to "$OTHER"
	took_over_another
	forget_log
	change_to "$OURS"
	took_over_another
	quiet_ends
	quiet_is_exact
}

processes() { # prints how many the job has had so far
	(cd / && "$STINT" report --json --config "$STINT_TESTBED/etc/stint.conf" "$(squeue --noheader --states=R --format %i)") |
		jq .used.processes
}

processes_are() { # NUMBER : or more
	[ "$(processes)" -ge "$1" ]
}

storm() { # COMMAND... : replaces stintd in a storm of processes of two tools, one with failures
	local path runs failures signals unseen all

	tool alpha
	tool beta
	tool crowd crowd
	job_begins --cpus-per-task="$(nproc)" -- "$TOOLS/crowd" "$GO" "$TOOLS/alpha" "$TOOLS/beta"
	soon pgrep -f "^$TOOLS/crowd"
	soon processes_are 200
	forget_log
	"$@"
	took_over_another
	soon processes_are $(($(processes) + 400))
	touch "$GO"
	job_ends
	all=$(awk '{ all += $2 } END { print all + 2 }' <<<"$OUTPUT") # the crowd and its script, too
	unseen=$(value '[.gaps[].reason | capture("during the job: (?<n>[0-9]+) threads ended") | .n | tonumber] | add // 0')
	echo "unseen: $unseen"
	holds --argjson unseen "$unseen" '.complete == ($unseen == 0)'
	# each process is counted; a run that no program saw is among those that a gap names
	holds --argjson all "$all" '.used.processes == $all'
	holds --argjson unseen "$unseen" --argjson all "$all" \
		'[.tools[] | select(.slurm | not) | .runs] | add | $all - $unseen <= . and . <= $all'
	while read -r path runs failures signals; do
		[ "$runs" -gt 280 ] # half of those that were seen, eight at once
		holds --arg path "$path" --argjson unseen "$unseen" --argjson failures "$failures" --argjson signals "$signals" \
			'.tools[] | select(.path == $path) | .failures <= $failures and .failures >= $failures - $unseen and
			 .signals <= $signals and .signals >= $signals - $unseen'
	done <<<"$OUTPUT"
	cpu_is_the_cgroups
}

kill_and_change_to() { # STINTD
	collector_kill
	change_to "$1"
}

@test "in a storm of processes: CPU and processes exact; what nobody saw is counted and named" {
	storm change_to "$OTHER"
}

@test "in a storm, after kill -9" {
	storm kill_and_change_to "$OTHER"
}

@test "with the ring full: sums exact, the records that it had no room for are counted as lost" {
	echo "map_entries.events = 16384" >>"$STINT_TESTBED/etc/stint.conf"
	quiet_tools
	sed -i "2i for i in {1..300}; do /bin/true; done" "$TOOLS/quiet.sh"
	kill -STOP "$(daemon_pid stintd)"
	collector_kill
	change_to "$OURS"
	job_begins -- sh -c "read -r _ <$GATE; exec $TOOLS/quiet.sh"
	soon pgrep -f "^sh -c read -r _ <$GATE"
	soon is_followed "$(squeue --noheader --states=R --format %i)"
	collector_kill
	timeout 120 sh -c "echo >$GATE"
	soon is_quiet
	forget_log
	change_to "$OTHER"
	took_over_another
	quiet_ends
	sed -i '/^map_entries/d' "$STINT_TESTBED/etc/stint.conf"
	holds '.complete == true and .used.processes == 307'
	# if the machine is slow, the shell's image in each process is a record, too
	holds '.lost.process_records > 100 and .lost.process_records < 600'
	holds '.tools | any(.name == "true" and .runs == 300)'
	# those that the ring had are in the timeline
	cpu_is_the_cgroups
}

@test "foreign things among the pins are left alone, a map of other sizes under our name is seen through" {
	quiet_begins
	bpftool map create "$PINS/foreign" type hash key 4 value 4 entries 1 name foreign
	mkdir "$PINS/directory"
	rm "$PINS/map_tools"
	bpftool map create "$PINS/map_tools" type hash key 4 value 4 entries 1 name foreign2
	forget_log
	collector_kill
	change_to "$OURS"
	took_over_another
	log_says " contains 2 entries that are not stint's: stintd leaves them alone"
	[ "$(bpftool -j map show pinned "$PINS/map_tools" | jq .bytes_key)" -eq 16 ]
	[ -e "$PINS/foreign" ] && rm "$PINS/foreign" && rmdir "$PINS/directory"
	quiet_ends
	quiet_is_exact
}

@test "pins of which half are missing: maps are found by the programs; without a program that counts, the report tells why" {
	quiet_begins
	rm "$PINS"/map_[p-t]*
	forget_log
	change_to "$OTHER"
	took_over_another
	rm "$PINS/thread_switch"
	forget_log
	change_to "$OURS"
	log_says "stintd could not take over the kernel programs that were counting: the former kernel program thread_switch is missing"
	quiet_ends
	holds '.complete == false'
	holds '.gaps | any(.name == "job" and (.reason | contains("thread_switch is missing")))'
	# the job's CPU time is known nevertheless
	cpu_is_the_cgroups
	job -- true
	holds '.complete == true'
}

@test "programs of another build and the same layout go on, and status and doctor say so" {
	sed 's/event_members/event_memberz/g' "$OURS" >"$BATS_TEST_TMPDIR/stintd"
	! cmp -s "$OURS" "$BATS_TEST_TMPDIR/stintd"
	chmod 755 "$BATS_TEST_TMPDIR/stintd"
	quiet_begins
	note_old
	jq --exit-status '.programs_same' "$STINT_TESTBED/run/status.json"
	change_to "$BATS_TEST_TMPDIR/stintd"
	jq --exit-status '.taken_over and (.programs_same | not)' "$STINT_TESTBED/run/status.json"
	log_says "the kernel programs are those of another build, version"
	run "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf"
	echo "$output"
	grep -q "those of another build" <<<"$output"
	[ "$(bpftool -j link show pinned "$PINS/thread_switch" | jq .prog_id)" -eq "$(tail -n 1 <<<"$OLD_PROGRAMS")" ] ||
		grep -qw "$(bpftool -j link show pinned "$PINS/thread_switch" | jq .prog_id)" <<<"$OLD_PROGRAMS"
	quiet_ends
	quiet_is_exact
	change_to "$BATS_TEST_TMPDIR/stintd"
	jq --exit-status '.programs_same' "$STINT_TESTBED/run/status.json"
}
