#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# stint doctor on the host of the store: each line says what is so, and what to do if it is bad. Without systemd and Slurm: a program of the
# test answers in place of systemctl.

load postgres

setup_file() {
	export SOURCE STINT BATCHES WORK STINT_LIBEXEC ME
	SOURCE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	STINT=${STINT:-$PWD/reports/stint}
	BATCHES=${BATCHES:-${STINT%/reports/stint}/tests/site/batches}
	WORK=$BATS_FILE_TMPDIR
	ME=$(id -un)
	export LC_ALL=C.UTF-8 TZ=UTC SLURM_CONF=$WORK/slurm.conf
	echo "ClusterName=foocluster" >"$SLURM_CONF"
	STINT_LIBEXEC=$WORK/libexec
	mkdir "$STINT_LIBEXEC" "$WORK/bin"
	ln -s "${STINT%/*}/stint-site" "${STINT%/*}/stint-epilog" "$STINT_LIBEXEC"
	helper slurm-job
	local data=$SOURCE/tests/data
	"$BATCHES" "$WORK/few" 8 4 "$data/record-one.json" "$data/slurm-one.json" "$data/record-two-n1.json" "$data/record-two-n2.json" \
		"$data/slurm-two.json"
	printf '#!/bin/sh\nexec cat "$SYSTEMD/$(echo "$*" | sed "s/.* //")"\n' >"$WORK/bin/systemctl"
	chmod +x "$WORK/bin/systemctl"
	export PATH=$WORK/bin:$PATH
	start_postgres
}

teardown_file() {
	stop_postgres
}

setup() {
	bats_require_minimum_version 1.5.0
	command -v sqlite3 >/dev/null || skip "no sqlite3"
	cd "$BATS_TEST_TMPDIR" || return 1
	export SYSTEMD=$PWD/systemd
	mkdir systemd archive
	for unit in ingest reconcile; do
		printf '%s\n' LoadState=loaded ActiveState=active UnitFileState=enabled \
			"TimersMonotonic={ OnUnitInactiveUSec=2min ; next_elapse=1h 4min 1.6s }" >"systemd/stint-$unit.timer"
		printf '%s\n' ActiveState=inactive Result=success >"systemd/stint-$unit.service"
	done
	cp -r "$WORK/few" store
	printf '%s\n' "database = ${DATABASE:-$PWD/db.sqlite}" "store_dir = $PWD/store" "archive_dir = $PWD/archive" "time_zone = UTC" \
		"store_user = $ME" >site.conf
	chmod 640 site.conf
	: >stint.conf
}

helper() { # NAME : one that says the version of this stint
	printf '#!/bin/sh\necho "stint-%s %s"\n' "$1" "$("$STINT" --version | sed 's/.* //')" >"$STINT_LIBEXEC/stint-$1"
	chmod 755 "$STINT_LIBEXEC/stint-$1"
}

ingest() {
	"$STINT" ingest --config stint.conf --site site.conf "$@"
}

doctor() { # [OPTION...]
	run "$STINT" doctor --config stint.conf --site site.conf --role=store "$@"
	echo "$output"
}

set_moment() { # NAME TIME
	sqlite3 db.sqlite "REPLACE INTO setting VALUES ('$1', '$(date -d "$2" --iso-8601=seconds)')"
}

healthy() {
	ingest >/dev/null
	set_moment reconciled_at "9 hours ago"
}

says() { # LINE's PATTERN
	grep "$1" <<<"$output" || { echo "no line: $1"; false; }
}

fails_with() { # LINE's PATTERN : the check is the only one that fails
	doctor
	[ "$status" -eq 1 ]
	says "$1"
	says ' 1 failure$'
}

# ---- a store that is well ----

@test "a store that is well has no warning, and each check a line" {
	healthy
	doctor
	[ "$status" -eq 0 ]
	says "^ok    role: store: given by --role$"
	says "^ok    site.conf: site.conf, owner $(id -u), mode 0640; stint ingest runs as $ME$"
	says "^ok    stint-ingest.timer: enabled and active$"
	says "^ok    stint-reconcile.timer: enabled and active$"
	says "^ok    database: $PWD/db.sqlite: sqlite, tables of version [0-9]*$"
	says "^ok    ingest: stint ingest ran .* ago; the last batch was ingested .* ago$"
	says "^ok    reconcile: compared with Slurm's accounting 9 h ago$"
	says "^ok    archive_dir: $PWD/archive, of $ME$"
	says "^ok    store_dir: $PWD/store, of $ME$"
	says "^ok    batches: none waits in $PWD/store/new$"
	says "^\(ok\|warn\)  *space: .* of .* are free"
	run ! grep "^warn\|^FAIL" <(grep -v "space:\|stint.conf:" <<<"$output")
	doctor --json
	jq --exit-status '.roles == ["store"] and .failures == 0 and ([.checks[].subject] | contains(["site.conf", "database", "batches"]))' <<<"$output"
}

# ---- site.conf ----

@test "a site.conf that cannot be used is named by its line, and nothing else of the store is said" {
	echo "archiv = /x" >>site.conf
	fails_with "^FAIL  site.conf: it cannot be used: site.conf:6: unknown key 'archiv' -> fix site.conf: stint ingest does not start with it$"
	run ! grep "database:" <<<"$output"
	sed -i 's/^archiv .*/nonsense/' site.conf
	fails_with "^FAIL  site.conf: it cannot be used: site.conf:6: not of the form 'key = value' -> "
	rm site.conf
	fails_with "^FAIL  site.conf: it cannot be used: site.conf: No such file or directory -> name the file that there is: stint doctor --site=FILE$"
}

@test "the rights of site.conf: a password, other users who can write it, an ingest that cannot read it" {
	healthy
	echo "database = postgresql://me:secret@localhost/stint" >pass.conf
	chmod 644 pass.conf
	run "$STINT" doctor --config stint.conf --site pass.conf --role=store
	says "^FAIL  site.conf: it cannot be used: pass.conf: every user can read the password in it -> chmod o-r pass.conf$"
	[[ $output != *secret* ]]
	chmod 660 site.conf
	doctor
	[ "$status" -eq 0 ]
	says "^warn  site.conf: site.conf: owner .*, mode 0660: others than root can change where the store's data go -> chmod go-w site.conf$"
	[ "$(id -u)" -eq 0 ] || skip "not root"
	sed -i 's/^store_user.*/store_user = nobody/' site.conf
	chmod 600 site.conf
	doctor
	[ "$status" -eq 1 ]
	says "^FAIL  site.conf: site.conf: owner 0, mode 0600: nobody, who runs stint ingest, cannot read it -> chgrp $(id -g nobody) site.conf; chmod g+r site.conf$"
	sh -c "$(sed -n 's/^FAIL  site.conf.* -> //p' <<<"$output")"
	doctor
	says "^ok    site.conf: site.conf, owner 0, mode 0640; stint ingest runs as nobody$"
	# root has made the database and the directories
	says "^FAIL  database: $PWD/db.sqlite: it belongs to user 0, so nobody cannot write it -> chown nobody $PWD/db.sqlite\*$"
	says "^warn  store_dir: $PWD/store: it belongs to user 0, and not to nobody, who runs stint ingest -> chown nobody $PWD/store$"
	sed -i 's/^store_user.*/store_user = no-such-user/' site.conf
	doctor
	says "^warn  store_user: there is no user 'no-such-user' .* -> set store_user in site.conf to the user who runs stint ingest$"
}

# ---- the database ----

@test "a database that is not there yet, is of another version, is none, or lacks a rebuild's end" {
	doctor
	[ "$status" -eq 0 ]
	says "^warn  database: $PWD/db.sqlite: there is none yet: the first stint ingest makes it -> stint ingest$"
	says "^ok    batches: [0-9]* (.*) wait for the next stint ingest$"
	healthy
	sqlite3 db.sqlite "REPLACE INTO setting VALUES ('rebuilding', '1')"
	fails_with "^FAIL  database: it lacks jobs: a rebuild of it is running, or was killed -> stint ingest --rebuild$"
	sqlite3 db.sqlite "UPDATE setting SET value = '' WHERE name = 'rebuilding'; UPDATE setting SET value = '99' WHERE name = 'schema'"
	fails_with "^FAIL  database: it cannot be used: .*version 99, .* -> install the newer package stint-site$"
	sqlite3 db.sqlite "UPDATE setting SET value = '1' WHERE name = 'schema'"
	fails_with "^FAIL  database: it cannot be used: .*version 1, .* -> stint ingest --rebuild$"
	head -c 20000 /dev/zero >db.sqlite
	rm -f db.sqlite-*
	fails_with "^FAIL  database: it cannot be used: .* -> stint ingest --rebuild$"
	rm db.sqlite
	sqlite3 db.sqlite "CREATE TABLE other (x)"
	fails_with "^FAIL  database: it cannot be used: .* tables that do not belong to the store -> name another database in site.conf$"
}

@test "lines that were set aside are counted, and shown by the command that the line gives" {
	healthy
	sqlite3 db.sqlite "INSERT INTO damaged VALUES (1, 'n1.b.1.ndjson', 2, 'not JSON', x'00')"
	doctor
	[ "$status" -eq 0 ]
	says '^warn  damaged lines: 1 line was set aside, and is in no job -> look at them, and then delete these rows: sqlite3 '
	run sh -c "$(sed -n 's/^warn  damaged.* rows: //p' <<<"$output")"
	[ "$output" = "n1.b.1.ndjson|2|not JSON" ]
}

# ---- what is done again and again ----

@test "an ingest and a comparison that are late are told of, by the interval of the timer" {
	healthy
	set_moment looked_at "14 minutes ago"
	doctor
	[ "$status" -eq 0 ]
	set_moment looked_at "3 hours ago"
	set_moment reconciled_at "49 hours ago"
	fails_with "^FAIL  ingest: stint ingest last ran to its end 3 h ago, and should every 2 min -> systemctl start stint-ingest.service; if that fails: journalctl -u stint-ingest.service -n 50$"
	says "^ok    reconcile: compared with Slurm's accounting 2 d 1 h ago$"
	sed -i 's/OnUnitInactiveUSec=2min/OnUnitInactiveUSec=1h/' systemd/stint-ingest.timer
	set_moment reconciled_at "4 days ago"
	doctor
	[ "$status" -eq 0 ]
	says "^warn  reconcile: the store was last compared with Slurm's accounting, without a failure, 4 d ago -> systemctl start stint-reconcile.service; "
	sqlite3 db.sqlite "DELETE FROM setting WHERE name IN ('looked_at', 'reconciled_at')"
	doctor
	[ "$status" -eq 0 ]
	says "^warn  ingest: it is not known when stint ingest last ran to its end -> systemctl start stint-ingest.service"
	says "^warn  reconcile: the store was never compared with Slurm's accounting: .* -> systemctl start stint-reconcile.service"
}

@test "timers that are off, not installed or only started, services that failed, and a host without systemd" {
	healthy
	set_moment looked_at "3 hours ago"
	sed -i 's/ActiveState=.*/ActiveState=inactive/; s/UnitFileState=.*/UnitFileState=disabled/' systemd/stint-ingest.timer
	sed -i 's/UnitFileState=.*/UnitFileState=disabled/' systemd/stint-reconcile.timer
	sed -i 's/ActiveState=.*/ActiveState=failed/' systemd/stint-reconcile.service
	doctor
	says "^warn  stint-ingest.timer: it is not active -> systemctl enable --now stint-ingest.timer$"
	says "^warn  stint-reconcile.timer: it is active, but not enabled: it does not start after a reboot -> systemctl enable --now stint-reconcile.timer$"
	says "^warn  stint-reconcile.service: its last run has failed -> read why: journalctl -u stint-reconcile.service -n 50$"
	# with --watch the timer is not needed
	set_moment looked_at "10 seconds ago"
	doctor
	[ "$status" -eq 0 ]
	says "^info  stint-ingest.timer: it is not active, but something else does its work -> "
	set_moment looked_at "3 hours ago"
	sed -i 's/LoadState=.*/LoadState=not-found/' systemd/stint-ingest.timer
	doctor
	says "^warn  stint-ingest.timer: systemd does not know it -> install the package stint-site, which has it$"
	rm systemd/*
	doctor
	says "^info  timers: systemd does not run here (.*): something else must start 'stint ingest' every few minutes, and "
	says "^FAIL  ingest: stint ingest last ran to its end 3 h ago, and should every 2 min -> stint ingest$"
}

# ---- what waits ----

@test "batches that pile up, and those that were refused, each with its reason and what to do" {
	healthy
	local directory=$PWD/store/new/00 file

	mkdir -p "$directory"
	file=$(find "$WORK/few" -type f | head -n 1)
	cp "$file" "$directory/n7.b.0000000001.ndjson"
	doctor
	[ "$status" -eq 0 ]
	says "^ok    batches: 1 (.*) waits for the next stint ingest$"
	run ! grep "refused" <<<"$output"
	touch -d "2 hours ago" "$directory/n7.b.0000000001.ndjson"
	set_moment looked_at "3 hours ago"
	doctor
	says "^warn  batches: 1 (.*) waits in $PWD/store/new, the oldest for 2 h -> systemctl start stint-ingest.service"
	run ! grep "refused" <<<"$output"
	# one that stint ingest has looked at, and left
	set_moment looked_at now
	echo "clusters = other" >>site.conf
	doctor
	[ "$status" -eq 0 ]
	says "^warn  refused batches: stint ingest has left 1 batch where it is: n7.b.0000000001.ndjson: 'clusters' in site.conf does not name its cluster, 'foocluster' -> add its cluster to clusters = in site.conf, or remove the file: rm $PWD/store/new/\*/n7.b.0000000001.ndjson$"
	sh -c "$(sed -n 's/^warn  refused.* the file: //p' <<<"$output")"
	[ -z "$(find store/new -type f)" ]
	sed -i '/^clusters/d' site.conf
	echo "not a batch" >"$directory/n7.b.0000000002.ndjson"
	touch -d "2 hours ago" "$directory/n7.b.0000000002.ndjson"
	doctor
	says "^warn  refused batches: .*n7.b.0000000002.ndjson: its first line is not the head of a batch -> see who made it, and move it away: mv $PWD/store/new/\*/n7.b.0000000002.ndjson /var/tmp$"
	[ "$(id -u)" -eq 0 ] || skip "not root"
	cp "$file" "$directory/n7.b.0000000002.ndjson"
	touch -d "2 hours ago" "$directory/n7.b.0000000002.ndjson"
	chown nobody "$directory/n7.b.0000000002.ndjson"
	doctor
	says "^warn  refused batches: .*: it belongs to user .* -> set store_user in site.conf, or chown $ME $PWD/store/new/\*/n7.b.0000000002.ndjson$"
}

@test "directories of the store that are missing, or no directories" {
	healthy
	mv store away
	fails_with "^FAIL  store_dir: $PWD/store: No such file or directory: nothing is ingested -> mount its file system, or make it: install -d -m 0750 -o $ME $PWD/store$"
	sh -c "$(sed -n 's/^FAIL.* make it: //p' <<<"$output")"
	doctor
	[ "$status" -eq 0 ]
	rm -r archive
	doctor
	[ "$status" -eq 0 ]
	says "^info  archive_dir: $PWD/archive: the first stint ingest makes it$"
	: >archive
	fails_with "^FAIL  archive_dir: $PWD/archive: Not a directory: nothing is ingested -> name another archive_dir in site.conf$"
}

# With the store's directory on a small file system of its own. Prints doctor's lines about it.
on_small() { # OPTIONS COMMAND : the command makes it what it is
	unshare --mount sh -c 'mkdir -p small && mount -t tmpfs -o "$1" tmpfs small && mkdir small/new && eval "$2" && shift 2 && exec "$@"' sh "$1" "$2" \
		"$STINT" doctor --config stint.conf --site small.conf --role=store | grep "small"
}

@test "file systems with little space, none, no more files, or mounted read-only" {
	[ "$(id -u)" -eq 0 ] || skip "not root"
	unshare --mount true || skip "no mount namespaces"
	healthy
	sed "s:^store_dir.*:store_dir = $PWD/small:" site.conf >small.conf
	run on_small size=1m true
	says "^ok    space: $PWD/small (store_dir): .* of 1.0 MiB are free$"
	run on_small size=1m "head -c 1020k /dev/zero >small/file"
	says "^warn  space: $PWD/small (store_dir): only .* KiB of 1.0 MiB are free -> see what takes it (du -x -d 2 $PWD/small), make room, or name another store_dir in site.conf$"
	run on_small size=1m "head -c 1M /dev/zero >small/file; true"
	says "^FAIL  space: $PWD/small (store_dir): its file system is full -> see what takes it"
	run on_small size=1m,nr_inodes=3 "touch small/file"
	says "^FAIL  space: $PWD/small (store_dir): its file system can take no more files -> see what takes it"
	run on_small size=1m "mount -o remount,ro small"
	says "^FAIL  space: $PWD/small (store_dir): its file system is mounted read-only -> mount it writable$"
}

# ---- programs ----

@test "a missing stint-site, one that cannot be run, and one of another version" {
	healthy
	export STINT_LIBEXEC=$PWD/libexec
	mkdir libexec
	helper slurm-job
	fails_with "^FAIL  stint-site: it cannot be run: $PWD/libexec/stint-site: No such file or directory: nothing is ingested.* -> install the package stint-site$"
	run ! grep "site.conf:\|database:" <<<"$output"
	cp "${STINT%/*}/stint-site" libexec
	chmod 644 libexec/stint-site
	fails_with "^FAIL  stint-site: it cannot be run: $PWD/libexec/stint-site: Permission denied: .* -> chmod 0755 $PWD/libexec/stint-site$"
	sh -c "$(sed -n 's/^FAIL  stint-site.* -> //p' <<<"$output")"
	rm libexec/stint-slurm-job
	doctor
	[ "$status" -eq 0 ]
	says "^warn  stint-slurm-job: $PWD/libexec/stint-slurm-job: No such file or directory: .* -> install the package stint-slurm$"
	printf '#!/bin/sh\n[ "$1" = --version ] && echo "stint-site 9.9" || { echo "it hangs" >&2; exit 1; }\n' >libexec/stint-site.new
	chmod 755 libexec/stint-site.new
	mv libexec/stint-site.new libexec/stint-site
	fails_with "^FAIL  stint-site: the store could not be checked: it hangs -> see whether its file systems and the database answer"
	says "^warn  stint-site: .*/stint-site is not of this stint, [0-9.]*, but: stint-site 9.9 -> install stint-site [0-9]"
}

# With the timer of stint ingest enabled. Prints the roles that doctor finds.
guessed() { # COMMAND : before doctor starts
	unshare --mount sh -c 'mount -t tmpfs tmpfs /etc/systemd && mkdir -p /etc/systemd/system/timers.target.wants && eval "$1" && exec "$2" doctor' sh \
		"$1" "$STINT" | grep "^ok    role: "
}

@test "the host of the store is known by its timer, besides what else it is" {
	[ "$(id -u)" -eq 0 ] && [ -d /etc/systemd ] || skip "not root, or no /etc/systemd"
	unshare --mount true || skip "no mount namespaces"
	run -0 guessed true
	[[ $output != *store* ]] || skip "this host has a store"
	run -0 guessed "ln -s /lib/systemd/system/stint-ingest.timer /etc/systemd/system/timers.target.wants/"
	[[ $output == *", store: "*"; stint-ingest.timer is enabled" ]]
}

@test "a wrong role, and a wrong option, get one line" {
	run -2 "$STINT" doctor --role=stores
	[ "$output" = "stint doctor: --role=stores: expected node, submit, controller, database or store, separated by commas (see 'stint doctor --help')" ]
	run -2 "$STINT" doctor --site
	[ "${#lines[@]}" -eq 1 ]
}

# ---- PostgreSQL ----

psql_do() { # SQL
	(cd / && "$(postgres_bin)/psql" -h "$WORK/postgres" -U tester -d "$1" -X -q -A -t -c "$2")
}

@test "PostgreSQL: the readers' role, what it may read, row-level security and policies, and a server that is away" {
	need_postgres
	DATABASE=$(new_postgres doctor)
	sed -i "s#^database.*#database = ${DATABASE//&/\\&}#" site.conf
	doctor
	says "^warn  database: it has no tables yet -> stint ingest$"
	ingest >/dev/null
	psql_do doctor "INSERT INTO setting VALUES ('reconciled_at', '$(date --iso-8601=seconds)')"
	doctor
	[ "$status" -eq 0 ]
	says "^ok    database: postgresql, tables of version [0-9]*$"
	says "^info  readers: there is no role stint_reader: only the tables' owner can read them -> CREATE ROLE stint_reader NOLOGIN;$"
	psql_do doctor "$(sed -n 's/^info  readers.* -> //p' <<<"$output")"
	doctor
	says "^warn  readers: stint_reader cannot read [0-9]* of [0-9]* tables; each stint ingest allows it -> systemctl start stint-ingest.service"
	ingest >/dev/null
	doctor
	says "^ok    readers: stint_reader can read [0-9]* tables, each with a policy$"
	psql_do doctor "ALTER TABLE job_day DISABLE ROW LEVEL SECURITY"
	fails_with "^FAIL  readers: 1 table, such as job_day, shows all rows to each reader: row-level security is off -> ALTER TABLE job_day ENABLE ROW LEVEL SECURITY;$"
	psql_do doctor "$(sed -n 's/^FAIL  readers.* -> //p' <<<"$output")"
	psql_do doctor "DROP POLICY stint_readers ON job_day"
	doctor
	[ "$status" -eq 0 ]
	says "^warn  readers: 1 table has no policy: readers see nothing there -> "
	sed -i "s#^database.*#database = postgresql:///doctor?host=$PWD\&user=tester#" site.conf
	fails_with "^FAIL  database: it cannot be used: .* -> start PostgreSQL, and let $ME connect: see 'Who sees what' in docs/store.md$"
}
