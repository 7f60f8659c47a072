#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The cluster's store end to end, on three nodes with slurmdbd: some fifty jobs of four users and three accounts, of all kinds and with all
# kinds of failures. Every figure of stint summary is computed a second time, from the report files by jq and from Slurm's accounting by
# sacct and sreport, for both engines.
# shellcheck shell=bash disable=SC1091,SC2030,SC2031,SC2154,SC2317

load helper
load ../cli/postgres

setup_file() {
	local program

	PATH=$PATH:/usr/sbin:/sbin
	[ -x "${STINT_BUILD:-/nonexistent}/reports/stint-site" ] || { export NO_TESTBED="built without stint-site"; return 0; }
	for program in sqlite3 sreport; do
		command -v "$program" >/dev/null || { export NO_TESTBED="$program is not installed"; return 0; }
	done
	testbed_begin_accounting --nodes 3
	[ -z "$NO_TESTBED" ] || return 0
	export WORK=$STINT_TESTBED/work STORE=$STINT_TESTBED/store REPORTS=$STINT_TESTBED/reports NODES
	ln -s "$STINT_BUILD/reports/stint-site" "$STINT_TESTBED/libexec/"
	echo "store_interval_s = 1" >>"$STINT_TESTBED/etc/stint.conf"
	"$TESTBED" restart-collector
	mkdir "$WORK" "$REPORTS"
	mapfile -t NODES < <(sinfo --noheader --Node --format %N | sort -u)
	make_users
	run_jobs
	start_postgres
	ingest_all
}

teardown_file() {
	local user

	stop_postgres || true
	testbed_end
	for user in b c d; do
		! id "${TESTBED_USER:-/}-$user" >/dev/null 2>&1 || userdel --force "$TESTBED_USER-$user" || true
	done
}

# ---- four users, three accounts ----

# Sets USERS. The first coordinates lab2, the second is an operator.
make_users() {
	local account user

	USERS=("$TESTBED_USER")
	for user in b c d; do
		user=$TESTBED_USER-$user
		undo_with userdel --force "$user"
		soon useradd --system --user-group --no-create-home --home-dir "$STINT_TESTBED/$user" --shell /bin/bash "$user"
		USERS+=("$user")
	done
	for user in "${USERS[@]}"; do
		install -d -m 755 -o "$user" "$STINT_TESTBED/jobs-$user"
	done
	for account in lab1 lab2 lab3; do
		sacctmgr --immediate add account "$account" cluster=testbed
		for user in "${USERS[@]}"; do
			sacctmgr --immediate add user "$user" account="$account"
		done
	done
	sacctmgr --immediate add coordinator accounts=lab2 names="${USERS[0]}"
	sacctmgr --immediate modify user "${USERS[1]}" set adminlevel=operator
	export USER_LIST="${USERS[*]}"
} >"$BATS_FILE_TMPDIR/users.log" 2>&1

# Submits as the user with that number, in a separate directory for the job. Sets JOB.
submit() { # USER ACCOUNT SBATCH-ARGUMENT...
	local user=${USERS[$1]} account=$2 directory

	shift 2
	directory=$STINT_TESTBED/jobs-$user/$((++SUBMITTED))
	install -d -o "$user" "$directory"
	JOB=$(cd "$directory" && setpriv --reuid="$user" --regid="$user" --init-groups env HOME="$directory" USER="$user" SLURM_CONF="$SLURM_CONF" \
		PATH="$PATH" sbatch --parsable --output=/dev/null --mem=32M --account="$account" "$@")
	JOB=${JOB%%;*}
	[ -n "$JOB" ]
}

# ---- the jobs ----

all_ended() {
	[ -z "$(squeue --noheader --format %i)" ]
}

in_state() { # JOB STATE
	[ "$(squeue --noheader --jobs "$1" --format %T)" = "$2" ]
}

all_delivered() {
	[ -z "$(find "$STINT_TESTBED/spool/store"/{lines,taken,batches} "$STINT_TESTBED"/spool/*.json -type f 2>/dev/null)" ]
}

store_is_waited_for() {
	[ -n "$(find "$STINT_TESTBED/spool/store/batches" -type f)" ]
}

# Slurm's accounting lags behind the jobs: wait until it has all of them, up to the last, the requeued one twice, and how each ended.
accounting_has_all() { # LAST-JOB REQUEUED-JOB
	sacct --allusers --allocations --duplicates --noheader --parsable2 --starttime now-1hour \
		--format JobIDRaw,User,Account,Partition,State,ElapsedRaw,AllocCPUS,CPUTimeRAW,Start,NodeList,End >"$WORK/sacct"
	awk -F '|' -v last="$1" -v requeued="$2" '
		{ seen[$1]++ }
		$5 ~ /PENDING|RUNNING|COMPLETING/ || $11 == "Unknown" { open = 1 }
		END { exit open || length(seen) != last || seen[requeued] != 2 }' "$WORK/sacct"
}

accounting_knows() { # JOB...
	[ "$(sacct --allusers --allocations --noheader --parsable2 --jobs "$(IFS=,; echo "$*")" --format JobIDRaw | sort -u | wc -l)" -eq $# ]
}

run_jobs() {
	local waiting=() i labs=(lab1 lab2 lab3) spin='timeout 0.4 bash -c "while :; do :; done"; true' requeued dying running

	SUBMITTED=0
	for i in {0..9}; do
		submit $((i % 4)) "${labs[i % 3]}" --job-name="plain$i" --wrap "$spin"
	done
	for i in {0..5}; do
		submit $((i % 4)) "${labs[i % 2]}" --job-name=fails --wrap "sleep 0.3; exit $((i % 3))"
	done
	submit 2 lab3 --array=0-11 --job-name=array --wrap "$spin"
	submit 1 lab1 --array=1-6 --job-name=small --wrap "sleep 0.2"
	submit 0 lab2 --nodes=2 --ntasks-per-node=1 --job-name=wide --wrap "srun sleep 0.5"
	submit 3 lab1 --nodes=2 --ntasks-per-node=1 --job-name=wide --wrap "srun sleep 0.5"
	submit 1 lab2 --cpus-per-task=2 --job-name=threads --wrap "$spin"
	submit 3 lab3 --ntasks=1 --job-name=het --wrap "sleep 0.5" : --account=lab3 --mem=32M --ntasks=1
	# it runs twice
	cat >"$WORK/again" <<-'EOT'
		#!/bin/bash
		[ -z "$SLURM_RESTART_COUNT" ] || exit 0
		timeout 0.4 bash -c 'while :; do :; done'
		scontrol requeue "$SLURM_JOB_ID"
		sleep 30
	EOT
	submit 2 lab1 --requeue --job-name=again "$WORK/again"
	requeued=$JOB
	# one is cancelled while it runs, and two that wait for its node
	submit 3 lab2 --job-name=cancelled --exclusive --nodelist="${NODES[1]}" --wrap "sleep 300"
	running=$JOB
	soon in_state "$running" RUNNING
	for i in 0 1; do
		submit "$i" lab3 --job-name=waits --nodelist="${NODES[1]}" --wrap true
		waiting+=("$JOB")
	done
	soon accounting_knows "${waiting[@]}"
	scancel "${waiting[@]}"
	scancel "$running"
	soon all_ended
	# two while the store's file system is away
	mv "$STORE" "$STORE.away"
	submit 0 lab1 --job-name=away --wrap "$spin"
	submit 1 lab2 --job-name=away --wrap "$spin"
	soon all_ended
	soon store_is_waited_for
	mv "$STORE.away" "$STORE"
	# a node that dies
	submit 2 lab2 --no-requeue --nodelist="${NODES[2]}" --job-name=dies --wrap "sleep 300"
	dying=$JOB
	soon in_state "$dying" RUNNING
	kill -KILL "$(daemon_pid "slurmd.${NODES[2]}")"
	scontrol update nodename="${NODES[2]}" state=down reason=dead
	soon all_ended
	soon all_delivered
	printf '%s\n' "requeued=$requeued" "dying=$dying" >"$WORK/jobs"
	soon accounting_has_all "$dying" "$requeued"
	find "$STINT_TESTBED"/jobs-* -name 'stint-*.json' -exec cp {} --backup=numbered -t "$REPORTS" \;
}

# ---- two stores ----

run_ingest() { # ENGINE [OPTION...]
	"$STINT" ingest --config "$STINT_TESTBED/etc/stint.conf" --site "$WORK/$1/site.conf" "${@:2}"
}

make_site() { # ENGINE DATABASE
	mkdir -p "$WORK/$1/archive"
	cp -r "$STORE" "$WORK/$1/store"
	printf '%s\n' "database = $2" "store_dir = $WORK/$1/store" "archive_dir = $WORK/$1/archive" "time_zone = UTC" >"$WORK/$1/site.conf"
}

# Sets ENGINES.
ingest_all() {
	local engine

	export ENGINES=sqlite
	make_site sqlite "$WORK/sqlite/db.sqlite"
	if [ -d "$WORK/postgres/data" ]; then
		make_site postgres "$(new_postgres cluster)"
		ENGINES+=" postgres"
	fi
	for engine in $ENGINES; do
		run_ingest "$engine" >"$WORK/$engine.ingest" || return
		run_ingest "$engine" --reconcile >"$WORK/$engine.reconcile" || return
	done
}

summary() { # ENGINE [OPTION...]
	"$STINT" summary --config "$STINT_TESTBED/etc/stint.conf" --site "$WORK/$1/site.conf" --top 0 "${@:2}"
}

# Prints "KEY JOBS" for each group.
groups() { # ENGINE KEY
	summary "$1" --by "$2" --json | jq --raw-output ".groups[] | \"\(.keys.\"$2\") \(.jobs)\"" | sort
}

# Prints the reports' sums, for the jobs that have one: "KEY JOBS CORE-S-GIVEN CORE-S-USED", times in thousandths.
of_reports() { # JQ-EXPRESSION-OF-THE-KEY
	jq --raw-output "[($1), (.allocated.cpus * .job.elapsed_s * 1000), (.used.cpu_s * 1000)] | @tsv" "$REPORTS"/* |
		awk -F '\t' '{ n[$1]++; given[$1] += $2; used[$1] += $3 } END { for (k in n) printf "%s %d %d %d\n", k, n[k], given[k] + 0.5, used[k] + 0.5 }' | sort
}

# The same of the store.
of_store() { # ENGINE KEY
	summary "$1" --by "$2" --json |
		jq --raw-output ".groups[] | \"\(.keys.\"$2\") \(.jobs) \(.sums.cpu_given_core_ms) \(.sums.cpu_used_core_ms)\"" | sort
}

# Whether two tables have the same keys and jobs, and times that differ by a thousandth of a second for each job.
same_figures() { # TABLE TABLE
	paste -d ' ' "$1" "$2" | awk '
		function near(a, b, n) { return a - b <= n && b - a <= n }
		NF != 8 || $1 != $5 || $2 != $6 || !near($3, $7, $2 * 4 + 1) || !near($4, $8, $2 + 1) { print; bad = 1 }
		END { exit bad || !NR }'
}

# What slurmdbd knows about jobs that got a node: each attempt. If one was requeued at once, it may have no start.
ran() {
	awk -F '|' '$10 != "None assigned" && $10 != ""' "$WORK/sacct"
}

@test "the cluster ran what it was to run" {
	cat "$WORK/sacct"
	[ "$(wc -l <"$WORK/sacct")" -ge 45 ]
	[ "$(cut -d '|' -f 2 "$WORK/sacct" | sort -u | wc -l)" -eq 4 ]
	[ "$(cut -d '|' -f 3 "$WORK/sacct" | sort -u | wc -l)" -eq 3 ]
	for state in COMPLETED FAILED CANCELLED NODE_FAIL; do
		grep -q "|$state" "$WORK/sacct"
	done
	. "$WORK/jobs"
	[ "$(grep -c "^$requeued|" "$WORK/sacct")" -eq 2 ]
	cat "$WORK"/*.ingest
	grep -q "0 lines set aside, 0 batches refused" "$WORK/sqlite.ingest"
}

@test "jobs of each user, account, partition and state are those of Slurm's accounting, less those that the summary names as missing" {
	local engine missing

	for engine in $ENGINES; do
		cat "$WORK/$engine.reconcile"
		summary "$engine" --json >"$WORK/$engine.json"
		jq .coverage "$WORK/$engine.json"
		[ "$(jq .coverage.known_to_slurm "$WORK/$engine.json")" -eq "$(wc -l <"$WORK/sacct")" ]
		[ "$(jq .coverage.recorded "$WORK/$engine.json")" -eq "$(jq .total.jobs "$WORK/$engine.json")" ]
		# two never started; the node that died may have left a record
		[ "$(jq .coverage.missing.never_began "$WORK/$engine.json")" -eq 2 ]
		missing=$(jq '[.coverage.missing[]] | add' "$WORK/$engine.json")
		[ "$missing" -eq 2 ] || [ "$missing" -eq 3 ]
		. "$WORK/jobs"
		ran | { [ "$missing" -eq 2 ] && cat || grep -v "^$dying|"; } >"$WORK/recorded"
		diff <(cut -d '|' -f 2 "$WORK/recorded" | sort | uniq -c | awk '{ print $2, $1 }') <(groups "$engine" user)
		diff <(cut -d '|' -f 3 "$WORK/recorded" | sort | uniq -c | awk '{ print $2, $1 }') <(groups "$engine" account)
		diff <(cut -d '|' -f 4 "$WORK/recorded" | sort | uniq -c | awk '{ print $2, $1 }') <(groups "$engine" partition)
		diff <(cut -d '|' -f 5 "$WORK/recorded" | sed 's/ by .*//' | sort | uniq -c | awk '{ print $2, $1 }') <(groups "$engine" state)
	done
}

@test "core-hours given are those of Slurm's accounting, to the seconds that it has" {
	local engine

	for engine in $ENGINES; do
		summary "$engine" --by account --json |
			jq --raw-output '.groups[] | "\(.keys.account) \(.jobs) \(.sums.cpu_given_core_ms / 1000)"' | sort >"$WORK/given"
		[ "$(wc -l <"$WORK/given")" -eq 3 ]
		awk -F '|' '{ n[$3]++; s[$3] += $8; cpus[$3] += $7 } END { for (k in n) print k, n[k], s[k], cpus[k] }' "$WORK/recorded" | sort |
			paste -d ' ' "$WORK/given" - | tee /dev/stderr |
			awk '$1 != $4 || $2 != $5 || $3 - $6 > $7 || $6 - $3 > $7 { bad = 1 } END { exit bad || NR != 3 }'
	done
}

# sreport rounds its period's end, which is now at the latest, to the next full hour of the local time: in the first half of an hour it
# leaves out everything that ran in that hour. So the test asks it in a time zone whose clocks are past the half.
ask_sreport() {
	local TZ=UTC

	[ "$((10#$(date -u +%M)))" -ge 30 ] || TZ="<half>-0:30"
	export TZ
	sreport --noheader --parsable2 job SizesByAccount PrintJobCount FlatView Grouping=100000 \
		Start="$(date -d '2 hours ago' +%FT%H:00:00)" End="$(date -d '1 hour' +%FT%H:00:00)"
}

# slurmdbd may have some of the jobs later.
sreport_has_all_accounts() {
	ask_sreport >"$WORK/sreport"
	[ "$(grep -c '|lab[123]|' "$WORK/sreport")" -eq 3 ]
}

@test "jobs by account are those of sreport" {
	local engine account sreport short lost

	soon sreport_has_all_accounts || {
		ask_sreport
		sacct --allusers --allocations --duplicates --starttime now-1hour --format JobIDRaw,Account,State,Submit,Eligible,Start,End
		return 1
	}
	cat "$WORK/sreport"
	for engine in $ENGINES; do
		for account in lab1 lab2 lab3; do
			sreport=$(awk -F '|' -v account=$account '$2 == account { print $3 }' "$WORK/sreport")
			# sreport leaves out jobs of less than a second, but has the job of the node that died
			short=$(awk -F '|' -v account=$account '$3 == account && $6 == 0' "$WORK/recorded" | wc -l)
			lost=$(ran | grep -vxFf "$WORK/recorded" | awk -F '|' -v account=$account '$3 == account && $6 > 0' | wc -l)
			echo "$account: $sreport by sreport, $short short, $lost without a record"
			[ "$(groups "$engine" account | awk -v account=$account '$1 == account { print $2 }')" -eq $((sreport + short - lost)) ]
		done
	done
}

@test "core-hours given and used are those of the report files, by user, account and partition, for all jobs that have one" {
	local engine key

	for engine in $ENGINES; do
		for key in user account partition; do
			of_reports ".job.$key" >"$WORK/by-reports"
			of_store "$engine" "$key" >"$WORK/by-store"
			same_figures "$WORK/by-reports" "$WORK/by-store"
		done
	done
}

@test "both engines say the same" {
	[[ $ENGINES == *postgres* ]] || skip "no PostgreSQL is installed"
	diff <(run_ingest sqlite --checksum | grep -v '^batch ') <(run_ingest postgres --checksum | grep -v '^batch ')
	for by in user account,state node tool verdict; do
		diff <(summary sqlite --by "$by" --csv) <(summary postgres --by "$by" --csv)
	done
}

@test "stint doctor finds both stores well, and the summary says how old their data are" {
	local engine

	for engine in $ENGINES; do
		run "$STINT" doctor --config "$STINT_TESTBED/etc/stint.conf" --site "$WORK/$engine/site.conf" --role=store
		echo "$output"
		[ "$status" -eq 0 ]
		grep -q "^ok    database: .*$engine.*, tables of version " <<<"$output"
		grep -q "^ok    ingest: stint ingest ran .* ago; the last batch was ingested .* ago$" <<<"$output"
		grep -q "^ok    reconcile: compared with Slurm's accounting .* ago$" <<<"$output"
		grep -q "^ok    batches: none waits in $WORK/$engine/store/new$" <<<"$output"
		summary "$engine" --width 1000 | grep "^The store's last batch was ingested 20"
		summary "$engine" --json | jq --exit-status '.store | .ingested != null and .looked != null and .newest_end != null'
	done
}

@test "who coordinates and who operates is known of slurmdbd" {
	read -r -a USERS <<<"$USER_LIST"
	[ "$(sqlite3 -separator ' ' "$WORK/sqlite/db.sqlite" "SELECT person, text FROM access JOIN name ON kind = 1 AND name.id = access.id WHERE scope = 1")" = \
		"${USERS[0]} lab2" ]
	sqlite3 "$WORK/sqlite/db.sqlite" "SELECT person FROM access WHERE scope = 0" | grep -qx "${USERS[1]}"
	[ "$(sqlite3 "$WORK/sqlite/db.sqlite" "SELECT count(*) FROM access WHERE scope = 0 AND person = '${USERS[2]}'")" -eq 0 ]
}

@test "a job whose account is changed later has the new one, in the store too" {
	local engine id user

	user=$TESTBED_USER-c
	id=$(awk -F '|' -v user="$user" '$2 == user && $3 == "lab3" && $5 == "COMPLETED" { print $1; exit }' "$WORK/sacct")
	mariadb --no-defaults --socket="$STINT_TESTBED/mysql/socket" --user=root slurm_acct \
		--execute="UPDATE testbed_job_table SET account = 'lab1', id_assoc = (SELECT id_assoc FROM testbed_assoc_table
			WHERE user = '$user' AND acct = 'lab1' AND deleted = 0) WHERE id_job = $id"
	for engine in $ENGINES; do
		run -0 run_ingest "$engine" --reconcile
		[[ $output == *"; 1 record got another account, QOS or state" ]]
		[ "$(summary "$engine" --where account=lab1 --by job-name --json | jq '.total.jobs')" -eq $(($(awk '$1 == "lab1" { print $2 }' <(of_reports .job.account)) + 1)) ]
	done
}
