#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests what the store has from Slurm itself: which jobs have no record and why, what has changed, who sees what; and what it drops. A
# program that prints a file replaces slurmdbd; tests/system/cluster.bats has the real one.

load postgres

setup_file() {
	export SOURCE STINT STINT_LIBEXEC BATCHES WORK
	SOURCE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	STINT=${STINT:-$PWD/reports/stint}
	BATCHES=${BATCHES:-${STINT%/reports/stint}/tests/site/batches}
	WORK=$BATS_FILE_TMPDIR
	export LC_ALL=C.UTF-8
	command -v sqlite3 >/dev/null || return 0
	fake_slurm
	generate few 40
	BATCHES_BEGIN=1752192000 generate old 30 # 2025-07-11
	start_postgres
	site "$WORK/one" few
	run_ingest "$WORK/one" >/dev/null
	slurm_says "$WORK/one" >"$WORK/ended.few"
}

teardown_file() {
	stop_postgres
}

setup() {
	bats_require_minimum_version 1.5.0
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	command -v jq >/dev/null || skip "no jq"
	cd "$BATS_TEST_TMPDIR" || return 1
	cp "$WORK/ended.few" ended
	: >people
	export SLURM_SAYS=$PWD
}

# A program that replaces stint-slurm-job: SLURM_SAYS/ended has a line for each job, SLURM_SAYS/people one for each person.
fake_slurm() {
	STINT_LIBEXEC=$WORK/libexec
	mkdir "$STINT_LIBEXEC"
	ln -s "${STINT%/*}/stint-site" "$STINT_LIBEXEC/"
	# it is asked a hundred times about a year: awk starts ten times as fast as jq
	cat >"$STINT_LIBEXEC/stint-slurm-job" <<-'EOT'
		#!/bin/sh
		case $1 in
		--ended) [ ! -e "$SLURM_SAYS/refuses" ] || . "$SLURM_SAYS/refuses"
			exec awk -v cluster="\"cluster\":\"$2\"" -v from="$3" -v to="$4" '
				index($0, cluster) && match($0, /"end_unix_s":[0-9]+/) {
					end = substr($0, RSTART + 13, RLENGTH - 13) + 0
					if (end >= from && end < to)
						print
				}' "$SLURM_SAYS/ended" ;;
		--people) exec cat "$SLURM_SAYS/people" ;;
		*) echo "no Slurm here" >&2; exit 1 ;;
		esac
	EOT
	# Slurm's own program looks for its configuration in the DNS, some seconds each time
	mkdir "$WORK/path"
	printf '#!/bin/sh\nexit 1\n' >"$WORK/path/sacct"
	chmod 755 "$STINT_LIBEXEC/stint-slurm-job" "$WORK/path/sacct"
	export PATH=$WORK/path:$PATH
}

generate() { # NAME JOBS
	local data=$SOURCE/tests/data

	"$BATCHES" "$WORK/$1" "$2" 8 "$data/record-one.json" "$data/slurm-one.json" "$data/record-two-n1.json" "$data/record-two-n2.json" \
		"$data/slurm-two.json"
}

site() { # DIRECTORY STORE [DATABASE]
	mkdir -p "$1/archive"
	cp -r "$WORK/$2" "$1/store"
	printf '%s\n' "database = ${3:-$1/db.sqlite}" "store_dir = $1/store" "archive_dir = $1/archive" "time_zone = Europe/Berlin" >"$1/site.conf"
}

run_ingest() { # DIRECTORY [OPTION...]
	local directory=$1

	shift
	"$STINT" ingest --config /dev/null --site "$directory/site.conf" "$@"
}

sums() { # DIRECTORY
	run_ingest "$1" --checksum
}

summary() { # [OPTION...] : of the site in this directory
	"$STINT" summary --config /dev/null --site site.conf "$@"
}

all_jobs() { # DATABASE : a query for the rows of all months
	sqlite3 "$1" "SELECT 'SELECT * FROM ' || name || ' UNION ALL' FROM sqlite_master WHERE type = 'table' AND name LIKE 'job_2%'" | sed '$s/ UNION ALL//'
}

# Prints what slurmdbd would say if it had the jobs of the store.
slurm_says() { # DIRECTORY
	local kind words=''

	for kind in user:0 account:1 partition:2 qos:3 state:4; do
		words+=", '${kind%:*}', (SELECT text FROM name WHERE name.cluster = j.cluster AND kind = ${kind#*:} AND id = j.${kind%:*}_id)"
	done
	sqlite3 "$1/db.sqlite" "SELECT json_object('cluster', c.text, 'job_id', job_id, 'submit_unix_s', submit, 'start_unix_s', start_us / 1000000,
		'end_unix_s', end_us / 1000000, 'elapsed_s', elapsed_ms / 1000, 'cpus', allocated_cpus, 'node_list', 'n1', 'name', job_name $words)
		FROM ($(all_jobs "$1/db.sqlite")) AS j JOIN cluster AS c ON c.id = j.cluster"
}

# Adds to Slurm's answer a job that the store does not have.
another_job() { # ID END NODES [FILTER]
	local like

	like=$(head -n 1 ended)
	jq --compact-output ".job_id = $1 | .end_unix_s = $2 | .start_unix_s = $2 - 60 | .submit_unix_s = $2 - 90 |
		.node_list = \"$3\" | .user = \"ada\" ${4:+| $4}" <<<"$like" >>ended
}

@test "where Slurm knows no more jobs than the store, that is said, and nothing changes" {
	site "$PWD" few
	run -0 run_ingest "$PWD"
	sums "$PWD" >before
	run -0 summary
	[[ $output != *"Slurm knows"* ]]
	[ "$(summary --json | jq .coverage)" = null ]
	run -0 run_ingest "$PWD" --reconcile
	[[ $output == "foocluster: of 40 jobs that ended since 2025-1"*", 40 have a record; 0 records got another account, QOS or state" ]]
	sums "$PWD" | diff before -
	run -0 summary
	[[ $output == *"stint has a record of all jobs that Slurm knows (checked 20"* ]]
	[ "$(summary --json | jq --compact-output '.coverage | [.known_to_slurm, .recorded]')" = "[40,40]" ]
	# nothing is known about times that were not compared
	[ "$(summary --since 2025-11-12 --json | jq .coverage.known_to_slurm)" -gt 0 ]
	[ "$(summary --since 2025-10-01 --json | jq .coverage)" = null ]
	sqlite3 db.sqlite "UPDATE setting SET value = '1763000000' WHERE name LIKE 'reconciled_until%'" # 2025-11-13
	[ "$(summary --since 2025-11-12 --json | jq .coverage.known_to_slurm)" -gt 0 ]
	[ "$(summary --since 2025-11-14 --json | jq .coverage)" = null ]
}

@test "of a month whose missing jobs were dropped it is not said that all have a record" {
	site "$PWD" old
	run -0 run_ingest "$PWD"
	another_job 990001 1752500000 gpu7 # 2025-07-14
	run -0 run_ingest "$PWD" --reconcile
	[ "$(summary --json | jq .coverage.missing.no_stint)" = 1 ]
	echo "keep_missing = 1" >>site.conf
	run -0 run_ingest "$PWD" --reconcile
	[ "$(summary --json | jq .coverage)" = null ]
	[ "$(summary --since 2025-07-12 --json | jq .coverage)" = null ]
	[ "$(summary --since 2025-08-02 --json | jq .coverage.missing.no_stint)" = 0 ]
}

@test "a job without a record is counted with its reason, by user, and no more when its record comes" {
	site "$PWD" few
	# a node that had to drop lines
	node=$(sqlite3 "$WORK/one/db.sqlite" "SELECT min(node) FROM batch")
	find store/new -name "$node.*" -exec sed -i '1s/"dropped":0/"dropped":5/' {} +
	other=$(sqlite3 "$WORK/one/db.sqlite" "SELECT max(node) FROM batch")
	run -0 run_ingest "$PWD"
	another_job 990001 1762000000 n7 '.start_unix_s = null | .node_list = null | .state = "CANCELLED"'
	another_job 990002 1762000000 gpu7
	another_job 990003 1762000000 "$node"
	another_job 990004 1762000000 "$other"
	another_job 990005 1790000000 "$other" '.user = "ben"'
	another_job 990006 1762000000 'gpu[3-5,7]'
	run -0 run_ingest "$PWD" --reconcile
	[[ $output == *"of 46 jobs"*", 40 have a record; without one: 1 never started, 1 not delivered yet, 2 on nodes without stint, 1 dropped on their nodes, 1 for a reason that only the node may know (see 'stint doctor' there), such as job 990004 on $other; 0 records"* ]]
	# of one job, stint report says the same
	run -1 "$STINT" report --config /dev/null --site site.conf 990004
	[[ $output == "stint report: Slurm knows job 990004, but the store has no record of it: its node has delivered others since. 'stint doctor' there says whether"* ]]
	[ "${#lines[@]}" -eq 2 ]
	[[ ${lines[1]} == "stint report: job 990004: no report of it in this directory"* ]]
	for form in --table --html; do
		run -1 "$STINT" report --config /dev/null --site site.conf $form 990004
		[[ $output == "stint report: Slurm knows job 990004, but the store has no record of it: "* ]]
	done
	run -1 "$STINT" report --config /dev/null --site site.conf --cluster foocluster 990005
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == "stint report: Slurm knows job 990005, but the store has no record of it: its node has not delivered it yet; "* ]]
	for job in 990099 990004_0 "990004 --attempt 1"; do
		# shellcheck disable=SC2086
		run -1 "$STINT" report --config /dev/null --site site.conf $job
		[ "${#lines[@]}" -eq 1 ]
		[[ $output == *"; the store has no "*"job ${job%% *} that you may see" ]]
	done
	summary --json | jq .coverage >coverage
	[ "$(jq --compact-output '[.known_to_slurm, .recorded, .missing.never_began, .missing.no_stint, .missing.dropped, .missing.unknown, .missing.not_yet]' coverage)" = "[46,40,1,2,1,1,1]" ]
	run -0 summary --where user=ada
	mine=$(sqlite3 db.sqlite "SELECT count(*) FROM ($(all_jobs db.sqlite)) JOIN name ON name.id = user_id AND kind = 0 WHERE text = 'ada'")
	[[ $output == *"stint has a record of $mine of the $((mine + 5)) jobs that Slurm knows"* ]]
	# a filter for something that only a record has
	[ "$(summary --where verdict=cpu --json | jq .coverage)" = null ]
	# the job's record comes
	run -0 run_ingest "$PWD" --rebuild
	run -0 summary
	[[ $output != *"Slurm knows"* ]]
	sed -i '/99000[12345]/d' ended
	run -0 run_ingest "$PWD" --reconcile
	[ "$(summary --json | jq --compact-output '.coverage | [.known_to_slurm, .missing.no_stint]')" = "[41,1]" ]
}

@test "a batch that comes late is missing no more" {
	site "$PWD" few
	file=$(find store/new -type f | sort | tail -n 1)
	held=$(tail -n +2 "$file" | jq -s '[.[].identity.job_id] | unique | length')
	mv "$file" late
	run -0 run_ingest "$PWD" --reconcile
	first=$(summary --json | jq '.coverage.known_to_slurm - .coverage.recorded')
	[ "$first" -gt 0 ] && [ "$first" -le "$held" ]
	mv late "$file"
	sqlite3 db.sqlite "UPDATE setting SET value = '0' WHERE name LIKE 'reconciled_until%'" # a night soon after
	run -0 run_ingest "$PWD" --reconcile
	[ "$(summary --json | jq --compact-output '.coverage | [.known_to_slurm, .recorded]')" = "[40,40]" ]
}

@test "a record that comes when its job is compared no more is missing no more" {
	site "$PWD" few
	file=$(find store/new -type f | sort | tail -n 1)
	mv "$file" late
	run -0 run_ingest "$PWD" --reconcile
	summary --json | jq --exit-status '.coverage.known_to_slurm - .coverage.recorded > 0'
	mv late "$file"
	run -0 run_ingest "$PWD"
	[ "$(summary --json | jq --compact-output '.coverage | [.known_to_slurm, .recorded]')" = "[40,40]" ]
	[ "$(sqlite3 db.sqlite "SELECT count(*) FROM missing_202511")" = 0 ]
}

@test "a job of which slurmdbd says another end is missing once" {
	site "$PWD" few
	run -0 run_ingest "$PWD"
	another_job 990001 1762000000 gpu7
	run -0 run_ingest "$PWD" --reconcile
	sed -i 's/1762000000/1762900000/' ended # ten days later, with the same submission
	another_job 990002 1762900100 gpu7
	tail -n 1 ended | sed 's/1762900100/1762900107/' >>ended # two attempts of one second
	sqlite3 db.sqlite "UPDATE setting SET value = '1762800000' WHERE name LIKE 'reconciled_until%'"
	run -0 run_ingest "$PWD" --reconcile
	[ "$(summary --json | jq .coverage.missing.no_stint)" = 2 ]
	[ "$(sqlite3 db.sqlite "SELECT count(*) FROM missing_202511")" = 2 ]
}

change_some() {
	jq --compact-output --slurp '.[3].account = "lab9" | .[5].state = "NODE_FAIL" | .[7].qos = "gold" | .[7].account = "lab9" | .[9].qos = "gold" | .[]' ended >changed
	mv changed ended
}

@test "an account and a state that changed are the record's, in the rollups too, and a rebuild has them" {
	site "$PWD" few
	run -0 run_ingest "$PWD"
	change_some
	run -0 run_ingest "$PWD" --reconcile
	[[ $output == *"; 4 records got another account, QOS or state" ]]
	run -0 run_ingest "$PWD" --reconcile
	[[ $output == *"; 0 records got another account, QOS or state" ]]
	for by in account state qos; do
		jq --raw-output ".$by" ended | sort | uniq -c | awk '{ print $2, $1 }' >expected
		summary --by "$by" --top 0 --csv | awk -F, -v by="$by" 'NR > 1 { print $1, $2 }' | sort >actual
		summary --by "$by" --json | jq --raw-output ".groups[] | \"\(.keys.\"$by\") \(.jobs)\"" | sort | diff expected -
	done
	sqlite3 -separator ' ' db.sqlite "SELECT text, sum(jobs) FROM job_day JOIN name ON name.id = account_id AND kind = 1 GROUP BY text" |
		diff <(jq --raw-output .account ended | sort | uniq -c | awk '{ print $2, $1 }') -
	sums "$PWD" >before
	run -0 run_ingest "$PWD" --rebuild
	sums "$PWD" | diff before -
	# again, back to what it was
	cp "$WORK/ended.few" ended
	sleep 1.1 # a later second
	run -0 run_ingest "$PWD" --reconcile
	[[ $output == *"; 4 records got another account, QOS or state" ]]
	diff <(sums "$WORK/one" | grep -v '^\(batch\|job_line\) ') <(sums "$PWD" | grep -v '^\(batch\|job_line\) ')
	need_postgres
	cp "$SLURM_SAYS/ended" was
	change_some
	database=$(new_postgres changed)
	mkdir other
	site "$PWD/other" few "$database"
	run -0 run_ingest "$PWD/other" --reconcile
	diff <(grep -v '^\(batch\|job_line\) ' before) <(sums "$PWD/other" | grep -v '^\(batch\|job_line\) ')
}

@test "on a terminal, a long comparison shows how far it is, and leaves nothing of it" {
	site "$PWD" few
	run -0 run_ingest "$PWD"
	slurm_says "$PWD" >ended
	: >people
	echo 'sleep 0.1' >refuses
	python3 - "$STINT" ingest --config /dev/null --site site.conf --reconcile >shown <<-'END'
		import os, pty, sys
		pid, terminal = pty.fork()
		if pid == 0:
		    os.execvp(sys.argv[1], sys.argv[1:])
		text = b""
		while True:
		    try:
		        text += os.read(terminal, 65536) or exit()
		    except OSError:
		        break
		sys.stdout.write(text.decode())
		sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
	END
	cat -v shown
	grep -q $'\rstint ingest: foocluster: [0-9]* jobs* compared, [0-9]* %' shown
	# it is erased before anything else is said
	grep -q $'\r *\rfoocluster: of 40 jobs' shown
}

@test "where slurmdbd does not answer, that is one line, and what was there stays" {
	site "$PWD" few
	run -0 run_ingest "$PWD"
	sums "$PWD" >before
	rm ended
	run -1 run_ingest "$PWD" --reconcile
	[ "${#lines[@]}" -eq 1 ]
	sums "$PWD" | diff before -
	cp "$WORK/ended.few" ended
	echo '{"user":"olga","sees_all":tru' >people
	run -1 run_ingest "$PWD" --reconcile
}

@test "a time of which slurmdbd does not answer is asked in parts" {
	site "$PWD" few
	echo '[ "$3" -gt 1762000000 ] || [ "$4" -le 1762000000 ] || [ $(($4 - $3)) -le 200 ] || { echo "too much" >&2; exit 1; }' >refuses
	run -0 run_ingest "$PWD" --reconcile
	[[ $output == *"of 40 jobs that ended"*", 40 have a record"* ]]
	echo '[ "$4" -le 1762000000 ] || { echo "too much" >&2; exit 1; }' >refuses
	sqlite3 db.sqlite "UPDATE setting SET value = '1762100000' WHERE name LIKE 'reconciled_until%'"
	echo '{"user":"olga","sees_all":true,"coordinates":[]}' >people
	run -1 run_ingest "$PWD" --reconcile
	[[ $output == *"stint ingest: foocluster: too much"* ]]
	# it still learned who may see what
	[ "$(sqlite3 db.sqlite "SELECT count(*) FROM access WHERE person = 'olga'")" = 1 ]
}

@test "a minute of which slurmdbd cannot tell is named, the times after it are compared, and its jobs are told as unknown" {
	site "$PWD" few
	another_job 990001 1762000010 gpu7
	another_job 990002 1762900000 gpu7
	echo '[ "$3" -gt 1762000030 ] || [ "$4" -le 1762000000 ] || { echo "too much" >&2; exit 1; }' >refuses
	run -1 --separate-stderr run_ingest "$PWD" --reconcile
	[ "$(wc -l <<<"$stderr")" = 1 ]
	[[ $stderr == "stint ingest: foocluster: Slurm does not say which jobs ended from 2025-11-01T1"*": too much. So it is not known whether these jobs"* ]]
	[[ $output == *"of 41 jobs that ended"*", 40 have a record; without one: 1 on nodes without stint"* ]]
	[ "$(sqlite3 db.sqlite "SELECT value FROM setting WHERE name LIKE 'reconciled_until%'")" -gt 1763000000 ]
	run -0 summary
	[[ ${output//$'\n'/ } == *"stint has a record of 40 of the 41 jobs that Slurm named"*"For "[12]" minute"*", Slurm did not say which jobs ended."* ]]
	untold=$(summary --json | jq .coverage.untold_s)
	[ "$untold" -ge 30 ] && [ "$untold" -le 120 ]
	[ "$(summary --since 2025-11-01T06:00 --until 2025-11-02 --json | jq .coverage.untold_s)" = "$untold" ]
	[ "$(summary --since 2025-11-05 --json | jq .coverage.untold_s)" = 0 ]
	# a night in which slurmdbd answers
	rm refuses
	sqlite3 db.sqlite "UPDATE setting SET value = '1762100000' WHERE name LIKE 'reconciled_until%'"
	run -0 run_ingest "$PWD" --reconcile
	[ "$(summary --json | jq --compact-output '.coverage | [.untold_s, .known_to_slurm]')" = "[0,42]" ]
	# if slurmdbd stops answering at some time, the next night begins there
	echo '[ "$4" -le 1762000000 ] || { echo "no more" >&2; exit 1; }' >refuses
	sqlite3 db.sqlite "UPDATE setting SET value = '1762100000' WHERE name LIKE 'reconciled_until%'"
	run -1 --separate-stderr run_ingest "$PWD" --reconcile
	[ "$stderr" = "stint ingest: foocluster: no more" ]
	[ "$(sqlite3 db.sqlite "SELECT value FROM setting WHERE name LIKE 'reconciled_until%'")" -le 1762000000 ]
}

@test "a cluster that fails keeps no other one from being compared" {
	site "$PWD" few
	cp -r store/new twin
	find twin -type f -exec sed -i 's/"foocluster"/"barcluster"/g' {} +
	run -0 run_ingest "$PWD"
	cp -r twin/. store/new/
	run -0 run_ingest "$PWD"
	for cluster in foocluster barcluster; do
		echo "[ \$2 != $cluster ] || { echo 'no such cluster' >&2; exit 1; }" >refuses
		run -1 run_ingest "$PWD" --reconcile
		[[ $output == *"stint ingest: $cluster: no such cluster"* ]]
		[[ $output == *": of "*" jobs that ended since "* ]]
	done
}

# ---- what is kept ----

ask() { # ENGINE SQL
	if [ "$1" = sqlite ]; then sqlite3 sqlite/db.sqlite "$2"; else "$(postgres_bin)/psql" --no-psqlrc -qAt "$database" -c "$2"; fi
}

@test "what is older than its table keeps is dropped, with what points to it, and a rebuild drops it too" {
	need_postgres
	for engine in sqlite postgres; do
		database=''
		[ $engine = sqlite ] || database=$(new_postgres kept)
		mkdir $engine
		site "$PWD/$engine" old "$database"
		run -0 run_ingest "$PWD/$engine"
		cp -r "$WORK/few/new" more
		find more -type f -name 'n*.5f1f2a6e0d2e.*' | while read -r file; do mv "$file" "${file/5f1f2a6e0d2e/6f1f2a6e0d2e}"; done
		cp -r more/. $engine/store/new/
		rm -r more
		run -0 run_ingest "$PWD/$engine"
		[ "$(sums "$PWD/$engine" | awk '$1 == "job" { print $2 }')" = 70 ]
		printf '%s\n' "keep_job = 3" "keep_missing = 3" "keep_days = 3" "keep_months = 3" >>$engine/site.conf
		# a tool and a rule only of dropped jobs, and a user
		ask "$engine" "INSERT INTO name VALUES (1, 9, 'gone', 9001), (1, 6, 'gone', 9002), (1, 0, 'stays', 9003)"
		ask "$engine" "SELECT text FROM name WHERE kind IN (6, 8) AND id < 9000 ORDER BY 1" >words
		[ "$(ask "$engine" "SELECT count(*) FROM name WHERE kind = 9 AND id < 9000")" -gt 1 ]
		run -0 run_ingest "$PWD/$engine" --reconcile
		[[ $output == *"dropped "*" tables of months that are no longer kept" ]]
		[ "$(ask "$engine" "SELECT text FROM name WHERE id >= 9000")" = stays ]
		ask "$engine" "SELECT text FROM name WHERE kind IN (6, 8) AND id < 9000 ORDER BY 1" | diff words -
		ask "$engine" "DELETE FROM name WHERE id = 9003"
		# only what the newer store alone has is left
		diff <(sums "$WORK/one" | grep -v '^batch ') <(sums "$PWD/$engine" | grep -v '^batch ')
		sums "$PWD/$engine" >before
		run -0 run_ingest "$PWD/$engine" --rebuild
		sums "$PWD/$engine" | diff before -
		# a late line of a job whose rows are gone
		file=$(cd "$WORK/old" && find new -type f | head -n 1)
		cp "$WORK/old/$file" "$engine/store/${file/5f1f2a6e0d2e/7f1f2a6e0d2e}"
		run -0 run_ingest "$PWD/$engine"
		[[ $output == *" lines of jobs that are no longer kept were left out" ]]
		diff <(grep -v '^batch ' before) <(sums "$PWD/$engine" | grep -v '^batch ')
		# months are kept for longer than days, and than the jobs' own rows
		sed -i 's/keep_months = 3/keep_months = 60/' $engine/site.conf
		run -0 run_ingest "$PWD/$engine" --rebuild
		for by in month cluster state; do
			run -0 --separate-stderr "$STINT" summary --config /dev/null --site "$engine/site.conf" --by $by --since 2025-07-01 --json
			[ "$(jq .total.jobs <<<"$output")" = 70 ]
			[ -z "$stderr" ]
		done
		# if jobs' own rows are read, it says so
		run -0 --separate-stderr "$STINT" summary --config /dev/null --site "$engine/site.conf" --by job-name --since 2025-07-01 --json
		[ "$(jq .total.jobs <<<"$output")" = 40 ]
		[ "$stderr" = "stint summary: the store has single jobs since 2025-11: jobs that ended before are not counted" ]
		run -0 --separate-stderr "$STINT" summary --config /dev/null --site "$engine/site.conf" --by job-name --json
		[ "$stderr" = "stint summary: the store has single jobs since 2025-11: jobs that ended before are not counted" ]
		run -0 --separate-stderr "$STINT" summary --config /dev/null --site "$engine/site.conf" --by job-name --since 2025-11-01 --json
		[ -z "$stderr" ]
	done
	[ "$(sqlite3 sqlite/db.sqlite "SELECT count(*) FROM place WHERE month < 202509")" = 0 ]
	[ "$(sqlite3 sqlite/db.sqlite "SELECT count(*) FROM job_day WHERE day < 20250901")" = 0 ]
	[ "$(sqlite3 sqlite/db.sqlite "SELECT count(*) FROM sqlite_master WHERE name LIKE '%_20250[78]'")" = 0 ]
}

@test "a table that others build on is not kept for less than these, and a wrong time is named" {
	site "$PWD" few
	printf '%s\n' "keep_job = 12" "keep_days = 6" >>site.conf
	run -1 run_ingest "$PWD"
	[ "$output" = "stint ingest: $PWD/site.conf: keep_days is shorter than keep_job: rows made from other rows must be kept at least as long as those" ]
	sed -i '/keep_/d' site.conf
	echo "keep_job = never" >>site.conf
	run -1 run_ingest "$PWD"
	[ "$output" = "stint ingest: $PWD/site.conf:5: keep_job: 'never' is neither a number of months nor 'all'" ]
	sed -i 's/^keep_job = .*/keep_job = 1/' site.conf
	run -1 run_ingest "$PWD"
	[[ $output == "stint ingest: $PWD/site.conf: "*"must be kept for at least 2 months"* ]]
	sed -i 's/^keep_job = .*/keep_job = 2/' site.conf
	run -0 run_ingest "$PWD"
}

# ---- who sees what ----

as_role() { # NAME VERB OPTION... : with the database's role of that name
	[ "$1" = tester ] || sed "s/user=tester/user=$1/" site.conf >"$1.conf"
	[ "$1" != tester ] || cp site.conf tester.conf
	"$STINT" "$2" --config /dev/null --site "$1.conf" "${@:3}"
}

seen() { # NAME : how many jobs the role's summary has
	as_role "$1" summary --json | jq .total.jobs
}

jobs_where() { # CONDITION : how many jobs there are, by the owner of the tables
	sqlite3 "$WORK/one/db.sqlite" "SELECT count(*) FROM ($(all_jobs "$WORK/one/db.sqlite")) AS j
		JOIN name AS u ON u.kind = 0 AND u.id = user_id JOIN name AS a ON a.kind = 1 AND a.id = account_id WHERE $1"
}

psql_as() { # NAME SQL
	(cd / && "$(postgres_bin)/psql" -h "$WORK/postgres" -U "$1" -d access -X -q -A -t -F ' ' -c "$2")
}

# Prints what the owner of the tables would ask for the rows of all months.
months_of_jobs() {
	psql_as tester "SELECT string_agg('SELECT * FROM job_' || month, ' UNION ALL ') FROM month WHERE name = 'job'"
}

LEAK="CREATE FUNCTION pg_temp.leak(text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS 'BEGIN RAISE NOTICE ''leaked %'', \$1; RETURN true; END';"

# The reader's functions must get no rows of others, wherever a question calls them.
views_do_not_leak() { # NAME
	local view column question

	for question in 'SELECT count(*) FROM %s WHERE pg_temp.leak(%s)' 'EXPLAIN (ANALYZE, TIMING OFF) SELECT 1 FROM %s WHERE pg_temp.leak(%s)' \
		'SELECT count(*) FROM %s AS v WHERE pg_temp.leak(%s) AND pg_temp.leak(v::text)' \
		'SELECT count(*) FROM (SELECT * FROM %s AS v ORDER BY pg_temp.leak(%s)) AS o' \
		'SELECT count(*) FROM %s AS v JOIN jobs AS o ON pg_temp.leak(v.%s || v::text || o.user_name)'; do
		for view in jobs tools nodes findings; do
			# shellcheck disable=SC2059
			psql_as "$1" "$LEAK $(printf "$question" $view user_name)" >leaked 2>&1
			! grep -E 'leaked.*(ada|ben|cyn|=cmd|DROP|red)' leaked | grep -v "leaked.*$1" | grep . || { echo "$question $view"; return 1; }
			! grep -E 'leaked' leaked | grep -v "leaked.*$1" | grep . || { echo "$question $view"; return 1; }
			grep -q "leaked.*$1" leaked || { echo "$question $view has not called the function"; return 1; }
		done
	done
	[ "$(psql_as "$1" "SELECT count(*) > 0 FROM jobs WHERE 1 / (CASE WHEN user_name = '$1' THEN 1 ELSE 0 END) = 1")" = t ]
}

# Checks that each reader sees the same through the views as in the tables.
views_show_as_much() { # VIEWER
	local person all view

	if [ "$(psql_as tester "SHOW server_version_num")" -lt 150000 ]; then
		for view in jobs tools nodes findings; do
			run psql_as ada "SELECT count(*) FROM $view"
			[[ $output == *"permission denied"* ]] || return 1
		done
		return 0
	fi
	[ "$(psql_as tester "SELECT count(*) FROM pg_class WHERE relkind = 'v' AND 'security_invoker=true' = ANY (reloptions)")" = 4 ]
	all=$(months_of_jobs)
	for person in tester ada ben carl olga sven "$1"; do
		[ "$(psql_as "$person" "SELECT count(*), sum(elapsed_ms), sum(job_id) FROM jobs")" = \
			"$(psql_as "$person" "SELECT count(*), sum(elapsed_ms), sum(job_id) FROM ($all) AS j")" ] || { echo "jobs: $person"; return 1; }
		for view in tools nodes; do
			[ "$(psql_as "$person" "SELECT count(*), sum(job_id) FROM $view")" = "$(psql_as "$person" "SELECT coalesce(sum(json_array_length($view::json)), 0),
				sum(job_id * json_array_length($view::json)) FROM ($all) AS j")" ] || { echo "$view: $person"; return 1; }
		done
		[ "$(psql_as "$person" "SELECT count(*) FROM findings")" = "$(psql_as "$person" "SELECT count(*) FROM ($all) AS j,
			generate_series(0, 62) AS bit WHERE (findings >> bit) & 1 = 1")" ] || { echo "findings: $person"; return 1; }
		as_role "$person" summary --by user --csv | cut -d, -f1,2 | tail -n +2 | sort >of_summary
		psql_as "$person" "SELECT count(DISTINCT user_name) FROM jobs" >of_view
		[ "$(wc -l <of_summary)" = "$(cat of_view)" ] || { echo "users: $person"; return 1; }
	done
	for view in jobs tools nodes findings; do
		[ "$(psql_as sven "SELECT count(*) FROM $view")" = 0 ]
		[ "$(psql_as ada "SELECT count(*) FROM $view WHERE user_name IS DISTINCT FROM 'ada'")" = 0 ]
		[ "$(psql_as ada "SELECT count(*) > 0 FROM $view")" = t ]
		run psql_as outside "SELECT count(*) FROM $view"
		[[ $output == *"permission denied"* ]]
	done
	[ "$(psql_as carl "SELECT count(*) FROM jobs WHERE account_name NOT IN ('lab1', 'lab2')")" = 0 ]
	[ "$(psql_as carl "SELECT count(*) FROM jobs WHERE account_name IS NULL")" = 0 ]
	views_do_not_leak ada
	views_do_not_leak ben
	# a view of a reader's own has that reader's rights
	[ "$(psql_as sven "CREATE TEMPORARY VIEW own AS SELECT * FROM jobs; SELECT count(*) FROM own")" = 0 ]
}

@test "each sees in PostgreSQL what Slurm's roles and view_groups let that one see: summary, report, and any query" {
	need_postgres
	group=$(getent group | awk -F: '$4 ~ /^[a-z_][a-z0-9_-]*$/ { print $1, $4; exit }')
	[ -n "$group" ] || group="$(id -gn) $(id -un)"
	viewer=${group#* }
	database=$(new_postgres access)
	site "$PWD" few "$database"
	psql_as tester "CREATE ROLE stint_reader NOLOGIN; CREATE ROLE before LOGIN IN ROLE stint_reader"
	for person in ada ben carl olga sven; do
		psql_as tester "CREATE ROLE $person LOGIN IN ROLE stint_reader"
	done
	psql_as tester "CREATE ROLE \"$viewer\" LOGIN IN ROLE stint_reader; CREATE ROLE outside LOGIN"
	printf '%s\n' '{"user":"carl","sees_all":false,"coordinates":["lab1","lab2"]}' '{"user":"olga","sees_all":true,"coordinates":[]}' >people
	another_job 990001 1762000000 gpu7
	another_job 990002 1762000000 gpu7 '.user = "sven"'
	# own rows are visible at once, others' after Slurm was asked
	run -0 run_ingest "$PWD"
	[ "$(seen ada)" = "$(jobs_where "u.text = 'ada'")" ]
	[ "$(seen olga)" = 0 ]
	echo "view_groups = ${group% *}" >>site.conf
	run -0 run_ingest "$PWD" --reconcile
	[ "$(seen ada)" = "$(jobs_where "u.text = 'ada'")" ]
	[ "$(seen ben)" = "$(jobs_where "u.text = 'ben'")" ]
	[ "$(seen carl)" = "$(jobs_where "a.text IN ('lab1', 'lab2')")" ]
	[ "$(seen olga)" = 40 ]
	[ "$(seen "$viewer")" = 40 ]
	[ "$(seen sven)" = 0 ]
	[ "$(seen ada)" -gt 0 ] && [ "$(seen carl)" -gt 0 ] && [ "$(seen ada)" -lt 40 ] && [ "$(seen carl)" -lt 40 ]
	# jobs without a record, by the same rule
	as_role ada summary --json | jq --exit-status '.coverage.missing.no_stint == 1'
	as_role ben summary --json | jq --exit-status '.coverage.missing.no_stint == 0'
	as_role olga summary --json | jq --exit-status '.coverage.missing.no_stint == 2'
	# with its parts and words
	as_role ada summary --by user,tool --csv >ada.csv
	as_role tester summary --by user,tool --where user=ada --csv | diff - ada.csv
	# the rollups of tools are for those who see all jobs: ada's sums come from her jobs
	as_role ada summary --by user --json | jq .total >ada.total
	as_role tester summary --by user --where user=ada --json | jq .total | diff - ada.total
	diff <(as_role olga summary --by user --json) <(as_role tester summary --by user --json)
	as_role carl summary --by user,account --csv | diff - <(
		as_role tester summary --by user,account --csv |
			awk -F, 'NR == 1 || $2 == "lab1" || $2 == "lab2"')
	# a reader who does not see all is told so
	run -0 as_role ada summary
	[[ $output == *"Jobs, of those that you may see."* ]]
	as_role ada summary --json | jq --exit-status '.sees_all == false'
	as_role olga summary --json | jq --exit-status .sees_all
	run -0 as_role olga summary
	[[ $output != *"that you may see"* ]]
	run -1 as_role outside summary
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == *"permission denied"*"; 'stint summary --mine' has your own" ]]
	# one job
	own=$(psql_as tester "SELECT max(job_id) FROM job_202511 AS j JOIN name AS u ON u.kind = 0 AND u.id = user_id WHERE text = 'ada'")
	for person in ada olga "$viewer"; do
		run -0 --separate-stderr as_role "$person" report --json "$own"
		[ "$(jq .job.id <<<"$output")" = "$own" ]
		run -0 --separate-stderr as_role "$person" report --json "${own}_0" --attempt 1
		[ "$(jq .job.id <<<"$output")" = "$own" ]
	done
	for person in ben sven; do
		for job in "$own" "${own}_0" "$own --attempt 1"; do
			# shellcheck disable=SC2086
			run -1 as_role "$person" report --json $job
			[ "${#lines[@]}" -eq 1 ]
			[[ $output == *"; the store has no "*"job ${job%% *} that you may see" ]]
		done
	done
	# no query shows more than that
	for table in job_202511 line_202511 {all,job,verdict,finding,state,size,rule,node,tool}_{day,month} tool_user_month core_day place batch damaged missing_202511; do
		[ "$(psql_as sven "SELECT count(*) FROM $table")" = "$([ $table != missing_202511 ] && echo 0 || echo 1)" ] || { echo "$table"; false; }
		[ "$(psql_as olga "SELECT count(*) FROM $table")" = "$(psql_as tester "SELECT count(*) FROM $table")" ] || { echo "$table"; false; }
	done
	[ "$(psql_as ada "SELECT count(*) FROM job_202511 AS j LEFT JOIN name AS u ON u.kind = 0 AND u.id = user_id WHERE text IS DISTINCT FROM 'ada'")" = 0 ]
	[ "$(psql_as ada "SELECT count(*) FROM line_202511 AS l LEFT JOIN name AS u ON u.kind = 0 AND u.id = user_id WHERE text IS DISTINCT FROM 'ada'")" = 0 ]
	[ "$(psql_as ada "SELECT count(*) FROM line_202511 WHERE lines IS NOT NULL")" -gt 0 ]
	[ "$(psql_as ben "SELECT count(*) FROM name WHERE kind = 0 AND text <> 'ben'")" = 0 ]
	[ "$(psql_as ada "SELECT count(*) FROM access WHERE person <> 'ada'")" = 0 ]
	run psql_as outside "SELECT count(*) FROM job_day"
	[[ $output == *"permission denied"* ]]
	run psql_as ada "INSERT INTO access VALUES (1, 'ada', 0, 0, 0)"
	[[ $output == *"permission denied"* ]]
	views_show_as_much "$viewer"
	# a former operator no longer sees more
	: >people
	run -0 run_ingest "$PWD" --reconcile
	[ "$(seen olga)" = 0 ] && [ "$(seen carl)" = 0 ]
	[ "$(seen ada)" = "$(jobs_where "u.text = 'ada'")" ]
}

@test "an address with a password must not be readable by all, and one without may" {
	site "$PWD" few "postgresql://reader:secret@localhost/stint"
	chmod 644 site.conf
	run -1 run_ingest "$PWD"
	[ "$output" = "stint ingest: $PWD/site.conf: every user can read the password in it: chmod o-r" ]
	sed -i 's/:secret@/@/' site.conf
	run -1 run_ingest "$PWD"
	[[ $output == *"PostgreSQL: "* ]]
}

@test "who may read SQLite's file and not write it sees all, and who may not read it is told so in one line" {
	[ "$(id -u)" -eq 0 ] || skip "it becomes another user"
	mkdir db
	chgrp nogroup db
	chmod 2750 db
	site "$PWD" few "$PWD/db/db.sqlite"
	run -0 run_ingest "$PWD"
	chmod 644 site.conf
	chmod 711 "$BATS_RUN_TMPDIR" "${PWD%/*}" "$WORK" "$WORK/libexec"
	chmod 755 .
	run -0 --separate-stderr setpriv --reuid=nobody --regid=nogroup --clear-groups "$STINT" summary --config /dev/null --site "$PWD/site.conf" --json
	[ "$(jq .total.jobs <<<"$output")" = 40 ]
	chmod 750 db
	chgrp 0 db/*
	run -1 setpriv --reuid=nobody --regid=nogroup --clear-groups "$STINT" summary --config /dev/null --site "$PWD/site.conf"
	[ "$output" = "stint summary: $PWD/db/db.sqlite: Permission denied: a reader of this file sees all users' jobs; 'stint summary --mine' has your own" ]
}

# ---- clusters ----

@test "a job's number that several clusters have is asked about, and this host's cluster is the one that is meant" {
	site "$PWD" few
	cp -r store/new twin
	find twin -type f -exec sed -i 's/"foocluster"/"barcluster"/g' {} +
	run -0 run_ingest "$PWD"
	id=$(sqlite3 db.sqlite "SELECT max(job_id) FROM job_202511")
	export SLURM_CONF=$PWD/slurm.conf
	run -0 --separate-stderr "$STINT" report --config /dev/null --site site.conf --json "$id"
	cp -r twin/. store/new/
	run -0 run_ingest "$PWD"
	run -1 "$STINT" report --config /dev/null --site site.conf "$id"
	[ "$output" = "stint report: several clusters have a job $id: foocluster, barcluster. Choose one with --cluster=NAME" ]
	for cluster in foocluster barcluster; do
		run -0 --separate-stderr "$STINT" report --config /dev/null --site site.conf --cluster $cluster --json "$id"
		[ "$(jq -r .job.cluster <<<"$output")" = $cluster ]
		echo "ClusterName=$cluster" >slurm.conf
		run -0 --separate-stderr "$STINT" report --config /dev/null --site site.conf --json "$id"
		[ "$(jq -r .job.cluster <<<"$output")" = $cluster ]
	done
	run -1 "$STINT" report --config /dev/null --site site.conf --cluster quux "$id"
	[ "$output" = "stint report: the store has no job $id of the cluster quux that you may see" ]
}
