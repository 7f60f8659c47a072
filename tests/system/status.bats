#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# RUN_DIR/status.json has what a monitor needs, and docs/status.md describes each member.
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
	STATUS=$STINT_TESTBED/run/status.json
}

teardown() {
	[ -z "${MEASURED:-}" ] || echo 0 >"$MEASURED"
	testbed_evidence
	[ -n "${BATS_TEST_COMPLETED:-}" ] || jq 'del(.programs, .features)' "$STATUS"
}

status_says() { # EXPRESSION
	SOON_STEP_S=0.2 soon_looked jq --exit-status "$1" "$STATUS"
}

@test "jobs that are open, and reports that were written, are counted" {
	local id

	status_says '.schema == 1 and .jobs.open == 0 and .jobs.closing == 0 and .reports == {written: 0, failed: 0, waiting: 0}'
	meet
	id=$("$TESTBED" exec sbatch --parsable --chdir="$MEET" --output=/dev/null --wrap "$(tells_and_awaits began end)")
	told began
	soon is_followed "$id"
	# nothing makes stintd look: it writes changes by itself
	soon jq --exit-status '.jobs.open == 1 and .reports.written == 0' "$STATUS"
	tell end
	status_says '.jobs.open == 0 and .jobs.closing == 0 and .reports == {written: 1, failed: 0, waiting: 0}'
	status_says '(.gaps | type == "object" and all(.[]; type == "number")) and (.lost | type == "object")'
}

@test "a record that cannot be delivered waits, and its later delivery counts as written" {
	local directory written

	written=$(jq .reports.written "$STATUS")
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/job.XXXXXX")
	"$TESTBED" exec sbatch --chdir="$directory" --output=/dev/null --wrap "chmod 500 $directory"
	status_says ".reports == {written: $written, failed: 0, waiting: 1} and .spool.records == 1 and .spool.oldest_unix_s > 0"
	chmod 700 "$directory"
	status_says ".reports == {written: $((written + 1)), failed: 0, waiting: 0}"
}

@test "what waits in the spool is counted though no event tells of it, with its age" {
	local name="testbed.n1.77.0.1800000000.u0.record" lines=$STINT_TESTBED/spool/store/lines

	mkdir -p "$lines"
	: >"$STINT_TESTBED/spool/$name"
	: >"$lines/77.0.abc.u0"
	# nothing makes stintd look: it counts by itself
	soon jq --exit-status '.spool.records == 1 and .reports.waiting == 1 and now - .spool.oldest_unix_s < 60' "$STATUS"
	soon jq --exit-status '.store.lines == 1 and now - .store.oldest_unix_s < 60' "$STATUS"
	rm -f "$STINT_TESTBED/spool/$name" "$lines/77.0.abc.u0"
	soon jq --exit-status '.spool.records == 0 and .store.lines == 0 and .store.oldest_unix_s == null' "$STATUS"
}

@test "while the kernel measures its programs, the status file has their time" {
	local switch=/proc/sys/kernel/bpf_stats_enabled

	[ "$(cat $switch)" -eq 0 ] || skip "somebody else has turned $switch on"
	status_says '[.programs[] | select(.runs)] == []'
	MEASURED=$switch
	echo 1 >"$switch"
	"$TESTBED" exec srun --overcommit true
	status_says '.programs[] | select(.name == "process_exec") | .runs > 0 and .run_ns > .runs'
}

@test "SIGUSR1 has stintd look at once, also again and again, and ends none that starts" {
	local pid id signals=0 end=$((SECONDS + SOON_S))

	# without its socket it still starts; taking over loaded programs would take it no longer than a signal takes
	pid=$(daemon_pid stintd)
	kill -TERM "$pid"
	soon has_ended "$pid"
	rm -rf "$STINT_TESTBED/run/stintd.sock" "${STINT_TESTBED:?}/bpf/stint"
	(cd / && exec setsid env STINT_LIBEXEC="$STINT_TESTBED/libexec" "$STINTD" --config "$STINT_TESTBED/etc/stint.conf") \
		</dev/null >>"$STINT_TESTBED/log/stintd.out" 2>&1 3>&- &
	pid=$!
	SOON_STEP_S=0.01 soon has_begun "$pid"
	echo "$pid $(sed 's/.*) //' "/proc/$pid/stat" | cut -d' ' -f20)" >"$STINT_TESTBED/pid/stintd"
	until [ -S "$STINT_TESTBED/run/stintd.sock" ]; do
		[ "$SECONDS" -lt "$end" ]
		kill -USR1 "$pid"
		signals=$((signals + 1))
		sleep 0.01
	done
	echo "$signals signals while it started"
	[ "$signals" -ge 1 ]
	# a job that runs meanwhile is counted in whole
	meet
	id=$("$TESTBED" exec sbatch --parsable --chdir="$MEET" --output=/dev/null --wrap "$(tells_and_awaits began end)")
	told began
	soon is_followed "$id"
	for signals in {1..200}; do kill -USR1 "$pid"; done
	collector_looks
	tell end
	report_in "$MEET"
	valid
	holds '.complete'
	kill -0 "$pid"
}

# Whether it already is stintd, not the shell that becomes it, and holds SIGUSR1 for later.
has_begun() { # PID
	[ "$(cat "/proc/$1/comm")" = stintd ] && awk '/^SigBlk:/ { exit substr($2, length($2) - 2, 1) !~ /[2367abef]/ }' "/proc/$1/status"
}

@test "docs/status.md describes each member" {
	local member

	while read -r member; do
		grep -q "\`$member\`\|\`$member\.\|\`$member\[\]" "$BATS_TEST_DIRNAME/../../docs/status.md" || {
			echo "docs/status.md lacks $member"
			return 1
		}
	done < <(jq --raw-output 'keys[], (.jobs | keys[] | "jobs." + .), (.reports | keys[] | "reports." + .)' "$STATUS")
}
