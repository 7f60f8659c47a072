#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# RUN_DIR/status.json has what a monitor asks, and docs/status.md describes each member.
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
	SOON_S=${SOON_S:-60} soon jq --exit-status "$1" "$STATUS"
}

@test "jobs that are open, and reports that were written, are counted" {
	local directory go

	"$TESTBED" restart-collector
	status_says '.schema == 1 and .jobs.open == 0 and .jobs.closing == 0 and .reports == {written: 0, failed: 0, waiting: 0}'
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/job.XXXXXX")
	go=$directory/go
	"$TESTBED" exec sbatch --parsable --chdir="$directory" --output=/dev/null --wrap "until [ -e $go ]; do sleep 0.2; done"
	status_says '.jobs.open == 1 and .reports.written == 0'
	"$TESTBED" exec touch "$go"
	status_says '.jobs.open == 0 and .jobs.closing == 0 and .reports == {written: 1, failed: 0, waiting: 0}'
	status_says '(.gaps | type == "object" and all(.[]; type == "number")) and (.lost | type == "object")'
}

@test "a record that cannot be delivered waits, and its later delivery counts as written" {
	local directory

	"$TESTBED" restart-collector
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/job.XXXXXX")
	"$TESTBED" exec sbatch --wait --chdir="$directory" --output=/dev/null --wrap "chmod 500 $directory"
	status_says '.reports == {written: 0, failed: 0, waiting: 1} and .spool.records == 1 and .spool.oldest_unix_s > 0'
	chmod 700 "$directory"
	"$TESTBED" restart-collector
	status_says '.reports == {written: 1, failed: 0, waiting: 0}'
}

@test "while the kernel measures its programs, the status file has their time" {
	local switch=/proc/sys/kernel/bpf_stats_enabled

	[ "$(cat $switch)" -eq 0 ] || skip "somebody else has turned $switch on"
	"$TESTBED" restart-collector
	status_says '[.programs[] | select(.runs)] == []'
	MEASURED=$switch
	echo 1 >"$switch"
	"$TESTBED" exec srun --overcommit true
	SOON_S=120 status_says '.programs[] | select(.name == "process_exec") | .runs > 0 and .run_ns > .runs'
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
