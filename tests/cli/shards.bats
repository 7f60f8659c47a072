#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests a store whose clusters have databases of their own, on three PostgreSQL servers: each server has only its cluster, the answers are
# those of one database, and a server that is away or dies costs nothing but its own answers.

load postgres

CLUSTERS=(alpha beta gamma)

setup_file() {
	export SOURCE STINT BATCHES WORK STINT_LIBEXEC
	SOURCE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	STINT=${STINT:-$PWD/reports/stint}
	STINT_LIBEXEC=${STINT%/*}
	BATCHES=${BATCHES:-${STINT%/reports/stint}/tests/site/batches}
	WORK=$BATS_FILE_TMPDIR
	export LC_ALL=C.UTF-8 TZ=UTC
	# a cluster's jobs are of its own month
	generate alpha 1761955200 40
	generate beta 1764547200 35
	generate gamma 1767225600 30
	mkdir "$WORK/all"
	for cluster in "${CLUSTERS[@]}"; do
		mkdir "$WORK/one-$cluster"
		site "$WORK/one-$cluster" "database = $WORK/one-$cluster/db.sqlite"
		cp -r "$WORK/$cluster/." "$WORK/one-$cluster/store/"
		run_ingest "$WORK/one-$cluster" >/dev/null
		run_ingest "$WORK/one-$cluster" --checksum >"$WORK/$cluster.sums"
	done
	site "$WORK/all" "database = $WORK/all/db.sqlite"
	fill "$WORK/all"
	run_ingest "$WORK/all" >/dev/null 2>&1
	start_postgres postgres -c log_statement=all
	start_postgres second -c log_statement=all
	start_postgres third -c log_statement=all
}

teardown_file() {
	for server in postgres second third; do
		stop_postgres $server
	done
}

setup() {
	bats_require_minimum_version 1.5.0
	command -v jq >/dev/null || skip "no jq"
	need_postgres
	cd "$BATS_TEST_TMPDIR" || return 1
}

generate() { # CLUSTER BEGIN JOBS : the names of its batches are its own, as those of its nodes would be
	local data=$SOURCE/tests/data file

	BATCHES_BEGIN=$2 "$BATCHES" "$WORK/$1" "$3" 4 "$data/record-one.json" "$data/slurm-one.json" "$data/record-two-n1.json" \
		"$data/record-two-n2.json" "$data/slurm-two.json"
	find "$WORK/$1" -type f | while read -r file; do
		sed "s/\"foocluster\"/\"$1\"/g" "$file" >"${file%/*}/$1-${file##*/}"
		rm "$file"
	done
}

site() { # DIRECTORY LINE...
	mkdir -p "$1/archive" "$1/store/new"
	printf '%s\n' "${@:2}" "store_dir = $1/store" "archive_dir = $1/archive" "time_zone = UTC" >"$1/site.conf"
	chmod 640 "$1/site.conf"
}

fill() { # DIRECTORY [CLUSTER...]
	local cluster

	for cluster in "${@:2}" $([ $# -gt 1 ] || echo "${CLUSTERS[@]}"); do
		cp -r "$WORK/$cluster/." "$1/store/"
	done
}

run_ingest() { # DIRECTORY [OPTION...]
	"$STINT" ingest --config /dev/null --site "$1/site.conf" "${@:2}"
}

left() {
	find store/new -type f | wc -l
}

servers() { # NAME : a site with a new database of this name on each server; sets PLACE of each cluster
	declare -gA PLACE

	PLACE=([alpha]=$(new_postgres "$1" postgres) [beta]=$(new_postgres "$1" second) [gamma]=$(new_postgres "$1" third))
	site "$PWD" "database.alpha = ${PLACE[alpha]}" "database.beta = ${PLACE[beta]}" "database.gamma = ${PLACE[gamma]}"
}

ask() { # CLUSTER SQL
	"$(postgres_bin)/psql" "${PLACE[$1]}" -XqAt -F ' ' -v ON_ERROR_STOP=1 -c "$2"
}

# Each database has exactly what a store of this cluster alone has.
same_as_alone() { # [CLUSTER...]
	local cluster

	run_ingest "$PWD" --checksum >sums
	for cluster in "${CLUSTERS[@]}"; do
		sed -n "/^# $cluster$/,/^# /{/^# /!p}" sums | diff "$WORK/$cluster.sums" - || { echo "$cluster"; return 1; }
	done
}

@test "each cluster's jobs and months are on its own server, and each server has what a store of this cluster alone has" {
	servers own
	fill "$PWD"
	run -0 run_ingest "$PWD"
	[ "${#lines[@]}" -eq 3 ]
	for line in "alpha: "*" 40 jobs; 0 lines set aside, 0 batches refused" "beta: "*" 35 jobs;"* "gamma: "*" 30 jobs;"*; do
		# shellcheck disable=SC2053
		[[ $output == *$line* ]]
	done
	[ "$(left)" -eq 0 ]
	same_as_alone
	[ "$(ask alpha "SELECT string_agg(DISTINCT month::text, ' ') FROM month WHERE name = 'job'")" = 202511 ]
	[ "$(ask beta "SELECT string_agg(DISTINCT month::text, ' ') FROM month WHERE name = 'job'")" = 202512 ]
	[ "$(ask gamma "SELECT string_agg(DISTINCT month::text, ' ') FROM month WHERE name = 'job'")" = 202601 ]
	[ "$(ask beta "SELECT string_agg(text, ' ') FROM cluster")" = beta ]
	run -0 run_ingest "$PWD" --rebuild
	same_as_alone
}

@test "ingest of one cluster writes no rows, and asks for none, on the other servers" {
	servers alone
	fill "$PWD" alpha beta
	run_ingest "$PWD"
	before=$(wc -l <"$WORK/second/log")
	fill "$PWD" gamma
	run -0 run_ingest "$PWD"
	[[ $output == *"gamma: "*" 30 jobs; "* ]]
	# it reads settings and months, sees whether the readers' role may read the tables, and notes that it has looked
	tail -n +$((before + 1)) "$WORK/second/log" | grep "LOG:  \(statement\|execute\)" | grep -v 'DO \$\$ BEGIN IF EXISTS' >asked
	cat asked
	[ -s asked ]
	run ! grep -E "COPY|INSERT|DELETE|CREATE|job|batch|place|name AS" <(grep -v "\(FROM\|COPY\) setting " asked)
}

@test "the answers are those of one database with all clusters" {
	servers answers
	fill "$PWD"
	run_ingest "$PWD"
	for by in user cluster account,month tool node,week finding verdict job-name state,partition; do
		diff <("$STINT" summary --site site.conf --by $by --csv) <("$STINT" summary --site "$WORK/all/site.conf" --by $by --csv) || { echo "$by"; false; }
	done
	since=(--since 2025-12-10T05:00 --until 2026-01-20)
	# only the age of the data is another
	for by in user job-name; do
		diff <("$STINT" summary --site site.conf --by $by "${since[@]}" --json | jq 'del(.store)') \
			<("$STINT" summary --site "$WORK/all/site.conf" --by $by "${since[@]}" --json | jq 'del(.store)') || { echo "$by"; false; }
	done
	diff <("$STINT" summary --site site.conf --html=- | grep -v "The store.*last batch") \
		<("$STINT" summary --site "$WORK/all/site.conf" --html=- | grep -v "The store.*last batch")
	diff <("$STINT" summary --site site.conf --where cluster=beta --csv) <("$STINT" summary --site "$WORK/one-beta/site.conf" --csv)
	# days of another zone are not added up
	ask gamma "UPDATE setting SET value = 'Asia/Tokyo' WHERE name = 'time_zone'"
	sed -i '/^time_zone/d' site.conf
	run -1 --separate-stderr "$STINT" summary --site site.conf --json
	[ "$(jq -c '[.total.jobs, .unread_clusters]' <<<"$output")" = '[75,"gamma"]' ]
	[[ $stderr == *"counts days in the time zone Asia/Tokyo, but another one of this site in UTC" ]]
}

@test "a server that is away is named with its cluster, and --where cluster= asks only that cluster's server" {
	servers away
	fill "$PWD"
	run_ingest "$PWD"
	before=$(wc -l <"$WORK/third/log")
	run -0 "$STINT" summary --site site.conf --where cluster=beta --by user
	run -0 "$STINT" summary --site site.conf --where=cluster=beta --by user
	[ "$(wc -l <"$WORK/third/log")" -eq "$before" ]
	stop_postgres second
	run -1 --separate-stderr "$STINT" summary --site site.conf --by cluster
	[[ ${output//$'\n'/ } == "70 jobs of "*"The jobs of beta are missing: the database that has them cannot be read."* ]]
	[[ $stderr == "stint summary: the jobs of beta are missing: PostgreSQL: "* ]]
	[ "$(wc -l <<<"$stderr")" = 1 ]
	run -1 --separate-stderr "$STINT" summary --site site.conf --json
	[ "$(jq -c '[.total.jobs, .unread_clusters]' <<<"$output")" = '[70,"beta"]' ]
	run -1 --separate-stderr "$STINT" summary --site site.conf --csv
	[[ $stderr == *"the jobs of beta are missing"* ]]
	run -0 --separate-stderr "$STINT" summary --site site.conf --where cluster=alpha --json
	[ "$(jq -c '[.total.jobs, .unread_clusters]' <<<"$output")" = '[40,null]' ]
	[ -z "$stderr" ]
	run -1 --separate-stderr "$STINT" summary --site site.conf --where cluster=beta
	[[ $stderr == "stint summary: PostgreSQL: "* ]]
	[ -z "$output" ]
	# ingest: the others go on
	fill "$PWD" beta
	generate more 1767300000 8
	find "$WORK/more" -type f -exec sed -i 's/"more"/"gamma"/g' {} +
	waiting=$(left)
	fill "$PWD" more
	run -1 run_ingest "$PWD"
	[[ $output == *"stint ingest: the database of beta: PostgreSQL: "* ]]
	[[ $output == *"gamma: "*" 8 jobs; "* ]]
	[ "$(left)" = "$waiting" ]
	restart_postgres second
	run -0 run_ingest "$PWD"
	[ "$(left)" = 0 ]
}

wait_until() { # COMMAND...
	for ((i = 0; i < 300; i++)); do
		! "$@" >/dev/null 2>&1 || return 0
		sleep 0.1
	done
	echo "not within 30 s: $*"
	return 1
}

is_empty() { [ "$(left)" -eq 0 ]; }
has_all() { [ "$(ask "$1" "SELECT count(*) FROM batch WHERE cluster = 1")" -eq "$(find "$WORK/$1" -type f | wc -l)" ]; }
is_gone() { ! pgrep -f "ingest --config /dev/null --site $PWD/site.conf"; }
commits() { [ "$(ask beta "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")" -gt 0 ]; }
is_held() { [ "$(ask beta "SELECT count(*) FROM pg_locks WHERE NOT granted")" -gt 0 ]; }

@test "a server that dies in the middle of a transaction loses nothing and counts nothing twice, and the others go on meanwhile" {
	servers dies
	run -0 run_ingest "$PWD" # makes the tables
	ask beta "BEGIN; LOCK TABLE place; SELECT pg_sleep(600)" >/dev/null 2>&1 3>&- &
	holder=$!
	wait_until ask beta "SELECT 1 / count(*) FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation
		WHERE relname = 'place' AND mode = 'AccessExclusiveLock'"
	fill "$PWD"
	"$STINT" ingest --config /dev/null --site "$PWD/site.conf" --watch >out 2>&1 3>&- &
	watcher=$!
	wait_until is_held
	wait_until has_all alpha
	wait_until has_all gamma
	[ "$(ask beta "SELECT count(*) FROM batch")" = 0 ]
	restart_postgres second # the transaction of beta is in its middle
	wait "$holder" || true
	wait_until is_empty
	wait_until grep -q "the database of beta: it works again" out
	kill "$watcher"
	wait "$watcher" || true
	cat out
	[ "$(grep -c "it tries again" out)" -eq 1 ]
	wait_until is_gone
	same_as_alone
}

@test "a server that dies when it has committed, and before it says so, has each batch once" {
	servers commits
	run -0 run_ingest "$PWD" # makes the tables
	# a commit is on the disk, and waits for another server, which does not exist
	ask beta "ALTER SYSTEM SET synchronous_standby_names = 'nobody'"
	ask beta "SELECT pg_reload_conf()"
	fill "$PWD"
	run_ingest "$PWD" >out 2>&1 3>&- &
	ingest=$!
	wait_until commits
	ask beta "ALTER SYSTEM RESET synchronous_standby_names"
	restart_postgres second
	run wait "$ingest"
	cat out
	grep "the database of beta: PostgreSQL: " out
	has_all beta # it was committed
	[ "$(left)" -eq "$(find "$WORK/beta" -type f | wc -l)" ]
	run -0 run_ingest "$PWD"
	[[ $output == *"beta: 0 batches, 0 lines, 0 jobs"* ]]
	[ "$(left)" -eq 0 ]
	same_as_alone
	[ "$(zstd -dcq archive/beta-*.zst | sort | sha256sum)" = "$(find "$WORK/beta" -type f -exec cat {} + | sort | sha256sum)" ]
}

@test "servers that are killed at any moment have in the end what they would have had" {
	servers killed
	run -0 run_ingest "$PWD"
	fill "$PWD"
	for moment in 1 2 3 4 5 6; do
		run_ingest "$PWD" >out 2>&1 3>&- &
		ingest=$!
		sleep "0.0$moment"
		restart_postgres second
		wait "$ingest" || true
		fill "$PWD" beta # nodes send their batches again
	done
	run -0 run_ingest "$PWD"
	same_as_alone
}

@test "a batch of a cluster without a database is refused once, and a database for all other clusters takes it" {
	servers refused
	sed -i '/^database.gamma/d' site.conf
	fill "$PWD"
	run -1 run_ingest "$PWD"
	count=$(find "$WORK/gamma" -type f | wc -l)
	[ "$(grep -c "site.conf names no database for its cluster, 'gamma': it stays where it is" <<<"$output")" = "$count" ]
	[ "$(left)" = "$count" ]
	echo "database = ${PLACE[gamma]}" >>site.conf
	run -0 run_ingest "$PWD"
	[[ $output == *"all other clusters: "*" 30 jobs"* ]]
	[ "$(left)" = 0 ]
	[ "$("$STINT" summary --site site.conf --where cluster=gamma --json | jq .total.jobs)" = 30 ]
	for wrong in "database.alpha = /x" "database.a,b = /x" "database. = /x" "database.delta = here"; do
		(cat site.conf; echo "$wrong") >wrong.conf
		chmod 640 wrong.conf
		run -1 "$STINT" ingest --config /dev/null --site wrong.conf
		[ "${#lines[@]}" -eq 1 ]
	done
}

@test "a cluster that gets a database of its own is in it alone after a rebuild" {
	servers moved
	sed -i "/^database\./d" site.conf
	echo "database = ${PLACE[alpha]}" >>site.conf
	fill "$PWD"
	run -0 run_ingest "$PWD"
	[ "$(ask alpha "SELECT count(*) FROM cluster")" = 3 ]
	printf '%s\n' "database.beta = ${PLACE[beta]}" "database.gamma = ${PLACE[gamma]}" >>site.conf
	run -0 run_ingest "$PWD" --rebuild
	sed 's/^# all other clusters/# alpha/' <(run_ingest "$PWD" --checksum) >sums
	for cluster in "${CLUSTERS[@]}"; do
		sed -n "/^# $cluster$/,/^# /{/^# /!p}" sums | diff "$WORK/$cluster.sums" -
	done
}

@test "a report is looked for on all servers, on that of this host's cluster first" {
	servers report
	fill "$PWD"
	run_ingest "$PWD"
	job=$(ask gamma "SELECT max(job_id) FROM job_202601")
	only=$(ask alpha "SELECT max(job_id) FROM job_202511") # the largest cluster has more jobs
	run -0 --separate-stderr "$STINT" report --site site.conf --json "$only"
	[ "$(jq -r .job.cluster <<<"$output")" = alpha ]
	run -1 "$STINT" report --site site.conf --json "$job"
	[[ $output == *"several clusters have a job $job: alpha, "*"Choose one with --cluster=NAME"* ]]
	for cluster in "${CLUSTERS[@]}"; do
		run -0 --separate-stderr "$STINT" report --site site.conf --cluster "$cluster" --json "$job"
		[ "$(jq -r .job.cluster <<<"$output")" = "$cluster" ]
	done
	echo "ClusterName=gamma" >slurm.conf
	run -0 --separate-stderr env SLURM_CONF="$PWD/slurm.conf" "$STINT" report --site site.conf --json "$job"
	[ "$(jq -r .job.cluster <<<"$output")" = gamma ]
	stop_postgres second
	run -1 "$STINT" report --site site.conf --json 999999
	[[ $output == *"PostgreSQL: "* ]]
	run -0 --separate-stderr "$STINT" report --site site.conf --json "$only"
	restart_postgres second
}

@test "the age of the store's data is that of the database with the oldest, and is named" {
	servers age
	fill "$PWD"
	run_ingest "$PWD"
	ago() { date -u -d "$1" +%Y-%m-%dT%H:%M:%SZ; }
	ask beta "UPDATE setting SET value = '$(ago "9 hours ago")' WHERE name = 'ingested_at'"
	run -0 --separate-stderr "$STINT" summary --site site.conf --csv
	[[ $stderr == "stint summary: The store's oldest data are those of beta: the last batch was ingested "*", 9 h ago. None has come since (looked "* ]]
	# a database that ingest does not look at is older than one that gets no batches
	ask gamma "UPDATE setting SET value = '$(ago "2 hours ago")' WHERE name IN ('ingested_at', 'looked_at')"
	fill "$PWD" gamma
	run -0 --separate-stderr "$STINT" summary --site site.conf --csv
	[[ $stderr == *"those of gamma: the last batch was ingested "*", 2 h ago. stint ingest last looked for more 2 h ago. $(left) batches wait for it."* ]]
	run -0 --separate-stderr "$STINT" summary --site site.conf --json
	[ "$(jq -c '.store | [.oldest_clusters, .waiting]' <<<"$output")" = "[\"gamma\",$(left)]" ]
	run -0 --separate-stderr "$STINT" summary --site site.conf --where cluster=alpha --csv
	[[ $stderr == "stint summary: The store's last batch was ingested "*" s ago."* ]]
}

@test "a cluster's database that is gone or empty is not made again unasked, and the others go on" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	site "$PWD" "database.alpha = $PWD/alpha.sqlite" "database.beta = $PWD/beta.sqlite" "database = $PWD/db.sqlite"
	# the archive's batches of others are no reason, nor is a file that is not the store's
	echo "not the store's" >archive/other.ndjson.zst
	fill "$PWD" alpha
	run -0 run_ingest "$PWD"
	fill "$PWD" beta gamma
	run -0 run_ingest "$PWD"
	rm archive/other.ndjson.zst
	run_ingest "$PWD" --checksum >before
	rm beta.sqlite*
	for verb in "" --watch --checksum; do
		fill "$PWD" gamma
		# shellcheck disable=SC2086
		"$STINT" ingest --config /dev/null --site "$PWD/site.conf" $verb >out 2>&1 3>&- &
		ingest=$!
		wait_until grep "stint ingest: the database of beta: $PWD/beta.sqlite is gone, but $PWD/archive has batches that were ingested" out
		[ "$verb" = --checksum ] || wait_until is_empty
		[ "$verb" != --watch ] || kill "$ingest"
		wait "$ingest" || true
		wait_until is_gone
		[ ! -e beta.sqlite ]
		rm -rf store/new/*
	done
	: >beta.sqlite
	run -1 run_ingest "$PWD"
	[[ $output == *"the database of beta: the database is empty, but $PWD/archive has batches that were ingested: 'stint ingest --rebuild'"* ]]
	# what the archive cannot make again is not emptied
	mv archive/alpha-* .
	run -1 run_ingest "$PWD" --rebuild
	[[ $output == *"the database of alpha: nothing was changed: $PWD/archive has no batches of its clusters, and the database has"* ]]
	run_ingest "$PWD" --checksum >after
	diff before after
	mv alpha-* archive
	# a cluster that was the only one there, and has moved: all is in the archive, but no more for this database
	printf '%s\n' "database.gamma = $PWD/gamma.sqlite" >>site.conf
	run -1 run_ingest "$PWD"
	[[ $output == *"the database of gamma: $PWD/gamma.sqlite is gone, but "* ]]
	run -0 run_ingest "$PWD" --rebuild
	run_ingest "$PWD" --checksum >sums
	for cluster in "${CLUSTERS[@]}"; do
		sed -n "/^# $cluster$/,/^# /{/^# /!p}" sums | diff "$WORK/$cluster.sums" -
	done
	[ "$("$STINT" summary --site site.conf --json | jq .total.jobs)" = 105 ]
}

children() { cat "/proc/$watcher/task/$watcher/children"; }
runs_all() { [ "$(children | wc -w)" -eq 3 ]; }

@test "with --watch, the process of a database that fails or is killed is started again, and tells its failure once" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	site "$PWD" "database.alpha = $PWD/alpha.sqlite" "database.beta = $PWD/beta.sqlite" "database.gamma = $PWD/gamma.sqlite"
	fill "$PWD" alpha beta
	run -0 run_ingest "$PWD"
	mkdir away
	mv beta.sqlite* away
	fill "$PWD" gamma
	"$STINT" ingest --config /dev/null --site "$PWD/site.conf" --watch >out 2>&1 3>&- &
	watcher=$!
	wait_until is_empty
	sleep 4 # it is tried again after 1 s and after 3 s
	cat out
	[ "$(grep -c "^stint ingest: the database of beta: $PWD/beta.sqlite is gone, .*: it tries again, every 1 to 60 s$" out)" -eq 1 ]
	[ "$(grep -c beta out)" -eq 1 ]
	mv away/* .
	wait_until grep -E "^stint ingest: the database of beta: it works again, after [0-9]+ s$" out
	wait_until runs_all
	# shellcheck disable=SC2046
	kill -KILL $(children)
	wait_until runs_all
	fill "$PWD"
	wait_until is_empty
	cat out
	[ "$(grep -c "signal 9 ended its process: it tries again" out)" -eq 3 ]
	kill "$watcher"
	wait "$watcher" || true
	wait_until is_gone
	same_as_alone
}

@test "stint doctor checks each database, and names its clusters" {
	servers doctor
	fill "$PWD"
	run_ingest "$PWD"
	doctor() { "$STINT" doctor --config /dev/null --site site.conf --role=store --json; }
	run doctor
	for cluster in "${CLUSTERS[@]}"; do
		[ "$(jq -r ".checks[] | select(.subject == \"database of $cluster\").level" <<<"$output")" = ok ]
		[ "$(jq -r ".checks[] | select(.subject == \"ingest of $cluster\").level" <<<"$output")" = ok ]
	done
	stop_postgres second
	run -1 doctor
	[ "$(jq -r '.checks[] | select(.subject == "database of beta").level' <<<"$output")" = FAIL ]
	[ "$(jq -r '.checks[] | select(.subject == "database of gamma").level' <<<"$output")" = ok ]
	restart_postgres second
	sed -i '/^database.gamma/d' site.conf
	echo "store_user = $(id -un)" >>site.conf
	fill "$PWD" gamma
	find store/new -type f -exec touch -d "1 hour ago" {} +
	run -1 run_ingest "$PWD"
	run doctor
	[ "$(jq -r '.checks[] | select(.subject == "refused batches").mend' <<<"$output" | cut -d, -f1)" = "add database.CLUSTER = ... to site.conf" ]
}

@test "each server shows a role only what its own rights say, also through a view over all servers" {
	servers rights
	for cluster in "${CLUSTERS[@]}"; do
		ask "$cluster" "CREATE ROLE stint_reader NOLOGIN; CREATE ROLE ada LOGIN IN ROLE stint_reader; CREATE ROLE olga LOGIN IN ROLE stint_reader"
	done
	fill "$PWD"
	run_ingest "$PWD"
	ask alpha "INSERT INTO access VALUES (1, 'olga', 0, 0, 1)" # she operates this cluster only
	for person in ada olga; do
		sed "s/user=tester/user=$person/" site.conf >$person.conf
	done
	diff <("$STINT" summary --site ada.conf --by job-name --csv) <("$STINT" summary --site "$WORK/all/site.conf" --by job-name --where user=ada --csv)
	[ "$("$STINT" summary --site olga.conf --json | jq -c '[.total.jobs, .sees_all]')" = "[40,false]" ]
	# for a site's own queries, as docs/store.md says
	ask alpha "CREATE EXTENSION postgres_fdw;
		CREATE SERVER beta FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$WORK/second', dbname 'rights');
		CREATE USER MAPPING FOR ada SERVER beta OPTIONS (user 'ada', password_required 'false');
		CREATE USER MAPPING FOR olga SERVER beta OPTIONS (user 'olga', password_required 'false');
		CREATE USER MAPPING FOR tester SERVER beta OPTIONS (user 'tester', password_required 'false');
		CREATE SCHEMA beta; GRANT USAGE ON SCHEMA beta TO stint_reader;
		IMPORT FOREIGN SCHEMA public FROM SERVER beta INTO beta;
		GRANT SELECT ON ALL TABLES IN SCHEMA beta TO stint_reader"
	both="SELECT count(*) FROM (SELECT job_id FROM job_202511 UNION ALL SELECT job_id FROM beta.job_202512) AS jobs"
	[ "$(ask alpha "$both")" = 75 ]
	[ "$(ask alpha "SET ROLE olga; $both")" = 40 ]
	own=$("$STINT" summary --site "$WORK/all/site.conf" --where user=ada --by cluster --csv | awk -F, '$1 == "alpha" || $1 == "beta" { n += $2 } END { print n }')
	[ "$(ask alpha "SET ROLE ada; $both")" = "$own" ]
	ask alpha "EXPLAIN VERBOSE SELECT count(*), sum(cpu_given_core_ms) FROM beta.job_202512 WHERE cluster = 1" | grep -q "Remote SQL: SELECT count"
}
