#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests that DuckDB reads the archive, and Parquet that it made from the views, by the statements of docs/store.md. npm fetches DuckDB.

load postgres

DUCKDB=1.5.6-r.1

setup_file() {
	export SOURCE STINT BATCHES WORK STINT_LIBEXEC
	SOURCE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	STINT=${STINT:-$PWD/reports/stint}
	STINT_LIBEXEC=${STINT%/*}
	BATCHES=${BATCHES:-${STINT%/reports/stint}/tests/site/batches}
	WORK=$BATS_FILE_TMPDIR
	export LC_ALL=C.UTF-8
	fetch_duckdb 2>"$WORK/why" || return 0
	generate
	site "$WORK/one" "$WORK/one/db.sqlite"
	start_postgres
	[ ! -d "$WORK/postgres/data" ] || site "$WORK/two" "$(new_postgres two)"
}

teardown_file() {
	stop_postgres
}

setup() {
	bats_require_minimum_version 1.5.0
	[ -d "$WORK/one" ] || skip "no DuckDB: $(tail -n 1 "$WORK/why")"
	cd "$BATS_TEST_TMPDIR" || return 1
	DUCK=(node "$SOURCE/tests/cli/warehouse.mjs" "$WORK/npm/node_modules" setup.sql)
	: >setup.sql
}

fetch_duckdb() {
	local program

	for program in node npm python3 sqlite3; do
		command -v $program >/dev/null || { echo "$program is not installed" >&2; return 1; }
	done
	mkdir "$WORK/npm"
	timeout 60 npm install --prefix "$WORK/npm" --cache "$WORK/npm/cache" --no-audit --no-fund --no-update-notifier --fetch-retries=0 \
		--fetch-timeout=15000 "@duckdb/node-api@$DUCKDB" >"$WORK/npm/log" 2>&1 || { echo "npm could not install it" >&2; return 1; }
	: >"$WORK/empty.sql"
	node "$SOURCE/tests/cli/warehouse.mjs" "$WORK/npm/node_modules" "$WORK/empty.sql" "SELECT 1" >/dev/null ||
		{ echo "its package has no program for this machine" >&2; return 1; }
}

generate() {
	local data=$SOURCE/tests/data

	"$BATCHES" "$WORK/new" 300 32 "$data/record-one.json" "$data/slurm-one.json" "$data/record-two-n1.json" "$data/record-two-n2.json" \
		"$data/slurm-two.json"
}

site() { # DIRECTORY DATABASE
	mkdir -p "$1/archive"
	cp -r "$WORK/new" "$1/store"
	printf '%s\n' "database = $2" "store_dir = $1/store" "archive_dir = $1/archive" "time_zone = Europe/Berlin" >"$1/site.conf"
	run_ingest "$1" >/dev/null
}

run_ingest() { # DIRECTORY
	"$STINT" ingest --config /dev/null --site "$1/site.conf"
}

# Prints the statement of docs/store.md that begins with TEXT.
statement() { # TEXT
	awk -v begin="    $1" 'index($0, begin) == 1 { found = 1 } found && !/^    / { exit } found { print substr($0, 5) }' \
		"$SOURCE/docs/store.md" | grep .
}

# Adds statements to setup.sql that make Parquet of a view from its CSV, and read it.
take_view() { # VIEW
	statement "COPY (SELECT" | sed "s/jobs-202511/$1/g" >>setup.sql
	echo "CREATE VIEW \"$1\" AS FROM '$1.parquet';" >>setup.sql
}

take_archive() {
	statement "CREATE VIEW node_lines" >>setup.sql
	statement "CREATE VIEW archive_jobs" >>setup.sql
}

compare() { # summary|archive SITE.CONF
	python3 "$SOURCE/tests/cli/store_sql.py" "$@" "${DUCK[@]}"
}

@test "DuckDB makes Parquet of SQLite's views, and its sums are those of the summary" {
	for view in jobs tools nodes findings; do
		sqlite3 -readonly -csv -header "$WORK/one/db.sqlite" "SELECT * FROM $view" >$view.csv
		take_view $view
	done
	compare summary "$WORK/one/site.conf"
}

@test "DuckDB makes the same Parquet of PostgreSQL's views" {
	need_postgres
	local different="SELECT 0 AS n" same="SELECT 300 AS n"

	for view in jobs tools nodes findings; do
		sqlite3 -readonly -csv -header "$WORK/one/db.sqlite" "SELECT * FROM $view" >$view.csv
		"$(postgres_bin)/psql" -h "$WORK/postgres" -U tester -d two -X -q --csv -c "SELECT * FROM $view" >postgres-$view.csv
		take_view $view
		take_view postgres-$view
		different+=" UNION ALL SELECT count(*) FROM (FROM '$view.parquet' EXCEPT ALL FROM 'postgres-$view.parquet')"
		same+=" UNION ALL SELECT count(*) FROM (FROM 'postgres-$view.parquet' INTERSECT ALL FROM '$view.parquet')"
	done
	run -0 "${DUCK[@]}" "SELECT sum(n), (SELECT min(n) FROM ($same)) FROM ($different)"
	[ "${lines[1]}" = '"0","300"' ]
}

@test "numbers stay numbers and names stay text in Parquet, whatever users call their jobs" {
	sqlite3 -readonly -csv -header "$WORK/one/db.sqlite" "SELECT * FROM jobs" | sed 's/,align,/,17,/' >jobs.csv
	take_view jobs
	run -0 "${DUCK[@]}" "SELECT typeof(job_name), typeof(workflow_rule), typeof(limit_ms), typeof(het_job_id), count(*) FROM jobs
		WHERE job_name = '17' GROUP BY ALL"
	[ "${lines[1]}" = '"VARCHAR","VARCHAR","BIGINT","BIGINT","300"' ]
}

@test "DuckDB reads the archive as it is, and its sums are those of the summary" {
	ln -s "$WORK/one/archive" .
	take_archive
	compare archive "$WORK/one/site.conf"
}

@test "of a job's lines in the archive, the last revision of each attempt counts, and a damaged line is left out" {
	cp -r "$WORK/one" site
	sed -i "s#$WORK/one#$PWD/site#" site/site.conf
	ln -s site/archive .
	take_archive
	batch=$(grep -l '"job_id":1000,.*"slurm":{' -r "$WORK/new/new" | head -n 1)
	line=$(grep -m 1 '"job_id":1000,.*"slurm":{' "$batch")
	[ -n "$line" ]
	name=site/store/new/00/n0.6f1f2a6e0d2e-19a2b3c4d5e.0000000001.ndjson
	mkdir -p "${name%/*}"
	{
		echo '{"store_batch":1,"cluster":"foocluster","node":"n0","boot":"6f1f2a6e0d2e-19a2b3c4d5e","sequence":1,"sealed":"2025-11-04T00:00:00Z","lines":3,"dropped":0}'
		jq -c '.revision += 8 | .totals[9] += 7000000000 | .slurm.account = "later"' <<<"$line"
		jq -c '.identity.attempt = 2 | .slurm.restarts = 1 | .totals[9] = 11000000000 | .slurm.account = "again"' <<<"$line"
		echo '{"stint_store":1,'
	} >"$name"
	run run_ingest site
	[[ $output == *"1 lines set aside"* || $output == *"1 line set aside"* ]]
	compare archive site/site.conf
	run -0 "${DUCK[@]}" "SELECT account_name, attempt, cpu_used_core_ms FROM archive_jobs WHERE account_name IN ('later', 'again') ORDER BY ALL"
	[ "${#lines[@]}" = 3 ]
	[ "${lines[1]%,*}" = '"again","2"' ]
	[ "${lines[2]%,*}" = '"later","1"' ]
}
