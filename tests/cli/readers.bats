#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests that readers of the store on PostgreSQL read only rows that they may see, through indexes, and that no query shows them more.

load postgres

TIMES=1000 # how many jobs of the large month are made out of one

setup_file() {
	export SOURCE STINT BATCHES WORK STINT_LIBEXEC
	SOURCE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	STINT=${STINT:-$PWD/reports/stint}
	STINT_LIBEXEC=${STINT%/*}
	BATCHES=${BATCHES:-${STINT%/reports/stint}/tests/site/batches}
	WORK=$BATS_FILE_TMPDIR
	export LC_ALL=C.UTF-8 TZ=UTC
	start_postgres
	[ ! -d "$WORK/postgres/data" ] || fill
}

teardown_file() {
	stop_postgres
}

setup() {
	bats_require_minimum_version 1.5.0
	command -v jq >/dev/null || skip "no jq"
	need_postgres
	cd "$BATS_TEST_TMPDIR" || return 1
}

psql_as() { # NAME SQL...
	local person=$1 each=()

	for sql in "${@:2}"; do
		each+=(-c "$sql")
	done
	(cd / && "$(postgres_bin)/psql" -h "$WORK/postgres" -U "$person" -d jobs -XqAt -F ' ' -v ON_ERROR_STOP=1 "${each[@]}")
}

as_role() { # NAME VERB OPTION...
	"$STINT" "$2" --config /dev/null --site "$WORK/$1.conf" "${@:3}"
}

# A month of 40,000 jobs. Most users are made up, as at a large site; ada has some jobs, and carl coordinates an account of few.
fill() {
	local data=$SOURCE/tests/data columns

	"$BATCHES" "$WORK/store" 40 8 "$data/record-one.json" "$data/slurm-one.json" "$data/record-two-n1.json" "$data/record-two-n2.json" \
		"$data/slurm-two.json"
	new_postgres jobs >"$WORK/where"
	psql_as tester "CREATE ROLE stint_reader NOLOGIN"
	mkdir "$WORK/archive"
	for person in tester ada ben carl olga; do
		[ $person = tester ] || psql_as tester "CREATE ROLE $person LOGIN IN ROLE stint_reader"
		# the log gets the plan of each statement, as it was run
		psql_as tester "ALTER ROLE $person SET session_preload_libraries = 'auto_explain'" \
			"ALTER ROLE $person SET auto_explain.log_min_duration = 0"
		printf '%s\n' "database = $(sed "s/user=tester/user=$person/" "$WORK/where")" "store_dir = $WORK/store" \
			"archive_dir = $WORK/archive" "time_zone = UTC" >"$WORK/$person.conf"
		chmod 640 "$WORK/$person.conf"
	done
	as_role tester ingest >"$WORK/ingest"
	columns=$(psql_as tester "SELECT string_agg(CASE WHEN attname = 'job_id' THEN 'job_id + 1000 * k' WHEN attname IN ('user_id', 'account_id')
		THEN attname || ' + 100 * (k % 300)' ELSE attname END, ', ' ORDER BY attnum) FROM pg_attribute
		WHERE attrelid = 'job_202511'::regclass AND attnum > 0")
	psql_as tester "INSERT INTO job_202511 SELECT $columns FROM job_202511, generate_series(1, $((TIMES - 1))) AS k ORDER BY end_us" \
		"INSERT INTO access SELECT 1, 'olga', 0, 0, 1" \
		"INSERT INTO access SELECT 1, 'carl', 1, id, 1 FROM name WHERE kind = 1 AND text = 'lab1'" \
		"VACUUM ANALYZE job_202511"
}

plans() { # NAME VERB OPTION... : runs it, and prints the plans of its statements on the jobs' tables
	local before

	before=$(stat -c %s "$WORK/postgres/log")
	as_role "$@" >"$BATS_TEST_TMPDIR/said" || [ "$2" = report ] || return # it may be another's job
	tail -c +$((before + 1)) "$WORK/postgres/log" | awk '/^[0-9]{4}-/ { on = 0 } /plan:$/ { on = 1 } on' >"$BATS_TEST_TMPDIR/log"
	grep -E "Scan.* (on|using) job_2" "$BATS_TEST_TMPDIR/log"
}

in_months() { # SQL : what an ordinary query of ada says of the large month
	psql_as ada "SELECT $1 FROM job_202511"
}

@test "own jobs, a coordinated account's and an operator's day are found by indexes, however large the month is" {
	plans ada summary --since 2025-11-01 --until 2025-12-01 --by state >plan
	cat plan
	grep "Bitmap Index Scan on job_202511_user" plan
	grep "Bitmap Index Scan on job_202511_account" plan
	run ! grep "Seq Scan" plan
	plans ada summary --by job-name >plan # of all times
	run ! grep "Seq Scan" plan
	plans carl summary --since 2025-11-01 --until 2025-12-01 --by user >plan
	grep "Bitmap Index Scan on job_202511_account" plan
	run ! grep "Seq Scan" plan
	# a part of a day is read from the jobs' rows; security keeps the operator from the index of days
	plans olga summary --since 2025-11-10T10:00 --until 2025-11-10T14:00 >plan
	grep "Bitmap Index Scan on job_202511_moment" plan
	run ! grep "Seq Scan" plan
	plans tester summary --since 2025-11-10T10:00 --until 2025-11-10T14:00 >plan
	run ! grep "Seq Scan" plan
	own=$(in_months "min(job_id)")
	for person in ada carl olga tester; do
		plans "$person" report "$own" >plan
		run ! grep "Seq Scan" plan
	done
	for person in ada carl; do # tasks are searched for in a million numbers, which are all of this month
		plans "$person" report "${own}_3" >plan
		run ! grep "Seq Scan" plan
	done
}

@test "what indexes find is what the reader may see: the same as the owner's answer for that user and account" {
	[ "$(in_months "count(*)")" -gt 0 ]
	[ "$(in_months "count(*)")" -lt $((40 * TIMES / 10)) ]
	# by such keys, the owner's answer comes from the rows too
	for by in state job-name state,day verdict,user; do
		diff <(as_role ada summary --by $by --csv) <(as_role tester summary --by $by --where user=ada --csv)
	done
	diff <(as_role carl summary --by state,user --csv) <(as_role tester summary --by state,user --where account=lab1 --csv)
	for by in user state,job-name; do
		diff <(as_role olga summary --by $by --since 2025-11-10T10:00 --until 2025-11-12T14:00 --csv) \
			<(as_role tester summary --by $by --since 2025-11-10T10:00 --until 2025-11-12T14:00 --csv)
	done
	[ "$(as_role ben summary --json | jq .total.jobs)" = "$(psql_as ben "SELECT count(*) FROM job_202511")" ]
}

@test "no function, operator, view, temporary table, role or plan that a reader makes shows another's rows" {
	own=$(psql_as ada "SELECT DISTINCT user_id FROM job_202511")
	[ "$(wc -l <<<"$own")" = 1 ]
	leak="CREATE FUNCTION pg_temp.leak(integer) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS \$\$ BEGIN RAISE NOTICE 'user % leaked', \$1; RETURN true; END \$\$"
	operator="CREATE OPERATOR pg_temp.=== (FUNCTION = pg_temp.leak_two, LEFTARG = integer, RIGHTARG = integer)"
	two="CREATE FUNCTION pg_temp.leak_two(integer, integer) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS \$\$ BEGIN RAISE NOTICE 'user % leaked', \$1; RETURN true; END \$\$"
	for condition in "pg_temp.leak(user_id)" "pg_temp.leak(user_id) AND (user_id = ANY ('{$own}'::integer[]) OR account_id = ANY ('{1,2,3}'::integer[]))" \
		"user_id OPERATOR(pg_temp.===) 7" "pg_temp.leak(user_id) AND end_us >= 0" "1 / (user_id - $((own + 1))) >= -9" "1 / (user_id - $((own + 2))) >= -9"; do
		psql_as ada "$leak" "$two" "$operator" "SELECT count(*) FROM job_202511 WHERE $condition" >said 2>&1
		run ! grep -v -e "^NOTICE:  user $own leaked" -e "^[0-9]*$" said
	done
	# the policy has the store's own table of rights, whatever has its name in the session
	mine=$(in_months "count(*)")
	[ "$(psql_as ada "CREATE TEMP TABLE access AS SELECT 1::bigint AS cluster, 'ada' AS person, 0::bigint AS scope, 0::bigint AS id, 0::bigint AS learnt" \
		"SELECT count(*) FROM job_202511")" = "$mine" ]
	[ "$(psql_as ada "CREATE FUNCTION pg_temp.now() RETURNS text LANGUAGE sql AS 'SELECT 1::text'" "SET search_path = pg_temp, public" \
		"SELECT count(*) FROM job_202511")" = "$mine" ]
	# nobody becomes another role, or goes without security
	for sql in "SET ROLE olga" "SET SESSION AUTHORIZATION olga" "SET ROLE stint_reader; SELECT 1 / count(*) FROM job_202511" \
		"SET row_security = off; SELECT count(*) FROM job_202511" "ALTER TABLE job_202511 DISABLE ROW LEVEL SECURITY" \
		"DROP POLICY stint_readers ON job_202511" "COPY job_202511 (user_id) TO PROGRAM 'cat'" "UPDATE access SET scope = 0"; do
		run psql_as ada "$sql"
		[ "$status" -ne 0 ] || { echo "$sql: $output"; false; }
	done
	# another's view, and a plan that was made for another role
	psql_as tester "CREATE SCHEMA shared; GRANT ALL ON SCHEMA shared TO ada, olga, ben"
	psql_as olga "CREATE VIEW shared.every AS SELECT * FROM job_202511" "GRANT SELECT ON shared.every TO ada"
	[ "$(psql_as ada "SELECT count(*) FROM shared.every WHERE user_id <> $own OR user_id IS NULL")" = 0 ]
	all=$(psql_as tester "SELECT count(*) FROM job_202511")
	run -0 psql_as tester "PREPARE every AS SELECT count(*) FROM job_202511" "EXECUTE every" "SET ROLE olga" "EXECUTE every" "SET ROLE ada" \
		"EXECUTE every" "SET ROLE ben" "EXECUTE every"
	[ "$output" = "$all"$'\n'"$all"$'\n'"$mine"$'\n'"$(psql_as ben "SELECT count(*) FROM job_202511")" ]
	# what the planner knows of the rows
	[ "$(psql_as ada "SELECT count(*) FROM pg_stats WHERE tablename = 'job_202511'")" = 0 ]
}

@test "functions and operators with the names of PostgreSQL's, made by a reader, are not run by others" {
	psql_as tester "GRANT CREATE ON SCHEMA public TO ada" # as up to PostgreSQL 14
	for of in "unnest(text[]) RETURNS SETOF text" "unnest(bigint[]) RETURNS SETOF bigint" "unnest(integer[]) RETURNS SETOF integer" \
		"unnest(smallint[]) RETURNS SETOF smallint" "row_security_active(text) RETURNS boolean" \
		"has_table_privilege(text, text, text) RETURNS boolean" "to_regclass(text) RETURNS regclass" "bool_or(boolean) RETURNS boolean" \
		"array_agg(bigint) RETURNS bigint[]" "pg_try_advisory_lock(bigint) RETURNS boolean"; do
		psql_as ada "CREATE FUNCTION public.$of LANGUAGE plpgsql AS \$\$ BEGIN RAISE EXCEPTION 'run as %', current_user; END \$\$"
	done
	# operators that fit constants without a type better than PostgreSQL's own
	psql_as ada "CREATE FUNCTION public.run(bigint, integer) RETURNS bigint LANGUAGE plpgsql AS \$\$ BEGIN RAISE EXCEPTION 'run as %', current_user; END \$\$" \
		"CREATE FUNCTION public.run(oid, regclass) RETURNS boolean LANGUAGE plpgsql AS \$\$ BEGIN RAISE EXCEPTION 'run as %', current_user; END \$\$" \
		"CREATE OPERATOR public.& (FUNCTION = public.run, LEFTARG = bigint, RIGHTARG = integer)" \
		"CREATE OPERATOR public.= (FUNCTION = public.run, LEFTARG = oid, RIGHTARG = regclass)"
	run -0 as_role tester ingest
	run -0 as_role tester ingest --rebuild
	for person in olga ben tester; do
		run -0 as_role $person summary --by user
		run -0 as_role $person summary --by job-name
	done
}

# Operators of all names and types that statements of the store could have, in a schema. Each says who ran it. PostgreSQL takes its own
# operator only if that has these very types.
attack() { # SCHEMA
	psql_as ada "DO \$do\$ DECLARE
		types text[] := pg_catalog.string_to_array('smallint integer bigint real float8 numeric text name varchar \"char\" boolean json oid '
			'regclass bytea tid timestamptz smallint[] integer[] bigint[] text[] \"char\"[]', ' ');
		truths text[] := '{=,<>,<,<=,>,>=,~~,&&,@>}';
		numbers text[] := '{+,-,*,/,%,&,|,<<,>>,||,->,->>}';
		a text; b text; op text;
	BEGIN
		FOREACH a IN ARRAY types LOOP
			FOREACH b IN ARRAY types LOOP
				EXECUTE pg_catalog.format('CREATE FUNCTION $1.truth(%s, %s) RETURNS boolean LANGUAGE plpgsql AS \$f\$
					BEGIN RAISE EXCEPTION ''run as %%'', current_user; END \$f\$', a, b);
				EXECUTE pg_catalog.format('CREATE FUNCTION $1.number(%s, %s) RETURNS bigint LANGUAGE plpgsql AS \$f\$
					BEGIN RAISE EXCEPTION ''run as %%'', current_user; END \$f\$', a, b);
				FOREACH op IN ARRAY truths LOOP
					EXECUTE pg_catalog.format('CREATE OPERATOR $1.%s (FUNCTION = $1.truth, LEFTARG = %s, RIGHTARG = %s)', op, a, b);
				END LOOP;
				FOREACH op IN ARRAY numbers LOOP
					EXECUTE pg_catalog.format('CREATE OPERATOR $1.%s (FUNCTION = $1.number, LEFTARG = %s, RIGHTARG = %s)', op, a, b);
				END LOOP;
			END LOOP;
		END LOOP;
	END \$do\$"
}

owner_says() { # SQL
	PGOPTIONS="-c search_path=public" psql_as tester "$1"
}

# Everything that the owner, an operator and a user run, and all views.
all_runs() {
	run -0 as_role tester ingest
	run -0 as_role tester ingest --rebuild # it forgets what sacctmgr would know
	owner_says "INSERT INTO access SELECT 1, 'olga', 0, 0, 1"
	for person in olga ben tester; do
		for by in user job-name user,verdict tool node day,finding; do
			run -0 as_role $person summary --by $by
		done
		run -0 as_role $person summary --by state --where state=COMPLETED --where job-name=a --since 2025-11-10T10:00 --until 2025-11-12T14:00
		run -0 as_role $person summary --html="$BATS_TEST_TMPDIR/page"
		run -0 as_role $person report "$(owner_says "SELECT min(job_id) FROM job_202511 AS j JOIN name AS n ON n.id = j.user_id
			AND n.kind = 0 AND n.cluster = j.cluster WHERE n.text = 'ben'")"
		for view in $(owner_says "SELECT viewname FROM pg_views WHERE schemaname = 'public'"); do
			psql_as $person "SELECT * FROM $view" >"$BATS_TEST_TMPDIR/rows"
			[ -s "$BATS_TEST_TMPDIR/rows" ]
		done
	done
}

@test "no operator of a reader's is run by others, whichever types it has, in the store's schema" {
	psql_as tester "GRANT CREATE ON SCHEMA public TO ada"
	psql_as ada "DROP OPERATOR IF EXISTS public.& (bigint, integer), public.= (oid, regclass)" # of the test before
	attack public
	run psql_as olga "SELECT 2::float8 * 3::bigint" # what a statement of the store must not do
	[[ "$output" == *"run as olga"* ]]
	all_runs
}

@test "no operator of a reader's is run by others, in a schema in front of the store's" {
	psql_as tester "CREATE SCHEMA trap AUTHORIZATION ada" "GRANT USAGE ON SCHEMA trap TO PUBLIC"
	attack trap
	for person in tester olga ben; do
		psql_as tester "ALTER ROLE $person SET search_path = trap, pg_catalog, public"
	done
	run psql_as olga "SELECT 2 + 2"
	[[ "$output" == *"run as olga"* ]]
	all_runs
	[ "$(owner_says "SELECT count(*) FROM pg_tables WHERE schemaname = 'trap'")" = 0 ]
}
