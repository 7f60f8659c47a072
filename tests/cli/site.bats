#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Tests stint ingest: batches go into the store's tables exactly once, whatever happens, and both engines have the same tables.

load postgres

setup_file() {
	export SOURCE STINT BATCHES WORK STINT_LIBEXEC DATABASE_SUMS
	SOURCE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	STINT=${STINT:-$PWD/reports/stint}
	STINT_LIBEXEC=${STINT%/*}
	BATCHES=${BATCHES:-${STINT%/reports/stint}/tests/site/batches}
	WORK=$BATS_FILE_TMPDIR
	export LC_ALL=C.UTF-8
	generate "$WORK/tiny" 8 4
	generate "$WORK/few" 40 8
	generate "$WORK/many" 700 64
	start_postgres
	# the contents that the tables of all stores must have
	site "$WORK/least" tiny
	run_ingest "$WORK/least" >/dev/null
	sums "$WORK/least" >"$WORK/tiny.sums"
	site "$WORK/one" few
	run_ingest "$WORK/one" >/dev/null
	sums "$WORK/one" >"$WORK/few.sums"
	site "$WORK/all" many
	run_ingest "$WORK/all" >/dev/null
	sums "$WORK/all" >"$WORK/many.sums"
}

teardown_file() {
	stop_postgres
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_TMPDIR" || return 1
}

generate() { # DIRECTORY JOBS LINES-OF-A-BATCH
	local data=$SOURCE/tests/data

	"$BATCHES" "$1" "$2" "$3" "$data/record-one.json" "$data/slurm-one.json" "$data/record-two-n1.json" "$data/record-two-n2.json" \
		"$data/slurm-two.json"
}

# ---- sites ----

site() { # DIRECTORY STORE [DATABASE]
	mkdir -p "$1/archive"
	cp -r "$WORK/$2" "$1/store"
	printf '%s\n' "database = ${3:-$1/db.sqlite}" "store_dir = $1/store" "archive_dir = $1/archive" "time_zone = Europe/Berlin" >"$1/site.conf"
	chmod 640 "$1/site.conf" # it may have a password
}

# A tracer leaves no room for the search for leaks, if there is one.
traced() { # strace's ARGUMENT...
	ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" strace "$@"
}

run_ingest() { # DIRECTORY [OPTION...]
	local directory=$1

	shift
	"$STINT" ingest --config /dev/null --site "$directory/site.conf" "$@"
}

sums() { # DIRECTORY
	run_ingest "$1" --checksum
}

job_ids() { # DATABASE : of SQLite, the least first
	for table in $(sqlite3 "$1" "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'job_2%'"); do
		sqlite3 "$1" "SELECT job_id FROM $table"
	done | sort -un
}

left() { # DIRECTORY : how many batches are left
	find "$1/store/new" -type f | wc -l
}

archived() { # DIRECTORY : how many batches the archive has
	zstd -dcq "$1"/archive/*.zst | grep -c '"store_batch"'
}

same_as() { # SUMS DIRECTORY
	sums "$2" | diff "$WORK/$1.sums" -
}

# ---- tests ----

@test "all lines of all batches are in the tables, and the batches are in the archive" {
	command -v zstd >/dev/null || skip "no zstd"
	run -0 run_ingest "$WORK/one"
	[[ $output == "0 batches, 0 lines"* ]]
	[ "$(left "$WORK/one")" -eq 0 ]
	[ "$(archived "$WORK/one")" -eq "$(find "$WORK/few/new" -type f | wc -l)" ]
	[ "$(awk '$1 == "job" { print $2 }' "$WORK/few.sums")" -eq 40 ]
	[ "$(awk '$1 == "job_line" { print $2 }' "$WORK/few.sums")" -eq 45 ]
	diff <(zstd -dcq "$WORK"/one/archive/*.zst | sort) <(find "$WORK/few/new" -type f -exec cat {} + | sort)
}

@test "the rollups are what the jobs add up to" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	db=$WORK/all/db.sqlite
	for column in elapsed_ms cpu_given_core_ms cpu_used_core_ms cpu_wasted_core_ms mem_given_mib_s; do
		expected=$(sqlite3 "$db" "SELECT sum($column) FROM jobs")
		[ "$(sqlite3 "$db" "SELECT sum($column) FROM job_day")" = "$expected" ]
		[ "$(sqlite3 "$db" "SELECT sum($column) FROM job_month")" = "$expected" ]
		[[ $column == elapsed_ms ]] || [ "$(sqlite3 "$db" "SELECT sum($column) FROM core_day")" = "$expected" ]
	done
	[ "$(sqlite3 "$db" "SELECT sum(jobs) FROM job_day")" = 700 ]
}

@test "core time spread over days is what each job had of each day of the zone" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	run -0 python3 - "$WORK/all/db.sqlite" Europe/Berlin <<-'END'
		import collections, datetime, sqlite3, sys, zoneinfo
		db, zone = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True), zoneinfo.ZoneInfo(sys.argv[2])
		wanted, parts, jobs = collections.Counter(), collections.Counter(), 0
		for start, end, given in db.execute("SELECT start_unix_us, end_unix_us, cpu_given_core_ms FROM jobs WHERE end_unix_us > start_unix_us"):
		    at, jobs = start, jobs + 1
		    while at < end:
		        day = datetime.datetime.fromtimestamp(at / 1e6, zone).date()
		        midnight = datetime.datetime.combine(day + datetime.timedelta(days=1), datetime.time(), zone)
		        until = min(end, int(midnight.timestamp() * 1e6))
		        date = day.year * 10000 + day.month * 100 + day.day
		        wanted[date] += given * (until - at) / (end - start)
		        parts[date] += 1
		        at = until
		had = dict(db.execute("SELECT day, sum(cpu_given_core_ms) FROM core_day GROUP BY day"))
		assert sum(parts.values()) > jobs, "no job was there at midnight"
		assert set(had) == set(wanted), set(had) ^ set(wanted)
		for date, value in wanted.items():
		    assert abs(value - had[date]) <= parts[date] + 1, (date, value, had[date])
	END
}

@test "batches that come one at a time, shuffled and doubled, make the same tables" {
	command -v zstd >/dev/null || skip "no zstd"
	site "$PWD" tiny
	mkdir waiting
	find store/new -type f | shuf --random-source="$SOURCE/tests/data/record-one.json" >list
	while read -r file; do
		mkdir -p "waiting/$(dirname "$file")"
		mv "$file" "waiting/$file"
	done <list
	while read -r file; do
		cp "waiting/$file" "$file"
		run -0 run_ingest "$PWD"
		cp "waiting/$file" "$file" # a second time
	done <list
	run -0 run_ingest "$PWD"
	[ "$(wc -l <list)" -gt 5 ]
	[ "$(left "$PWD")" -eq 0 ]
	same_as tiny "$PWD"
	[ "$(archived "$PWD")" -eq "$(wc -l <list)" ]
}

@test "PostgreSQL has the same tables as SQLite, also after a rebuild in either" {
	need_postgres
	database=$(new_postgres engines)
	site "$PWD" many "$database"
	run -0 run_ingest "$PWD"
	same_as many "$PWD"
	run -0 run_ingest "$PWD" --rebuild
	same_as many "$PWD"
	cp -r "$WORK/all" again
	sed -i "s#$WORK/all#$PWD/again#" again/site.conf
	run -0 run_ingest "$PWD/again" --rebuild
	same_as many "$PWD/again"
}

# ---- kills ----

# Runs ingest under strace. With --seccomp-bpf the other system calls cost nothing, and no signal comes with traced ones.
traced_ingest() { # OUTPUT SYSTEM-CALL,... [strace's ARGUMENT...]
	traced -qq -f -y -s 100 -o "$1" -e trace="$2" "${@:3}" "$STINT_LIBEXEC/stint-site" ingest --config /dev/null --site site.conf
}

# Prints "SYSTEM-CALL NUMBER" for each moment of a traced run at which a kill makes a difference. For each kind of write, which is a system
# call and the kind of its file, these are the first, the last, and one between them, which is another each day.
moments() { # FILES
	echo "# of day ${STINT_TEST_DAY:=$(($(date +%s) / 86400))}; STINT_TEST_DAY=$STINT_TEST_DAY makes the same again"
	awk -v files="$1" -v day="$STINT_TEST_DAY" '
		match($0, /[a-z0-9]+\(/) {
			call = substr($0, RSTART, RLENGTH - 1)
			number = ++calls[call]
			if (call == "openat" && !/O_CREAT/)
				next
			file = $0
			if (match(file, /<[^>]*>/) && call != "openat" && call != "unlinkat")
				file = substr(file, RSTART + 1, RLENGTH - 2)
			else if (match(file, /"[^"]*"/))
				file = substr(file, RSTART + 1, RLENGTH - 2)
			sub(/.*\//, "", file)
			gsub(/[0-9a-f]*[0-9][0-9a-f]*/, "N", file)
			if (file !~ files)
				next
			kind = call " " file
			if (!count[kind]++)
				kinds[++all] = kind
			at[kind, count[kind]] = number
		}
		END {
			for (i = 1; i <= all; i++) {
				kind = kinds[i]
				split(kind, words, " ")
				most = count[kind]
				print words[1], at[kind, 1]
				if (most > 2)
					print words[1], at[kind, 2 + (day * 7919) % (most - 2)]
				if (most > 1)
					print words[1], at[kind, most]
			}
		}' trace
}

# Kills ingest at each moment of writing to these files, starting from scratch each time, and starts it again.
kill_at_each() { # FILES SYSTEM-CALL,...
	local call number batches killed=0

	batches=$(find "$WORK/tiny/new" -type f -exec cat {} + | sort -u)
	site "$PWD" tiny
	traced_ingest trace "$2" --seccomp-bpf >/dev/null
	moments "$1" >moments
	cat moments
	while read -r call number; do
		[[ $call != "#" ]] || continue
		rm -rf archive store db.sqlite* site.conf
		site "$PWD" tiny
		! traced_ingest /dev/null "$call" -e inject="$call:signal=KILL:when=$number" >/dev/null 2>&1 || continue
		killed=$((killed + 1))
		run_ingest "$PWD" >log 2>&1 || { echo "after a kill at $call $number:"; cat log; return 1; }
		[ "$(left "$PWD")" -eq 0 ] || { echo "$call $number: batches are left"; return 1; }
		same_as tiny "$PWD" || { echo "$call $number"; return 1; }
		[ "$(zstd -dcq archive/*.zst | sort -u)" = "$batches" ] || { echo "$call $number: the archive lacks something"; return 1; }
	done <moments
	# the numbers come from another run: this one may have a write more or less
	echo "$killed kills"
	[ "$killed" -ge $((($(wc -l <moments) - 1) * 3 / 4)) ]
}

@test "killed at any of its writes to the database, and started again, it has the same tables" {
	command -v strace >/dev/null || skip "no strace"
	kill_at_each '^db[.]sqlite' pwrite64,fdatasync,ftruncate,unlink
	[ "$(grep -c '^pwrite64' moments)" -ge 9 ] # to the journal, the log and the tables
	[ "$(grep -c '^fdatasync' moments)" -ge 5 ]
}

@test "killed while it archives and removes, and started again, it has lost and doubled nothing" {
	command -v strace >/dev/null || skip "no strace"
	kill_at_each '[.](zst|ndjson)$' pwrite64,fsync,openat,unlinkat
	[ "$(grep -c '^unlinkat' moments)" -ge 3 ]
	[ "$(grep -c '^pwrite64' moments)" -ge 3 ]
}

# Prints which calls of sendto() are a COMMIT: the first is that of the tables, the last but one that of the jobs' lines.
commits() {
	awk '/sendto\(/ && ++n && /"Q[^"]*COMMIT\\0"/ { print n }' trace
}

@test "killed as PostgreSQL commits, and started again, it has the same tables" {
	command -v strace >/dev/null || skip "no strace"
	need_postgres
	site "$PWD" tiny "$(new_postgres whole)"
	traced_ingest trace sendto --seccomp-bpf >/dev/null
	commits >moments
	cat moments
	[ "$(wc -l <moments)" -ge 3 ]
	mapfile -t at <moments
	for n in "${at[0]}" "${at[-2]}" $((at[-2] + 1)) "${at[-1]}"; do # before each, and after that of the lines
		database=$(new_postgres "killed$n")
		rm -rf archive store site.conf
		site "$PWD" tiny "$database"
		run traced_ingest /dev/null sendto -e inject="sendto:signal=KILL:when=$n"
		[ "$status" -ne 0 ]
		run -0 run_ingest "$PWD"
		[ "$(left "$PWD")" -eq 0 ]
		same_as tiny "$PWD"
	done
}

# ---- a run that stays ----

ask_postgres() { # DATABASE SQL
	psql -XAtq -h "$WORK/postgres" -U tester "$1" -c "$2"
}

wait_until() { # COMMAND... : which is asked again until it says yes
	for _ in $(seq 600); do
		! "$@" || return 0
		sleep 0.1
	done
	echo "not within a minute: $*"
	return 1
}

is_taken() { [ "$(left "$PWD")" -eq 0 ]; }

# The run waits for a lock in the middle of its transaction.
is_held() { [ "$(ask_postgres "$1" "SELECT count(*) FROM pg_locks WHERE NOT granted")" -gt 0 ]; }

# Starts a run that stays, as WATCHER. Its lines are in the file out.
start_watch() {
	"$STINT_LIBEXEC/stint-site" ingest --config /dev/null --site site.conf --watch >out 2>&1 3>&- &
	WATCHER=$!
}

end_watch() {
	local status=0

	kill -TERM "$WATCHER"
	wait "$WATCHER" || status=$?
	[ "$status" -eq 143 ]
}

@test "a run that stays goes on when PostgreSQL was restarted in the middle of its transaction, and has the same tables" {
	need_postgres
	site "$PWD" few "$(new_postgres restarted)"
	mv store/new later
	mkdir store/new
	run -0 run_ingest "$PWD" # makes the tables
	ask_postgres restarted "BEGIN; LOCK TABLE place; SELECT pg_sleep(600)" >/dev/null 2>&1 3>&- &
	holder=$!
	wait_until ask_postgres restarted "SELECT 1 / count(*) FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation
		WHERE relname = 'place' AND mode = 'AccessExclusiveLock'"
	rmdir store/new
	mv later store/new
	start_watch
	wait_until is_held restarted
	restart_postgres
	wait "$holder" || true
	wait_until is_taken
	wait_until grep -q "it works again" out
	kill -0 "$WATCHER"
	end_watch
	[ "$(grep -c "stint ingest: PostgreSQL: .*: it tries again, every 1 to 60 s" out)" -eq 1 ]
	[ "$(grep -vc "batches, " out)" -eq 2 ] || { cat out; false; }
	same_as few "$PWD"
	[ "$(archived "$PWD")" -eq "$(find "$WORK/few/new" -type f | wc -l)" ]
}

@test "a run that stays ends at once while it waits for PostgreSQL, and takes what came meanwhile when it is there again" {
	need_postgres
	site "$PWD" tiny "$(new_postgres away)"
	mv store/new later
	mkdir store/new
	run -0 run_ingest "$PWD"
	start_watch
	wait_until ask_postgres away "SELECT 1 / count(*) FROM pg_locks WHERE locktype = 'advisory'" # it has begun
	stop_postgres
	wait_until grep -q "it tries again" out
	end_watch
	restart_postgres
	start_watch
	wait_until ask_postgres away "SELECT 1 / count(*) FROM pg_locks WHERE locktype = 'advisory'"
	restart_postgres
	wait_until grep -q "it works again" out
	rmdir store/new
	mv later store/new
	wait_until is_taken
	end_watch
	same_as tiny "$PWD"
}

@test "a run that stays waits for a store and a SQLite that are away" {
	site "$PWD" tiny
	mv store away
	start_watch
	wait_until grep -q "stint ingest: $PWD/store: No such file or directory: it tries again" out
	kill -0 "$WATCHER"
	mv away store
	wait_until is_taken
	wait_until grep -q "it works again" out
	end_watch
	same_as tiny "$PWD"
}

# ---- progress ----

# Runs a command on a terminal of 100 columns. Prints what was written there, with \\r as text; the last line is what a person sees at the end.
on_terminal() { # COMMAND...
	python3 - "$@" <<-'END'
		import fcntl, os, pty, struct, sys, termios
		pid, terminal = pty.fork()
		if pid == 0:
		    fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
		    os.execvp(sys.argv[1], sys.argv[1:])
		text = b""
		while True:
		    try:
		        part = os.read(terminal, 65536)
		    except OSError:
		        break
		    if not part:
		        break
		    text += part
		lines = []
		for line in text.decode().replace("\r\n", "\n").split("\n"):
		    screen = ""
		    for part in line.split("\r"):
		        screen = part + screen[len(part):]
		    lines.append(screen.rstrip())
		print(text.decode().replace("\r", "\\r"))
		print(" / ".join(line for line in lines if line))
		sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
	END
}

slowly() { # [OPTION...] : stint ingest that needs more than half a second for each commit
	ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" "$@" strace -qq -f -o /dev/null -e trace=fdatasync \
		-e inject=fdatasync:delay_enter=600000 --seccomp-bpf "$STINT_LIBEXEC/stint-site" ingest --config /dev/null --site site.conf "${OPTIONS[@]}"
}

@test "on a terminal, a long ingest and rebuild show how far they are in one line, and leave nothing of it" {
	command -v strace >/dev/null || skip "no strace"
	local shown='\\rstint ingest: [0-9]* batches, [0-9]* lines, [0-9]* lines/s, [0-9]* %'

	site "$PWD" many
	OPTIONS=()
	run -0 slowly on_terminal
	grep "$shown" <<<"$output"
	[[ ${lines[-1]} =~ ^[0-9]+\ batches,\ [0-9]+\ lines,\ 700\ jobs\;\ 0\ lines\ set\ aside,\ 0\ batches\ refused$ ]]
	OPTIONS=(--rebuild)
	run -0 slowly on_terminal
	grep "$shown" <<<"$output"
	[[ ${lines[-1]} =~ ^[0-9]+\ batches,\ [0-9]+\ lines,\ 700\ jobs\;\ 0\ lines\ set\ aside,\ 0\ batches\ refused$ ]]
	# nothing of it where it is no terminal
	run -0 --separate-stderr slowly env
	[ -z "$stderr" ]
	# short work shows nothing
	run -0 on_terminal "$STINT_LIBEXEC/stint-site" ingest --config /dev/null --site site.conf
	run ! grep "lines/s" <<<"$output"
	same_as many "$PWD"
}

# ---- others ----

@test "two at once leave the tables that one makes" {
	site "$PWD" many
	run_ingest "$PWD" >first 2>&1 3>&- &
	first=$!
	run_ingest "$PWD" >second 2>&1
	wait "$first" || { cat first second; false; }
	run -0 run_ingest "$PWD"
	same_as many "$PWD"
}

@test "a rebuild that was killed is told of, and done again" {
	command -v strace >/dev/null || skip "no strace"
	cp -r "$WORK/one/." .
	sed -i "s#$WORK/one#$PWD#" site.conf
	run traced -qq -f -o /dev/null -e trace=fdatasync -e inject=fdatasync:signal=KILL:when=3 \
		"$STINT_LIBEXEC/stint-site" ingest --config /dev/null --site site.conf --rebuild
	[ "$status" -ne 0 ]
	run -1 run_ingest "$PWD"
	[[ $output == *"--rebuild' did not finish: run it again" ]]
	run -0 --separate-stderr "$STINT" summary --config /dev/null --site site.conf --json
	[ "$stderr" = "stint summary: the store lacks jobs: 'stint ingest --rebuild' is running, or did not finish" ]
	run -1 "$STINT" report --config /dev/null --site site.conf --cluster foocluster 987654321
	[ "$output" = "stint report: the store lacks jobs: 'stint ingest --rebuild' is running, or did not finish" ]
	run -0 run_ingest "$PWD" --rebuild
	same_as few "$PWD"
	run -0 --separate-stderr "$STINT" summary --config /dev/null --site site.conf --json
	[ -z "$stderr" ]
}

@test "a rebuild from an archive of which a batch is damaged takes the others, and fails" {
	cp -r "$WORK/one/." .
	sed -i "s#$WORK/one#$PWD#" site.conf
	archive=$(find archive -name '*.zst' | head -n 1)
	# the first batch's last byte: before the next head, whose magic number is 184d2a51
	next=$(LC_ALL=C grep -abo $'Q\x2aM\x18' "$archive" | sed -n '2s/:.*//p')
	printf '\x55\xaa\x55' | dd of="$archive" bs=1 seek=$((next - 40)) conv=notrunc status=none
	run -1 run_ingest "$PWD" --rebuild
	[[ $output == *"stint ingest: ${archive##*/}: "* ]]
	[[ $output == *"1 batch refused" ]]
	[ "$(sums "$PWD" | awk '$1 == "batch" { print $2 }')" -eq $(($(awk '$1 == "batch" { print $2 }' "$WORK/few.sums") - 1)) ]
	# the remains of a kill are no damage
	cp "$WORK/one/archive/${archive##*/}" "$archive"
	truncate -s -10 "$archive"
	run -0 run_ingest "$PWD" --rebuild
	[[ $output == *"is not a batch, so stint left it out"* ]]
}

@test "a batch that is a link, a pipe, another user's or too large is refused by name, and all others go in" {
	site "$PWD" few
	directory=$(find store/new -mindepth 1 -type d | head -n 1)
	file=$(find store/new -type f | head -n 1)
	cp "$file" elsewhere
	ln -s "$PWD/elsewhere" "$directory/n1.aaaa.0000000001.ndjson"
	ln elsewhere "$directory/n1.aaaa.0000000002.ndjson"
	mkfifo "$directory/n1.aaaa.0000000003.ndjson"
	truncate -s 20M "$directory/n1.aaaa.0000000004.ndjson"
	echo '{"no":"head"}' >"$directory/n1.aaaa.0000000005.ndjson"
	cp elsewhere "$directory/n1.aaaa.0000000006.ndjson"
	[ "$(id -u)" -ne 0 ] || chown nobody "$directory/n1.aaaa.0000000006.ndjson"
	[ "$(id -u)" -eq 0 ] || rm "$directory/n1.aaaa.0000000006.ndjson"
	cp elsewhere "$directory/.hidden.ndjson"
	run -1 run_ingest "$PWD"
	for n in 1 2 3 4 5; do
		[[ $output == *"n1.aaaa.000000000$n.ndjson: "* ]]
	done
	[ "$(id -u)" -ne 0 ] || [[ $output == *"it belongs to user "* ]]
	same_as few "$PWD"
	[ -e "$directory/n1.aaaa.0000000004.ndjson" ]
}

@test "a name that comes again with other bytes is refused" {
	cp -r "$WORK/one/." .
	sed -i "s#$WORK/one#$PWD#" site.conf
	file=$(cd "$WORK/few" && find new -type f | head -n 1)
	sed 's/"dropped":0/"dropped":1/' "$WORK/few/$file" >"store/$file"
	run -1 run_ingest "$PWD"
	[[ $output == *"stint imported another batch of this name before"* ]]
	[ -e "store/$file" ]
	same_as few "$PWD"
}

@test "a batch of a cluster that site.conf does not name is refused with the reason, and taken when it is named" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	site "$PWD" tiny
	echo "clusters = Quux, foocluster" >>site.conf # Slurm makes the names lower case
	file=$(find store/new -type f | head -n 1)
	sed 's/"foocluster"/"typo"/g' "$file" >"${file%.ndjson}7.ndjson"
	sed 's/"foocluster"/"quux"/g' "$file" >"${file%.ndjson}8.ndjson"
	run -1 --separate-stderr run_ingest "$PWD"
	[ "$stderr" = "stint ingest: $(basename "${file%.ndjson}7.ndjson"): 'clusters' in site.conf does not name its cluster, 'typo': it stays where it is, and is taken when its cluster is named there" ]
	[[ $output == *"1 batch refused" ]]
	[ "$(left "$PWD")" -eq 1 ]
	[ "$(sqlite3 db.sqlite "SELECT group_concat(text) FROM (SELECT text FROM cluster ORDER BY text)")" = foocluster,quux ]
	# a run that stays names it once, and takes it as soon as it may
	start_watch
	wait_until grep -q "its cluster, 'typo'" out
	cp "$WORK/tiny/${file#store/}" "${file%.ndjson}9.ndjson" # the next pass takes it
	wait_until eval '[ "$(left "$PWD")" -eq 1 ]'
	end_watch
	[ "$(grep -c "its cluster, 'typo'" out)" -eq 1 ]
	sed -i 's/^clusters = .*/& typo/' site.conf
	run -0 --separate-stderr run_ingest "$PWD"
	[ -z "$stderr" ]
	[ "$(left "$PWD")" -eq 0 ]
	[ "$(sqlite3 db.sqlite "SELECT count(*) FROM cluster")" -eq 3 ]
}

@test "without names of clusters, one line tells of the first batch of another cluster" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	site "$PWD" tiny
	run -0 --separate-stderr run_ingest "$PWD"
	[ -z "$stderr" ] # the first cluster of all is not another one
	for n in 7 8; do
		cp -r "$WORK/tiny/new" "store/"
		file=$(find store/new -type f | head -n 1)
		find store/new -type f ! -path "$file" -delete
		sed 's/"foocluster"/"typo"/g' "$file" >"${file%.ndjson}$n.ndjson"
		name=$(basename "${file%.ndjson}$n.ndjson")
		run -0 --separate-stderr run_ingest "$PWD"
		[ "$stderr" = "$([ $n = 8 ] || echo "stint ingest: $name: it is the first batch of another cluster, 'typo': 'clusters' in site.conf can name those whose batches are taken")" ]
	done
	[ "$(sqlite3 db.sqlite "SELECT count(*) FROM cluster")" -eq 2 ]
	run -0 --separate-stderr run_ingest "$PWD" --rebuild
	[ -z "$stderr" ]
}

@test "a damaged line is set aside by file and line, and the others go in" {
	site "$PWD" few
	file=$(find store/new -type f -size +5k | head -n 1)
	sed -i '3s/.*/  {"stint_store":1,\x1b[31m/; 4s/"stint_store":1/"stint_store":99/' "$file"
	run -1 run_ingest "$PWD"
	[[ $output == *"${file##*/}:3: set aside: damaged JSON"* ]]
	[[ $output == *"${file##*/}:4: set aside: a store line of version 99"* ]]
	[[ $output != *$'\x1b'* ]]
	[[ $output == *"43 lines, "*"2 lines set aside"* ]]
	[ "$(sums "$PWD" | awk '$1 == "damaged" { print $2 }')" -eq 2 ]
	# a file that ends early
	rm -rf store archive db.sqlite*
	site "$PWD" few
	file=$(find store/new -type f -size +5k | head -n 1)
	truncate -s -100 "$file"
	run -1 run_ingest "$PWD"
	[[ $output == *"the file ends within this line"* ]]
	[[ $output == *"44 lines, "*"1 line set aside"* ]]
}

# An attacker who is root on a node may send anything. It must not keep the other nodes' lines out.
@test "lines that the tables' keys or PostgreSQL would refuse are set aside, and the others go in" {
	for engine in sqlite postgres; do
		[ "$engine" = sqlite ] || [ -d "$WORK/postgres/data" ] || continue
		rm -rf store archive db.sqlite*
		database=
		[ "$engine" = sqlite ] || database=$(new_postgres forged)
		site "$PWD" few "$database"
		python3 - store/new <<-'END'
			import copy, glob, json, os, sys
			batch = sorted(glob.glob(sys.argv[1] + "/*/*.ndjson"))[0]
			head, line = (json.loads(text) for text in open(batch).read().split("\n")[:2])
			def forge(name, head, nodes):
			    lines = []
			    for node in nodes:
			        line["identity"].update(job_id=987654, node=node)
			        lines.append(json.dumps(line, ensure_ascii=False))
			    text = "\n".join([json.dumps(dict(head, lines=len(lines)), ensure_ascii=False)] + lines) + "\n"
			    open(f"{os.path.dirname(batch)}/{name}.ndjson", "wb").write(text.encode("utf-8", "surrogatepass"))
			forge("long", head, ["n" * 255 + "1", "n" * 255 + "2"]) # the same as far as the tables keep names
			forge("line", head, ["n\ud800"])
			forge("head", dict(head, sealed="\ud800"), ["n1"])
		END
		run -1 run_ingest "$PWD"
		[[ $output == *"long.ndjson:2: set aside: "*"identity.node"* ]]
		[[ $output == *"long.ndjson:3: set aside: "*"identity.node"* ]]
		[[ $output == *"line.ndjson:2: set aside: "*"not UTF-8"* ]]
		[[ $output == *"head.ndjson: its first line is not UTF-8"* ]]
		[[ $output == *"45 lines, 40 jobs; 3 lines set aside, 1 batch refused"* ]]
		[ "$(left "$PWD")" -eq 1 ]
	done
}

@test "a database of a newer version, of another zone, or of something else is refused in one line" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	cp -r "$WORK/one/." .
	sed -i "s#$WORK/one#$PWD#" site.conf
	sed -i 's/Berlin/Paris/' site.conf
	run -1 run_ingest "$PWD"
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == *"Europe/Berlin, but site.conf says Europe/Paris: a database keeps its zone" ]]
	sed -i 's/Paris/Berlin/' site.conf
	sqlite3 db.sqlite "UPDATE setting SET value = '9' WHERE name = 'schema'"
	run -1 run_ingest "$PWD"
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == *"has version 9, but this stint knows 8"* ]]
	rm db.sqlite*
	head -c 10000 /dev/urandom >db.sqlite
	run -1 run_ingest "$PWD"
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == *"not a database"* ]]
	# it is moved away, and made again
	rm db.sqlite*
	run -0 run_ingest "$PWD" --rebuild
	same_as few "$PWD"
	# somebody else's
	rm db.sqlite*
	sqlite3 db.sqlite "CREATE TABLE dashboard(id)"
	run -1 run_ingest "$PWD"
	[ "$output" = "stint ingest: the database has tables that do not belong to the store" ]
	run -1 "$STINT" summary --site site.conf
	[ "$output" = "stint summary: the database has tables that do not belong to the store" ]
	[ "$(sqlite3 db.sqlite "SELECT name FROM sqlite_master")" = dashboard ]
}

# ---- damage ----

few_here() { # a whole store in this directory, in one file without a log
	rm -rf ./* && cp -r "$WORK/one/." .
	sed -i "s#$WORK/one#$PWD#" site.conf
	sqlite3 db.sqlite "PRAGMA wal_checkpoint(TRUNCATE)" >/dev/null
	cp db.sqlite good
}

page_size() {
	sqlite3 good "PRAGMA page_size"
}

overwrite() { # FROM-BYTE COUNT : by zeros
	dd if=/dev/zero of=db.sqlite bs=1 seek="$1" count="$2" conv=notrunc status=none
}

zero_root() { # NAME : the first page of a table or an index
	overwrite $((($(sqlite3 good "SELECT rootpage FROM sqlite_master WHERE name = '$1'") - 1) * $(page_size))) "$(page_size)"
}

damage() { # KIND
	case $1 in
	truncated) truncate -s $(($(stat -c %s good) / 2)) db.sqlite ;;
	one-page) truncate -s "$(page_size)" db.sqlite ;;
	header) overwrite 0 100 ;;
	half-header) printf 'something else' | dd of=db.sqlite conv=notrunc status=none ;;
	page) overwrite $(($(stat -c %s good) / $(page_size) / 2 * $(page_size))) "$(page_size)" ;;
	garbage) head -c 100000 /dev/urandom >db.sqlite ;;
	text) echo "no database" >db.sqlite ;;
	schema) overwrite 100 200 ;;
	table) zero_root batch ;;
	index) zero_root "$(sqlite3 good "SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'job_2%' LIMIT 1")" ;;
	free-list) printf '\0\0\0\2\0\0\0\7' | dd of=db.sqlite bs=1 seek=32 conv=notrunc status=none ;;
	read-only) printf '\5' | dd of=db.sqlite bs=1 seek=18 conv=notrunc status=none ;;
	encoding) printf '\0\0\0\2' | dd of=db.sqlite bs=1 seek=56 conv=notrunc status=none ;;
	format) printf '\0\0\0\11' | dd of=db.sqlite bs=1 seek=44 conv=notrunc status=none ;;
	lost-table)
		sqlite3 -cmd "PRAGMA writable_schema = ON" db.sqlite "DELETE FROM sqlite_master WHERE name = 'cluster' OR tbl_name = 'cluster'"
		;;
	lost-file) # SQLite would delete the log of an empty file
		head -c 40000 /dev/urandom >db.sqlite-wal
		: >db.sqlite
		;;
	older) sqlite3 db.sqlite "UPDATE setting SET value = '3' WHERE name = 'schema'" ;;
	esac
}

@test "a rebuild moves a damaged file away, keeps it, says where it is, and makes the store again" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	for kind in truncated one-page header half-header page garbage text schema table index free-list read-only encoding format lost-table \
		lost-file older; do
		echo "# $kind"
		few_here
		damage "$kind"
		chmod 640 db.sqlite
		cp db.sqlite before
		[ ! -e db.sqlite-wal ] || cp db.sqlite-wal before-wal
		run -0 --separate-stderr run_ingest "$PWD" --rebuild
		echo "$stderr"
		[ "${#stderr_lines[@]}" -eq 1 ]
		[[ $stderr == "stint ingest: $PWD/db.sqlite: "*": stint moved the file to $PWD/db.sqlite.moved-20"*", and makes a new database from the archive" ]]
		moved=${stderr##*moved the file to }
		moved=${moved%%, and*}
		cmp before "$moved"
		[ ! -e before-wal ] || cmp before-wal "$moved-wal"
		[ "$(stat -c %a db.sqlite)" = 640 ]
		same_as few "$PWD"
		# it is whole, and stays where it is
		run -0 --separate-stderr run_ingest "$PWD"
		[ -z "$stderr" ]
		run -0 --separate-stderr run_ingest "$PWD" --rebuild
		[ -z "$stderr" ]
		[ "$(find . -name 'db.sqlite.moved-*' ! -name '*-wal' ! -name '*-shm' | wc -l)" -eq 1 ]
	done
}

@test "a rebuild after a damaged log makes the store again, and loses neither file" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	for kind in header frames; do
		few_here
		# a killed writer leaves all of a new store in the log, or part of it
		rm -f db.sqlite*
		sqlite3 good .dump >dump.sql
		python3 - <<-'END'
			import os, sqlite3
			db = sqlite3.connect("db.sqlite", isolation_level=None)
			db.executescript("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;" + open("dump.sql").read())
			os._exit(0)
		END
		if [[ $kind == header ]]; then
			head -c 32 /dev/urandom | dd of=db.sqlite-wal conv=notrunc status=none
		else
			head -c 9000 /dev/urandom | dd of=db.sqlite-wal bs=1 seek=100000 conv=notrunc status=none
		fi
		run -0 --separate-stderr run_ingest "$PWD" --rebuild
		same_as few "$PWD"
	done
}

@test "damage that is found only in the middle of a rebuild has the file moved away as well" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	few_here
	# all pages are sound, but a table is not the store's
	sqlite3 db.sqlite "ALTER TABLE cluster RENAME COLUMN text TO word"
	run -0 --separate-stderr run_ingest "$PWD" --rebuild
	[[ $stderr == *"no such column"*": stint moved the file to "* ]]
	same_as few "$PWD"
}

@test "a rebuild that was killed after it had moved the file is told of, and done again" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	command -v strace >/dev/null || skip "no strace"
	for when in rename:1 rename:2 rename:3 fsync:2 fdatasync:1 fdatasync:2 fdatasync:3; do
		few_here
		: >db.sqlite-wal
		: >db.sqlite-shm
		damage header
		cp db.sqlite before
		run traced -qq -f -o /dev/null -e trace="${when%:*}" -e inject="${when%:*}:signal=KILL:when=${when#*:}" \
			"$STINT_LIBEXEC/stint-site" ingest --config /dev/null --site site.conf --rebuild
		[ "$status" -ne 0 ]
		run -1 run_ingest "$PWD"
		echo "# $when: $output"
		[[ $output == *"--rebuild'"* ]]
		cmp before "$([ ! -e db.sqlite.moved-*[0-9] ] && echo db.sqlite || echo db.sqlite.moved-*[0-9])"
		run -0 run_ingest "$PWD" --rebuild
		same_as few "$PWD"
	done
}

@test "a rebuild moves no file of another program, no directory, and no file while another writes" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	few_here
	rm db.sqlite*
	sqlite3 db.sqlite "CREATE TABLE dashboard(id); CREATE TABLE setting(id)"
	cp db.sqlite before
	run -1 run_ingest "$PWD" --rebuild
	[ "$output" = "stint ingest: the database has tables that do not belong to the store" ]
	cmp before db.sqlite
	sqlite3 db.sqlite "CREATE TABLE month(id)"
	run -1 run_ingest "$PWD" --rebuild
	[ "$output" = "stint ingest: the database has tables that do not belong to the store" ]
	rm db.sqlite*
	mkdir db.sqlite
	run -1 run_ingest "$PWD" --rebuild
	[[ $output == *"db.sqlite: not a file" ]]
	rmdir db.sqlite
	cp good db.sqlite
	damage header
	run -0 flock db.sqlite.lock "$STINT" ingest --config /dev/null --site site.conf --rebuild
	[[ $output == *"another 'stint ingest' is working on this database" ]]
	[ "$(find . -name '*.moved-*' | wc -l)" -eq 0 ]
}

@test "a rebuild from an archive that is empty, or not there, changes nothing" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	few_here
	mkdir empty
	: >empty/foocluster-2025-11.ndjson.zst # a killed process had opened it
	for directory in "$PWD/empty" "$PWD/wrong"; do
		sed -i "s#^archive_dir = .*#archive_dir = $directory#" site.conf
		run -1 run_ingest "$PWD" --rebuild
		[ "$output" = "stint ingest: nothing was changed: $directory has no batches, and the database has (archive_dir in site.conf)" ]
		same_as few "$PWD"
	done
	[ ! -e wrong ]
	# one that cannot be read is no empty one
	: >wrong
	run -1 run_ingest "$PWD" --rebuild
	[ "$output" = "stint ingest: $PWD/wrong: Not a directory" ]
	rm wrong
	# what is damaged stays where it is, because nothing can replace it
	damage garbage
	cp db.sqlite before
	run -1 run_ingest "$PWD" --rebuild
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == *"; $PWD/wrong has no batches to make it again from" ]]
	cmp before db.sqlite
	[ "$(find . -name '*.moved-*' | wc -l)" -eq 0 ]
	# a table of another program's is found only while it is emptied
	cp good db.sqlite
	rm -f db.sqlite-*
	sqlite3 db.sqlite "ALTER TABLE cluster RENAME COLUMN text TO word"
	run -1 run_ingest "$PWD" --rebuild
	[[ $output == *"no such column"* ]]
	# there is nothing to lose
	rm db.sqlite*
	run -0 run_ingest "$PWD" --rebuild
	[ "$output" = "0 batches, 0 lines, 0 jobs; 0 lines set aside, 0 batches refused" ]
	run -0 run_ingest "$PWD" --rebuild
}

@test "a database that is gone is not made again without a word" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	few_here
	rm db.sqlite*
	for verb in "" --reconcile; do
		run -1 run_ingest "$PWD" $verb
		[ "$output" = "stint ingest: $PWD/db.sqlite is gone, but $PWD/archive has batches that were ingested: 'stint ingest --rebuild' makes it again from them" ]
		[ ! -e db.sqlite ]
	done
	# or is an empty one
	: >db.sqlite
	run -1 run_ingest "$PWD"
	[ "$output" = "stint ingest: the database is empty, but $PWD/archive has batches that were ingested: 'stint ingest --rebuild' makes it again from them" ]
	run -1 run_ingest "$PWD"
	run -0 run_ingest "$PWD" --rebuild
	same_as few "$PWD"
	run -0 run_ingest "$PWD"
}

@test "a damaged file behind a link is moved where it is, and the link stays" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	few_here
	mkdir disk
	damage garbage
	mv db.sqlite disk/store
	rm -f db.sqlite-*
	ln -s disk/store db.sqlite
	run -0 --separate-stderr run_ingest "$PWD" --rebuild
	[[ $stderr == *": stint moved the file to $PWD/disk/store.moved-"* ]]
	[ -L db.sqlite ]
	same_as few "$PWD"
}

@test "names that are SQL, formulas and escapes are words like others" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	for word in "'; DROP TABLE job; --" "=cmd|' /C calc'!A0" $'\x1b[31mred'; do
		run -0 sqlite3 "$WORK/all/db.sqlite" "SELECT count(*) FROM name WHERE kind = 0 AND hex(text) = '$(printf %s "$word" | od -An -tx1 | tr -d ' \n' | tr a-f A-F)'"
		[ "$output" = 1 ]
	done
}

@test "stint summary without a directory says what the store has, in both engines" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	db=$WORK/all/db.sqlite
	run -0 --separate-stderr "$STINT" summary --site "$WORK/all/site.conf" --by account --json
	printf '%s' "$output" >one.json
	[ "$(jq '.total.jobs' one.json)" = 700 ]
	jobs=$(sqlite3 "$db" "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'job_2%'")
	all=$(for table in $jobs; do echo "SELECT * FROM $table UNION ALL"; done | sed '$s/ UNION ALL//')
	expected=$(sqlite3 -separator ' ' "$db" "SELECT text, count(*), sum(cpu_given_core_ms) FROM ($all) JOIN name
		ON name.id = account_id AND kind = 1 GROUP BY text ORDER BY text")
	actual=$(jq -r '.groups[] | "\(.keys.account) \(.jobs) \(.sums.cpu_given_core_ms)"' one.json | sort)
	[ "$actual" = "$expected" ]
	# a day is one of the store's zone
	day=$(sqlite3 "$db" "SELECT day FROM job_day GROUP BY day ORDER BY sum(jobs) DESC LIMIT 1")
	run -0 --separate-stderr env TZ=Asia/Tokyo "$STINT" summary --site "$WORK/all/site.conf" --json \
		--since "${day:0:4}-${day:4:2}-${day:6}" --until "$(date -u -d "$day + 1 day" +%F)"
	[ "$(jq .total.jobs <<<"$output")" = "$(sqlite3 "$db" "SELECT sum(jobs) FROM job_day WHERE day = $day")" ]
	run -0 "$STINT" summary --site "$WORK/all/site.conf" --by tool
	[[ $output == *bwa* ]]
	need_postgres
	database=$(new_postgres summary)
	site "$PWD" many "$database"
	run -0 run_ingest "$PWD"
	run -0 --separate-stderr "$STINT" summary --site site.conf --by account --json
	diff <(jq 'del(.store)' one.json) <(jq 'del(.store)' <<<"$output")
	for by in user,week node state verdict finding; do
		diff <("$STINT" summary --site site.conf --by "$by" --csv) <("$STINT" summary --site "$WORK/all/site.conf" --by "$by" --csv)
	done
}

@test "names of programs that a user makes up do not take the summary from all others" {
	cp "$WORK/all/db.sqlite" many.sqlite
	columns=$(sqlite3 many.sqlite "SELECT group_concat(name, ', ') FROM pragma_table_info('tool_month') WHERE name != 'tool'")
	sqlite3 many.sqlite "BEGIN; CREATE TEMP TABLE new AS WITH RECURSIVE n(i) AS (SELECT 100001 UNION ALL SELECT i + 1 FROM n WHERE i < 125000) SELECT i FROM n;
		CREATE TEMP TABLE least AS SELECT $columns FROM tool_month WHERE tool = (SELECT id FROM name WHERE kind = 9 AND text = 'slurm_script') LIMIT 1;
		INSERT INTO name SELECT 1, 9, 'made up ' || i, i FROM new;
		INSERT INTO tool_month (tool, $columns) SELECT i, $columns FROM new, least; COMMIT"
	sed "s:^database = .*:database = $PWD/many.sqlite:" "$WORK/all/site.conf" >many.conf
	"$STINT" summary --site "$WORK/all/site.conf" --by tool --json >before.json
	"$STINT" summary --site many.conf --by tool --json >many.json
	# 10,000 groups are too much for a shell's variable and for jq
	python3 - before.json many.json "$(sqlite3 many.sqlite "SELECT sum(jobs) FROM tool_month")" <<-'END'
		import json, sys
		before, many = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
		# who is left out is counted
		assert "groups_left_out" not in before, before["groups_left_out"]
		assert many["groups_left_out"] == 25000 + len([g for g in before["groups"] if g["keys"]["tool"] != "(other tools)"]) - 10000, many["groups_left_out"]
		assert "more_left_out" not in many
		before, groups = before["groups"], many["groups"]
		assert len(groups) == 10001, len(groups)
		assert sum(group["keys"]["tool"] == "(other tools)" for group in groups) == 1
		assert sum(group["jobs"] for group in groups) == int(sys.argv[3])
		for tool in "bwa", "samtools":
		    one, other = ([group for group in where if group["keys"]["tool"] == tool] for where in (before, groups))
		    assert one == other and len(one) == 1, (one, other)
	END
	run -0 "$STINT" summary --site many.conf --html=many.html
	left_out=$(grep -o '"groups_left_out": [0-9]*' many.json | grep -o '[0-9]*$')
	sentence="$left_out groups that used or wasted less than the first 10000 are only in the sums of \"(other ...)\"."
	"$STINT" summary --site many.conf --by tool --csv --top 0 >many.csv 2>many.err
	[ "$(head -n 1 many.err)" = "stint summary: $sentence" ]
	[ "$(wc -l <many.csv)" -eq 10002 ]
	"$STINT" summary --site many.conf --by tool --top 0 >many.text
	[ "$(tail -n 1 many.text)" = "$sentence" ]
}

# Compares what summary makes of the rollups with what it makes of the jobs' rows: no rollup has verdicts beside another key, and a job has
# one verdict. So the answer by a key and verdict adds up to the answer by the key; for two keys, the answers for each verdict do.
SAME_AS_ROWS='
import collections, json, os, subprocess, sys
site, *asked = sys.argv[1:]
def ask(*options):
    out = subprocess.run([os.environ["STINT"], "summary", "--site", site, "--json", *options], stdout=subprocess.PIPE, check=True).stdout
    return json.loads(out)
def sums(of):
    return {name: value for name, value in of.items() if name not in ("keys", "figures")}
def plus(one, other):
    if isinstance(one, dict):
        return {name: plus(one.get(name), other.get(name)) if name in one and name in other else one.get(name, other.get(name))
                for name in {**one, **other}}
    return one + (other or 0) if isinstance(one, int) else one
def groups(answers, without=None):
    made = {}
    for answer in answers:
        for group in answer["groups"]:
            keys = json.dumps({name: value for name, value in group["keys"].items() if name != without}, sort_keys=True)
            made[keys] = plus(made[keys], sums(group)) if keys in made else sums(group)
    return made
verdicts = [group["keys"]["verdict"] for group in ask("--by", "verdict")["groups"]]
assert len(verdicts) > 1, verdicts
wrong = 0
for options in asked:
    by, *more = options.split(" ")
    answer = ask("--by", by, *more)
    if "," in by:
        rows = [ask("--by", by, *more, "--where", f"verdict={verdict}") for verdict in verdicts]
        made = groups(rows)
        total = sums(rows[0]["total"])
        for one in rows[1:]:
            total = plus(total, sums(one["total"]))
    else:
        beside = "user" if by == "verdict" else "verdict"
        rows = [ask("--by", f"{by},{beside}", *more)]
        made, total = groups(rows, beside), sums(rows[0]["total"])
    for what, one, other in ("groups", groups([answer]), made), ("total", sums(answer["total"]), total):
        if one != other:
            wrong += 1
            print(f"{options}: {what}: {one}\nand of the rows {other}"[:3000])
sys.exit(wrong > 0)'

same_as_rows() { # SITE "BY [OPTION...]"...
	python3 -c "$SAME_AS_ROWS" "$@"
}

reads() { # TABLE OPTION... : whether stint summary reads the table
	local table=$1

	shift
	cp "$WORK/all/db.sqlite" without.sqlite
	sed "s:^database = .*:database = $PWD/without.sqlite:" "$WORK/all/site.conf" >without.conf
	sqlite3 without.sqlite "$(for each in $(sqlite3 without.sqlite "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '$table'"); do
		echo "DELETE FROM $each;"
	done)"
	! diff <("$STINT" summary --site without.conf "$@" --json) <("$STINT" summary --site "$WORK/all/site.conf" "$@" --json) >/dev/null
}

@test "rollups and jobs' rows make the same summary, whatever it is by, and whenever its period begins" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	asked=(user account partition qos cluster day week month verdict finding state size rule node tool
		"month --since 2025-11-05T10:00 --until 2025-11-28T11:30"
		"tool --since 2025-11-05T10:00 --until 2025-12-28T11:30"
		"user --since 2025-11-12 --until 2025-12-01"
		"week --since 2025-11-12T10:00 --until 2025-11-12T15:00"
		"node --since 2025-10-31T13:00"
		"size --until 2025-12-01"
		"user --where account=lab2"
		"user --where cluster=foocluster"
		"month --where cluster=none")
	two=(user,month account,day tool,month node,day week,finding state,cluster user,qos,week "account,week --where user=ada --where cluster=foocluster")
	same_as_rows "$WORK/all/site.conf" "${asked[@]}" "${two[@]}"
	if [ -d "$WORK/postgres/data" ]; then
		site "$PWD" many "$(new_postgres rollups)"
		run_ingest "$PWD"
		same_as_rows site.conf "${asked[@]}" tool,month
	fi
	[ "$("$STINT" summary --site "$WORK/all/site.conf" --since 2025-11-12 --json | jq .total.jobs)" -gt 100 ]
}

# PostgreSQL adds up the jobs itself, in parts of a large table. SQLite's rows are added up by stint.
@test "PostgreSQL's sums of jobs by what no rollup has are those that stint makes of the rows" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	need_postgres
	database=$(new_postgres sums)
	site "$PWD" many "$database"
	run_ingest "$PWD"
	cp "$WORK/all/db.sqlite" rows.sqlite
	sed "s:^database = .*:database = $PWD/rows.sqlite:" "$WORK/all/site.conf" >rows.conf
	# a month that is read in parts
	month=$(sqlite3 rows.sqlite "SELECT max(name) FROM sqlite_master WHERE type = 'table' AND name GLOB 'job_2*'")
	columns=$(sqlite3 rows.sqlite "SELECT group_concat(name, ', ') FROM pragma_table_info('$month')")
	copies=$(for ((i = 1; i < 120; i++)); do
		echo "INSERT INTO $month ($columns) SELECT ${columns/job_id/job_id + $((i * 10000000))} FROM $month WHERE job_id < 10000000;"
	done)
	sqlite3 rows.sqlite <<<"BEGIN; $copies COMMIT"
	psql -qX "$database" <<<"$copies"
	[ "$(psql -qXAt "$database" -c "SELECT pg_relation_size('$month') / 8192")" -gt 2048 ]
	for options in "--by job-name" "--by gpu-model,user" "--by job-name,user,week" "--by finding,size" "--by verdict,state,cluster" "--by finding,verdict,day" \
		"--by qos,node" "--by tool,user" "--by state,rule --where user=ada" "--by user --where finding=cores-unused" \
		"--by job-name --since 2025-11-12T10:00 --until 2025-11-25" "--by job-name --last 2000d --where state=FAILED" \
		"--by partition --where size=2-8" "--by account --where tool=bwa"; do
		forms=(--json)
		[ "$options" != "--by job-name" ] || forms+=(--csv "")
		for form in "${forms[@]}"; do
			# shellcheck disable=SC2086
			for site in rows.conf site.conf; do
				"$STINT" summary --site $site $options $form 2>/dev/null |
					sed -e '/"store": {/,/}/d' -e "/^The store's last batch/,/^\$/d" -e '/"\(since\|until\)":/d' >$site.out
			done
			[ -s rows.conf.out ]
			diff rows.conf.out site.conf.out >difference || { echo "$options $form"; head -n 20 difference; return 1; }
		done
	done
}

# Each value that --by KEY shows has as many jobs as --where KEY=VALUE finds. By job name, as no rollup is, so that the rows are read.
finds_its_groups() { # SITE_CONF KEY ...
	local site=$1 key value jobs

	for key in "${@:2}"; do
		"$STINT" summary --site "$site" --by "$key" --top 0 --json | jq -r --arg key "$key" '.groups[] | [.keys[$key] // "-", .jobs] | @tsv' >groups
		[ -s groups ]
		while IFS=$'\t' read -r value jobs; do
			found=$("$STINT" summary --site "$site" --where "$key=$value" --by job-name --json | jq .total.jobs)
			[ "$found" = "$jobs" ] || { echo "--where $key=$value: $found jobs, but --by $key has $jobs"; return 1; }
		done < <(head -n 12 groups)
	done
}

@test "a condition on any key finds the jobs that the key's group has, in both engines" {
	finds_its_groups "$WORK/all/site.conf" user account partition qos tool rule node verdict finding job-name state size gpu-model day week month cluster
	[ "$("$STINT" summary --site "$WORK/all/site.conf" --where tool=no-such-tool --by job-name --json | jq .total.jobs)" = 0 ]
	[ "$("$STINT" summary --site "$WORK/all/site.conf" --where job-name=no-such-name --by job-name --json | jq .total.jobs)" = 0 ]
	if [ -d "$WORK/postgres/data" ]; then
		site "$PWD" many "$(new_postgres conditions)"
		run_ingest "$PWD"
		finds_its_groups site.conf user tool rule node finding job-name size gpu-model week month
	fi
}

@test "a summary reads the jobs' rows where nothing else has what it asks for, and nowhere else" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	for by in user qos,month week verdict finding state size rule node tool tool,day; do
		run ! reads 'job_2%' --by "$by"
	done
	run ! reads 'job_2%' --where account=lab2 --by user
	for by in job-name verdict,state user,tool; do
		reads 'job_2%' --by "$by"
	done
	reads 'job_2%' --where state=FAILED
	reads 'node_month' --by node
	run ! reads 'node_month' --by tool
	# the page for browsers has many tables
	cp "$WORK/all/db.sqlite" without.sqlite
	sqlite3 without.sqlite "$(for each in $(sqlite3 without.sqlite "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'job%2%'"); do
		echo "DELETE FROM $each;"
	done)"
	sed "s:^database = .*:database = $PWD/without.sqlite:" "$WORK/all/site.conf" >without.conf
	"$STINT" summary --site without.conf --html=without.html
	"$STINT" summary --site "$WORK/all/site.conf" --html=all.html
	diff without.html all.html
	grep -q bwa all.html
}

@test "the jobs of one user or account are those that are found among all" {
	for key in user=ada "user='; DROP TABLE job; --" account=lab2; do
		run -0 --separate-stderr "$STINT" summary --site "$WORK/all/site.conf" --where "$key" --by "${key%%=*}" --json
		[ "$(jq '.groups | length' <<<"$output")" -eq 1 ]
		diff <(jq -S '.groups[0] | del(.tool_runs, .tool_failures, .tool_cpu_ms, .tool_wall_ms, .figures)' <<<"$output") \
			<("$STINT" summary --site "$WORK/all/site.conf" --by "${key%%=*}" --json |
				jq -S --arg name "${key#*=}" '.groups[] | select(.keys[] == $name) |
					del(.tool_runs, .tool_failures, .tool_cpu_ms, .tool_wall_ms, .figures)')
	done
	run -0 --separate-stderr "$STINT" summary --site "$WORK/all/site.conf" --where user=nobody-of-this-name --json
	[ "$(jq .total.jobs <<<"$output")" -eq 0 ]
}

@test "the database's rows are those that the jobs' whole reports make" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	mkdir reports
	# an id that was reused is asked for once, and gives the latest of its jobs
	for id in $(job_ids "$WORK/one/db.sqlite"); do
		"$STINT" report --site "$WORK/one/site.conf" --config /dev/null --json "$id" 2>/dev/null >"reports/stint-$id.json"
	done
	[ "$(find reports -type f | wc -l)" -eq 40 ]
	for by in user,day node,verdict finding state,size tool tool,node node,tool,user; do
		diff <(TZ=Europe/Berlin "$STINT" summary --config /dev/null --by "$by" --csv reports) \
			<("$STINT" summary --site "$WORK/one/site.conf" --by "$by" --csv)
	done
}

@test "stint report of a job whose report is gone shows what the store has, and names what is missing" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	id=$(job_ids "$WORK/one/db.sqlite" | tail -n 1)
	run -0 --separate-stderr "$STINT" report --site "$WORK/one/site.conf" --config /dev/null --json "$id"
	[ "$(jq .job.id <<<"$output")" = "$id" ]
	[ "$(jq '.tools | length' <<<"$output")" -gt 3 ]
	[ "$(jq -r '.gaps[] | select(.name == "timeline").reason' <<<"$output")" = "the store, from which stint made this report, does not keep it" ]
	run -0 --separate-stderr "$STINT" report --site "$WORK/one/site.conf" --config /dev/null --all "$id"
	[[ $output == *"from which stint made"* ]]
	# of several nodes
	id=$(job_ids "$WORK/one/db.sqlite" | head -n 1)
	run -0 --separate-stderr "$STINT" report --site "$WORK/one/site.conf" --config /dev/null --json "$id"
	[ "$(jq '.nodes | length' <<<"$output")" = 2 ]
	run -1 "$STINT" report --site "$WORK/one/site.conf" --config /dev/null 987654321
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == *987654321* ]]
}

# Of the generator's jobs: the second is an array's other task, the third a component of a heterogeneous job, the fourth ran twice.
relate_jobs() {
	local file

	find store/new -name '*.ndjson' -exec sed -i \
		-e '/"job_id":100004,/ s/"array_job_id":100004,"array_task_id":0/"array_job_id":100003,"array_task_id":3/g' \
		-e '/"job_id":100007,/ { s/"array_job_id":100007,"array_task_id":0,"user_id"/"het_job_id":100003,"het_job_offset":1,"user_id"/
			s/"array_job_id":100007,"array_task_id":0,// }' {} +
	file=$(grep -rl '"job_id":100000,' store/new)
	sed 's/"attempt":1,/"attempt":2,/; s/"restarts":0/"restarts":1/' "$file" >"${file%.ndjson}9.ndjson"
}

# Which job it is: its number, the array's and the task, the heterogeneous job's and the component, and the attempt.
stored_job() { # ARGUMENT...
	"$STINT" report --site "$PWD/site.conf" --config /dev/null --json "$@" |
		jq -c '.job | [.id, .array_job_id, .array_task_id, .het_job_id, .het_job_offset, .attempt]'
}

@test "a task, a component and an attempt are found in the store too, and what is not there is told of" {
	for engine in sqlite postgres; do
		[ $engine = sqlite ] || need_postgres
		rm -rf store archive
		site "$PWD" tiny "$([ $engine = sqlite ] || new_postgres related)"
		relate_jobs
		run -0 run_ingest "$PWD"
		[ "$(stored_job 100003_3)" = '[100004,100003,3,null,null,1]' ]
		[ "$(stored_job 100003_0)" = '[100003,100003,0,null,null,1]' ]
		[ "$(stored_job 100003+1)" = '[100007,null,null,100003,1,1]' ]
		[ "$(stored_job 100000)" = '[100000,100000,0,null,null,2]' ]
		[ "$(stored_job 100000 --attempt 1)" = '[100000,100000,0,null,null,1]' ]
		[ "$(stored_job 100000_0 --attempt 2)" = '[100000,100000,0,null,null,2]' ]
		for job in 100003_4 100003+2 "100000 --attempt 3" 100005_3 777; do
			# shellcheck disable=SC2086
			run -1 "$STINT" report --site site.conf --config /dev/null $job
			[ "${#lines[@]}" -eq 1 ]
			[[ $output == "stint report: job ${job%% *}: no report of it in this directory"*"; the store has no "*"job ${job%% *} that you may see" ]]
		done
		[[ $output != *attempt* ]]
	done
	run -1 "$STINT" report --site site.conf --config /dev/null --cluster foocluster 100003_4
	[ "$output" = "stint report: the store has no job 100003_4 that you may see" ]
}

@test "a table and a page for browsers show a task that only the store has" {
	site "$PWD" tiny
	relate_jobs
	run -0 run_ingest "$PWD"
	run -0 "$STINT" report --site site.conf --config /dev/null --table --csv 100003_3 100003+1
	[ "$(cut -d, -f1 <<<"${lines[1]}")" = 100003_3 ] && [ "$(cut -d, -f1 <<<"${lines[2]}")" = 100003+1 ]
	run -0 "$STINT" report --site site.conf --config /dev/null --html 100003_3
	[ "$output" = "Wrote stint-100003_3.html, the page of job 100003_3" ]
	run -0 "$STINT" report --site site.conf --config /dev/null --html --attempt 1 100000
	[ "$output" = "Wrote stint-100000_0.attempt-1.html, the page of job 100000_0" ]
}

@test "where the store cannot be asked for a job, the message says why" {
	run -1 "$STINT" report --site none.conf --config /dev/null 23_3
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == "stint report: job 23_3: no report of it in this directory"*"; the store could not be asked: none.conf: No such file or directory" ]]
}

@test "a summary of the store says of which time and which jobs it is, and no day that it does not know" {
	for options in "--where account=lab2" "--until 2025-12-01" "--since 2025-11-12 --until 2025-12-01 --where user=ada"; do
		# shellcheck disable=SC2086
		"$STINT" summary --site "$WORK/all/site.conf" $options --by user
	done >text
	[ "$(grep -x 'Jobs.*' text)" = "Jobs with account lab2.
Jobs that ended before 2025-12-01 00:00.
Jobs that ended from 2025-11-12 to 2025-11-30 with user ada." ]
	"$STINT" summary --site "$WORK/all/site.conf" --where account=lab2 --html=page.html
	last=$("$STINT" summary --site "$WORK/all/site.conf" --where account=lab2 --by day --json | jq -r '.groups[-1].keys.day')
	grep -q "that ended from 2025-[0-9-]* to $last with account lab2<" page.html
}

set_moment() { # NAME TIME : in the database of this directory
	sqlite3 db.sqlite "REPLACE INTO setting VALUES ('$1', '$(date -d "$2" --iso-8601=seconds)')"
}

age() { # prints the page's sentence about the age of its data, in one line
	"$STINT" summary --site site.conf --width 1000 | grep "^The store's last batch"
}

@test "a summary of the store says how old its data are, and what waits, in each of its forms" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	site "$PWD" tiny
	mv store/new waiting
	run -0 run_ingest "$PWD"
	run -0 --separate-stderr "$STINT" summary --site site.conf
	[[ $output != *"last batch"* ]]
	run -0 --separate-stderr "$STINT" summary --site site.conf --json
	jq --exit-status '.store | .ingested == null and .newest_end == null and .looked != null and .waiting == null' <<<"$output"
	cp -r waiting store/new
	run -0 run_ingest "$PWD"
	[[ $(age) == "The store's last batch was ingested 20"*" s ago. The newest job ended on 2025-11-"* ]]
	newest=$("$STINT" summary --site site.conf --by day --json | jq -r '.groups[-1].keys.day')
	run -0 --separate-stderr "$STINT" summary --site site.conf --json
	jq --exit-status --arg newest "$newest" '.store | (.ingested | startswith("20")) and .newest_end == $newest' <<<"$output"
	# one line on standard error in place of CSV, and one on the page
	run -0 --separate-stderr "$STINT" summary --site site.conf --csv
	[[ $output != *"last batch"* ]]
	[[ $stderr == "stint summary: The store's last batch was ingested 20"*" s ago."* ]]
	"$STINT" summary --site site.conf --html=- | grep -q ">The store&#39;s last batch was ingested \|>The store's last batch was ingested "
	# an ingest that found nothing changes nothing of it
	set_moment ingested_at "9 hours ago"
	run -0 run_ingest "$PWD"
	[[ $(age) == *", 9 h ago. None has come since (looked "*" s ago)."* ]]
	# one that does not run, while batches come
	set_moment looked_at "8 hours ago"
	cp -r waiting/. store/new
	count=$(find waiting -type f | wc -l)
	[[ $(age) == *", 9 h ago. stint ingest last looked for more 8 h ago. $count batches wait for it."* ]]
	run -0 --separate-stderr "$STINT" summary --site site.conf --json
	[ "$(jq .store.waiting <<<"$output")" -eq "$count" ]
	# reports in a directory are no store
	run "$STINT" summary --json .
	[[ $output != *'"store"'* ]]
}

@test "a rebuild does not make old data new: without a moment of its own, it takes the last batch's" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	cp -r "$WORK/one/." .
	sed -i "s#$WORK/one#$PWD#" site.conf
	had=$("$STINT" summary --site site.conf --json | jq -c .store.ingested)
	run -0 run_ingest "$PWD" --rebuild
	[ "$("$STINT" summary --site site.conf --json | jq -c .store.ingested)" = "$had" ]
	rm db.sqlite*
	run -0 run_ingest "$PWD" --rebuild
	sealed=$(zstd -dcq archive/*.zst | jq -rs 'map(select(.store_batch).sealed) | max')
	[ "$(date -d "$("$STINT" summary --site site.conf --json | jq -r .store.ingested)" +%s)" = "$(date -d "$sealed" +%s)" ]
}

@test "a store that dropped nothing does not say so, however early the period begins" {
	for options in "--by job-name --since 2025-01-01" "--by job-name"; do
		# shellcheck disable=SC2086
		run -0 --separate-stderr "$STINT" summary --site "$WORK/all/site.conf" $options --json
		[ -z "$stderr" ]
		[ "$(jq .total.jobs <<<"$output")" -eq 700 ]
	done
}

@test "a page for browsers is made of what the store has of a job whose report is gone" {
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	mapfile -t ids < <(job_ids "$WORK/one/db.sqlite")
	run -0 "$STINT" report --html --site "$WORK/one/site.conf" --config /dev/null "${ids[0]}" "${ids[1]}"
	[ "$output" = "$(printf 'Wrote stint-%s.html, the page of job %s\n' "${ids[0]}" "${ids[0]}" "${ids[1]}" "${ids[1]}")" ]
	grep -q "from which stint made this report" "stint-${ids[0]}.html"
	run -0 "$STINT" report --html=page.html --site "$WORK/one/site.conf" --config /dev/null "${ids[1]}"
	diff page.html "stint-${ids[1]}.html"
	run -1 "$STINT" report --html --site "$WORK/one/site.conf" --config /dev/null 987654321
	[ "${#lines[@]}" -eq 1 ]
	[ ! -e stint-987654321.html ]
}

@test "a database that is not there yet, or is another user's, is named with the reason" {
	site "$PWD" few
	run -1 "$STINT" summary --site site.conf
	[ "$output" = "stint summary: $PWD/db.sqlite: there is no such database yet: 'stint ingest' makes it" ]
	run -0 run_ingest "$PWD"
	sed "s:^database = .*:database = $PWD/none/db.sqlite:" site.conf >none.conf
	run -1 "$STINT" ingest --config /dev/null --site none.conf
	[ "$output" = "stint ingest: $PWD/none/db.sqlite: No such file or directory" ]
	[ "$(id -u)" -eq 0 ] || skip "not root"
	chmod 711 "$BATS_RUN_TMPDIR" "$WORK" "${PWD%/*}" "$PWD"
	chmod 644 site.conf
	run -1 setpriv --reuid=nobody --regid=nogroup --clear-groups "$STINT" ingest --config /dev/null --site "$PWD/site.conf"
	[ "$output" = "stint ingest: $PWD/db.sqlite: Permission denied: the file belongs to user 0, but user $(id -u nobody) runs stint" ]
}

@test "where the archive cannot be written, the batches stay, and the next run goes on" {
	command -v zstd >/dev/null || skip "no zstd"
	site "$PWD" few
	mv archive away
	ln -s /dev/full archive
	run -1 run_ingest "$PWD"
	[ "${#lines[@]}" -eq 1 ]
	[ "$(left "$PWD")" -gt 0 ]
	rm archive
	mv away archive
	run -0 run_ingest "$PWD"
	[ "$(left "$PWD")" -eq 0 ]
	same_as few "$PWD"
	[ "$(archived "$PWD")" -eq "$(find "$WORK/few/new" -type f | wc -l)" ]
}

@test "a disk that is full at any write says so in one line, and nothing is lost" {
	command -v strace >/dev/null || skip "no strace"
	for n in 2 5 9 14 30 60; do
		rm -rf archive store db.sqlite* site.conf
		site "$PWD" tiny
		! traced_ingest /dev/null pwrite64 --seccomp-bpf -e inject="pwrite64:error=ENOSPC:when=$n+" >out 2>err
		[ "$(wc -l <err)" -eq 1 ] || { cat err; false; }
		run -0 run_ingest "$PWD"
		[ "$(left "$PWD")" -eq 0 ]
		same_as tiny "$PWD"
	done
}

@test "a mistake in site.conf is named by file and line" {
	printf 'database = /tmp/x\narchiv = y\n' >site.conf
	run -1 run_ingest "$PWD"
	[ "$output" = "stint ingest: $PWD/site.conf:2: unknown key 'archiv'" ]
	echo 'database = here' >site.conf
	run -1 run_ingest "$PWD"
	[[ $output == *"neither an absolute path nor postgresql://"* ]]
	run -2 run_ingest "$PWD" --rebuild --watch
	[ "${#lines[@]}" -eq 1 ]
	run -1 bash -c '"$STINT" ingest --config /dev/null --site "$WORK/one/site.conf" --checksum >/dev/full'
	[ "$output" = "stint ingest: standard output: No space left on device" ]
}

@test "without stint-site, stint ingest says in one line what is missing, and has its help" {
	mkdir empty
	STINT_LIBEXEC=$PWD/empty run -1 "$STINT" ingest
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == *"stint-site is not installed here"* ]]
	# its options are known all the same
	"$STINT" ingest --help >help
	STINT_LIBEXEC=$PWD/empty run -0 "$STINT" ingest --help
	[ "$output" = "$(<help)" ]
	grep -e --rebuild help
	STINT_LIBEXEC=$PWD/empty run -0 "$STINT" help ingest
	[ "$output" = "$(<help)" ]
	STINT_LIBEXEC=$PWD/empty run -2 "$STINT" ingest --no-such-option
	run ldd "$STINT_LIBEXEC/stint"
	[[ $output != *sqlite* && $output != *libpq* ]]
}
