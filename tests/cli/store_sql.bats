#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests the store's views for other programs (docs/store.md). tests/cli/reconcile.bats tests who sees what in them.

load postgres

setup_file() {
	export SOURCE STINT BATCHES WORK STINT_LIBEXEC
	SOURCE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	STINT=${STINT:-$PWD/reports/stint}
	STINT_LIBEXEC=${STINT%/*}
	BATCHES=${BATCHES:-${STINT%/reports/stint}/tests/site/batches}
	WORK=$BATS_FILE_TMPDIR
	export LC_ALL=C.UTF-8
	command -v sqlite3 >/dev/null || return 0
	generate new 300
	generate few 30
	BATCHES_BEGIN=1752192000 generate old 30 # 2025-07-11
	another_boot "$WORK/old"
	start_postgres
	site "$WORK/one" new
	run_ingest "$WORK/one" >/dev/null
	[ ! -d "$WORK/postgres/data" ] || {
		site "$WORK/two" new "$(new_postgres two)"
		run_ingest "$WORK/two" >/dev/null
	}
}

teardown_file() {
	stop_postgres
}

setup() {
	bats_require_minimum_version 1.5.0
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	command -v python3 >/dev/null || skip "no python3"
	cd "$BATS_TEST_TMPDIR" || return 1
	SQLITE=(sqlite3 -readonly -csv -header)
}

generate() { # NAME JOBS
	local data=$SOURCE/tests/data

	"$BATCHES" "$WORK/$1" "$2" 32 "$data/record-one.json" "$data/slurm-one.json" "$data/record-two-n1.json" "$data/record-two-n2.json" \
		"$data/slurm-two.json"
}

# Gives the batches other names, so that another store can take them, too.
another_boot() { # DIRECTORY
	local file

	find "$1/new" -type f | while read -r file; do
		sed 's/5f1f2a6e0d2e/6f1f2a6e0d2e/g' "$file" >"${file/.5f1f/.6f1f}"
		rm "$file"
	done
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

# Sets QUERY to the command that asks a database of PostgreSQL.
ask_postgres() { # DATABASE
	QUERY=("$(postgres_bin)/psql" -h "$WORK/postgres" -U tester -d "$1" -X -q --csv -c)
}

compare() { # summary|reports|docs FILE QUERY...
	python3 "$SOURCE/tests/cli/store_sql.py" "$@"
}

@test "the views' sums are those of the summary, in both engines" {
	compare summary "$WORK/one/site.conf" "${SQLITE[@]}" "$WORK/one/db.sqlite"
	need_postgres
	ask_postgres two
	compare summary "$WORK/two/site.conf" "${QUERY[@]}"
}

@test "each job's numbers in the views are those of its report" {
	site "$PWD" few
	run -0 run_ingest "$PWD"
	compare reports site.conf "${SQLITE[@]}" db.sqlite
}

@test "both engines have the same rows in the views" {
	need_postgres
	ask_postgres two
	for view in jobs tools nodes findings; do
		"${SQLITE[@]}" "$WORK/one/db.sqlite" "SELECT * FROM $view" | tr -d '\r' | sort >sqlite.csv
		"${QUERY[@]}" "SELECT * FROM $view" | sort >postgres.csv
		[ "$(wc -l <sqlite.csv)" -gt 300 ]
		# the two programs put quotation marks around different words
		diff <(tr -d '"' <sqlite.csv | sort) <(tr -d '"' <postgres.csv | sort)
	done
}

@test "docs/store.md has all columns of the views, and its questions have the answers that it shows" {
	compare docs "$SOURCE/docs/store.md" "${SQLITE[@]}" "$WORK/one/db.sqlite"
	need_postgres
	ask_postgres two
	compare docs "$SOURCE/docs/store.md" "${QUERY[@]}"
}

@test "numbers that the table leaves out are in the views: expected ones, parts of a waste, those of the only node" {
	cp "$WORK/one/db.sqlite" .
	table=$(sqlite3 db.sqlite "SELECT min(name) FROM sqlite_master WHERE type = 'table' AND name LIKE 'job_2%'")
	job=$(sqlite3 db.sqlite "SELECT job_id FROM $table WHERE cpu_wasted_files_core_ms > 0 AND json_array_length(nodes) = 1 LIMIT 1")
	sqlite3 db.sqlite "UPDATE $table SET array_id = NULL, requested_nodes = NULL, requested_tasks = -1, cpu_wasted_files_core_ms = NULL,
		mem_given_mib_s = NULL, mem_wasted_margin_mib_s = NULL, submit = -5, user_id = NULL,
		nodes = '[[1,null,-1,7]]', tools = '[[0,3,1,5],[2,null]]' WHERE job_id = $job"
	ask() { sqlite3 -nullvalue - db.sqlite "SELECT $1 AND job_id = $job"; }
	given=$(sqlite3 db.sqlite "SELECT cpu_given_core_ms FROM $table WHERE job_id = $job")
	memory=$(sqlite3 db.sqlite "SELECT mem_used_mib_s FROM $table WHERE job_id = $job")
	[ "$(ask "array_job_id = job_id, requested_nodes = nodes_expected, requested_tasks FROM jobs WHERE 1")" = "1|1|-" ]
	[ "$(ask "cpu_wasted_files_core_ms, mem_wasted_margin_mib_s, submit_key, submit_unix_s, user_name FROM jobs WHERE 1")" = "0|-|-5|-|-" ]
	[ "$(ask "cpu_given_core_ms, cpu_used_core_ms, mem_given_mib_s, mem_used_mib_s FROM nodes WHERE 1")" = "$given|-|7|$memory" ]
	[ "$(ask "tool_name = '(other tools)', runs, failures, cpu_ms, wall_ms FROM tools WHERE 1")" = $'1|3|1|5|-\n0|-|-|-|-' ]
	sqlite3 db.sqlite "UPDATE $table SET submit = 5, queued_ms = 2500, start_us = NULL, elapsed_ms = 12, limit_ms = NULL,
		cpu_given_core_ms = 100, cpu_used_core_ms = 40, cpu_lost_core_ms = NULL, cpu_wasted_failed_core_ms = NULL,
		cpu_wasted_timeout_core_ms = NULL, cpu_wasted_waits_core_ms = NULL, cpu_wasted_idle_core_ms = 36,
		cpu_wasted_serial_core_ms = 25, cpu_wasted_kept_core_ms = NULL, cpu_wasted_spare_core_ms = NULL, mem_given_mib_s = 1000,
		mem_used_mib_s = 300, mem_wasted_failed_mib_s = NULL, mem_wasted_timeout_mib_s = NULL, mem_wasted_margin_mib_s = 60
		WHERE job_id = $job"
	[ "$(ask "start_unix_us, limit_used_ms, cpu_wasted_core_ms, cpu_judged_core_ms, cpu_lost_core_ms, cpu_efficiency_ppm FROM jobs WHERE 1")" = \
		"7500000|-|61|100|0|400000" ]
	[ "$(ask "mem_wasted_mib_s, mem_wasted_failed_mib_s, mem_wasted_margin_mib_s, mem_wasted_reserved_mib_s, memory_efficiency_ppm
		FROM jobs WHERE 1")" = "700|0|60|640|300000" ]
	sqlite3 db.sqlite "UPDATE $table SET start_us = -1, limit_ms = 20, cpu_used_core_ms = NULL, mem_used_mib_s = 1 WHERE job_id = $job"
	[ "$(ask "start_unix_us, limit_used_ms, cpu_wasted_core_ms, cpu_wasted_idle_core_ms, cpu_judged_core_ms, cpu_lost_core_ms,
		cpu_efficiency_ppm, memory_efficiency_ppm FROM jobs WHERE 1")" = "-|12|-|-|-|-|-|1000" ]
	# with several nodes, nothing is the job's own number
	sqlite3 db.sqlite "UPDATE $table SET nodes = '[[1,2,3],[2,4]]' WHERE job_id = $job"
	[ "$(ask "cpu_given_core_ms, cpu_used_core_ms, mem_given_mib_s FROM nodes WHERE 1")" = $'2|3|-\n4|-|-' ]
	sqlite3 db.sqlite "UPDATE $table SET tools = NULL, nodes = NULL, findings = 0, how = 3, verdict = 5 WHERE job_id = $job"
	[ "$(ask "count(*) FROM (SELECT job_id FROM tools UNION ALL SELECT job_id FROM nodes UNION ALL SELECT job_id FROM findings) WHERE 1")" = 0 ]
	[ "$(ask "ended_as, verdict FROM jobs WHERE 1")" = "timeout|file-io" ]
}

@test "a store without a month has the views, and they are empty" {
	mkdir -p store/new archive
	printf '%s\n' "database = $PWD/db.sqlite" "store_dir = $PWD/store" "archive_dir = $PWD/archive" "time_zone = UTC" >site.conf
	run -0 run_ingest "$PWD"
	for view in jobs tools nodes findings; do
		[ "$(sqlite3 -readonly db.sqlite "SELECT count(*) FROM $view")" = 0 ]
	done
	need_postgres
	sed -i "1c database = $(new_postgres none)" site.conf
	run -0 run_ingest "$PWD"
	ask_postgres none
	for view in jobs tools nodes findings; do
		[ "$("${QUERY[@]}" "SELECT count(*) FROM $view" | tail -n 1)" = 0 ]
	done
}

@test "a question about a month reads only the table of that month" {
	site "$PWD/sqlite" old
	cp -r "$WORK/few/new/." sqlite/store/new/
	run -0 run_ingest "$PWD/sqlite"
	ask() { sqlite3 -readonly sqlite/db.sqlite "SELECT $1"; }
	[ "$(ask "count(*) FROM jobs")" = 60 ]
	[ "$(ask "count(*) FROM jobs WHERE submit_month < 202510")" = 30 ]
	[ "$(ask "count(*) FROM jobs WHERE strftime('%Y%m', submit_unix_s, 'unixepoch') <> '' || submit_month")" = 0 ]
	need_postgres
	site "$PWD/postgres" old "$(new_postgres month)"
	cp -r "$WORK/few/new/." postgres/store/new/
	run -0 run_ingest "$PWD/postgres"
	ask_postgres month
	"${QUERY[@]}" "EXPLAIN SELECT count(*) FROM jobs WHERE submit_month < 202510" >plan
	grep -q "on job_202507" plan
	[ "$(grep -c "on job_2025[1-9]" plan)" = 0 ]
	# and no words that it does not use
	[ "$(grep -c "on name" plan)" = 0 ]
}

@test "months that come and go are in the views at once, and a site's own view stays" {
	for engine in sqlite postgres; do
		[ $engine = sqlite ] || need_postgres
		site "$PWD/$engine" old "$([ $engine = sqlite ] || new_postgres months)"
		QUERY=(sqlite3 -readonly -csv -header "$PWD/sqlite/db.sqlite")
		[ $engine = sqlite ] || ask_postgres months
		count() { "${QUERY[@]}" "SELECT count(*) FROM $1" | tail -n 1; }
		run -0 run_ingest "$PWD/$engine"
		[ "$(count jobs)" = 30 ]
		if [ $engine = sqlite ]; then
			sqlite3 sqlite/db.sqlite "CREATE VIEW own AS SELECT user_name FROM jobs"
		else
			"${QUERY[@]}" "CREATE VIEW own AS SELECT user_name FROM jobs"
		fi
		cp -r "$WORK/few/new/." "$engine/store/new/"
		run_ingest "$PWD/$engine"
		[ "$(count jobs)" = 60 ]
		[ "$(count own)" = 60 ]
		printf '%s\n' "keep_job = 2" "keep_days = 2" "keep_months = 2" "keep_batch = 2" "keep_missing = 2" >>"$engine/site.conf"
		mkdir -p libexec
		ln -sf "${STINT%/*}/stint-site" libexec/
		printf '#!/bin/sh\nexit 0\n' >libexec/stint-slurm-job
		chmod 755 libexec/stint-slurm-job
		STINT_LIBEXEC=$PWD/libexec run -0 run_ingest "$PWD/$engine" --reconcile
		[ "$(count jobs)" = 30 ]
		[ "$(count own)" = 30 ]
		[ "$(count "jobs WHERE end_day < 20251001")" = 0 ]
		run -0 run_ingest "$PWD/$engine" --rebuild
		[ "$(count own)" = 30 ]
		[ "$(count tools)" -gt 30 ]
	done
}

@test "views of another version are made again by the next run" {
	for engine in sqlite postgres; do
		[ $engine = sqlite ] || need_postgres
		site "$PWD/$engine" few "$([ $engine = sqlite ] || new_postgres versions)"
		QUERY=(sqlite3 -csv -header "$PWD/sqlite/db.sqlite")
		[ $engine = sqlite ] || ask_postgres versions
		run -0 run_ingest "$PWD/$engine"
		"${QUERY[@]}" "DROP VIEW jobs"
		"${QUERY[@]}" "CREATE VIEW jobs AS SELECT 1 AS former"
		"${QUERY[@]}" "UPDATE setting SET value = 'another' WHERE name = 'views'"
		run -0 run_ingest "$PWD/$engine"
		[ "$("${QUERY[@]}" "SELECT count(user_name) > 0 FROM jobs" | tail -n 1 | tr t 1)" = 1 ]
	done
}
