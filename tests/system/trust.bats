#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The nodes of a job leave parts for each other where its user can write. A report, and Slurm's accounting, use only what root of a node has
# left there.
# shellcheck shell=bash disable=SC2016,SC2030,SC2031,SC2086,SC2154,SC2317

load helper

EPILOG=${STINT_BUILD:+$STINT_BUILD/reports/}stint-epilog

setup_file() {
	testbed_begin_accounting --nodes 2
	[ -z "${NO_TESTBED:-}" ] || return 0
	echo "admin_comment = js1" >>"$STINT_TESTBED/etc/stint.conf"
	export MUNGE_SOCKET=$STINT_TESTBED/munge/socket OWNER
	OWNER=$(id -u "$TESTBED_USER")
}

teardown_file() {
	testbed_end
}

setup() {
	testbed_or_skip
	WORK=$(cd / && "$TESTBED" exec mktemp -d "$STINT_TESTBED/home/trust.XXXXXX")
	cd "$WORK" || return
	REPORT=$WORK/stint-77.json
	mkdir "$BATS_TEST_TMPDIR/libexec"
	cat >"$BATS_TEST_TMPDIR/libexec/stint-slurm-job" <<-'END'
		#!/bin/sh
		[ "$1" = --expand ] && exec echo '["n1", "n2"]'
		echo "no Slurm here" >&2
		exit 1
	END
	chmod -R a+rx "$BATS_TEST_TMPDIR/libexec"
	printf 'merge_wait_s = 0\nmunge_socket = %s\n' "$MUNGE_SOCKET" >"$BATS_TEST_TMPDIR/conf"
}

comment() { # JOB
	sacct --noheader --parsable2 --allocations --jobs "$1" --format AdminComment
}

as_user() { # COMMAND...
	setpriv --reuid="$OWNER" --regid="$OWNER" --clear-groups "$@"
}

# Makes the record of NODE for job 77, which was closed a moment ago, in stintd's form.
record() { # NODE [JQ]
	jq --arg dir "$WORK" --argjson user "$OWNER" '.user = {uid: $user, gid: $user} | .work_dir = $dir |
		.node_list = "n[1-2]" | del(.output)'" | ${2:-.}" "$SOURCE/tests/data/record-two-$1.json"
}

deliver() { # NODE [JQ] : delivers like stintd, until the wait for other nodes ends
	record "$@" >"$BATS_TEST_TMPDIR/record"
	STINT_LIBEXEC=$BATS_TEST_TMPDIR/libexec timeout 60 "$EPILOG" --config "$BATS_TEST_TMPDIR/conf" "$BATS_TEST_TMPDIR/record"
}

left_out() { # REASON : the report lacks n2, and says why
	soon jq --exit-status --arg why "$1" '.complete == false and
		([.nodes[] | has("used")] == [true, false]) and any(.gaps[]; .name == "nodes" and (.reason | contains($why)))' "$REPORT"
	soon test -e "$WORK/.stint-77.1.n1.part" # the leading node waits no more
	rm -f "$REPORT" "$WORK/.stint-77.1.n1.part"
}

both_told() {
	soon jq --exit-status '.complete and all(.gaps[]; .name != "nodes") and ([.nodes[] | has("used")] == [true, true])' "$REPORT"
	[ -z "$(find "$WORK" -name '.stint-*')" ]
}

@test "a part is proved by root's credential, which its user's process reads" {
	deliver n2
	grep -aq "^stint-part MUNGE:" .stint-77.1.n2.part
	deliver n1
	both_told
}

@test "forged, old and foreign parts are named and left out, and the true one is taken when it comes" {
	local part=.stint-77.1.n2.part credential

	deliver n2
	cp --preserve=all "$part" genuine
	# without a credential; with a credential of the user's own over the same text; with a genuine one over something else
	record n2 '.totals.cpu_ns *= 100' >"$part" && chown "$OWNER:$OWNER" "$part"
	deliver n1
	left_out "the part has no credential from root"
	credential=$(head -n 1 genuine | cut -d' ' -f2 | unmunge --socket "$MUNGE_SOCKET" --metadata=/dev/null |
		as_user munge --socket "$MUNGE_SOCKET")
	{ echo "stint-part $credential"; tail -n +2 genuine; } >"$part" && chown "$OWNER:$OWNER" "$part"
	deliver n1
	left_out "its credential is from user $OWNER, not from root"
	{ head -n 1 genuine; tail -n +2 genuine | sed 's/"cpu_ns": */&9/g'; } >"$part" && chown "$OWNER:$OWNER" "$part"
	deliver n1
	left_out "the part's content is not what root of its node wrote"
	# a genuine one, from the directory of another job, another attempt, another user
	rm "$part"
	(WORK=$WORK/other && mkdir "$WORK" && chown "$OWNER:$OWNER" "$WORK" && deliver n2 '.identity.job_id = 78') &&
		mv "other/.stint-78.1.n2.part" "$part"
	deliver n1
	left_out "for another job, attempt or node"
	(WORK=$WORK/other && deliver n2 '.identity.attempt = 2') && mv "other/.stint-77.2.n2.part" "$part"
	deliver n1
	left_out "for another job, attempt or node"
	(WORK=$STINT_TESTBED/victim OWNER=65534 && install -d -o 65534 -g 65534 "$WORK" && deliver n2) &&
		cat "$STINT_TESTBED/victim/.stint-77.1.n2.part" >"$part" && chown "$OWNER:$OWNER" "$part"
	deliver n1
	left_out "for a job of another user"
	# one with the same job id, from a job long before
	(WORK=$WORK/other && deliver n2 '.collector.closed_unix_ns -= 86400000000000') && mv "other/.stint-77.1.n2.part" "$part"
	deliver n1
	left_out "for an earlier job with the same number"
	deliver n1
	deliver n2
	both_told
}

has_expired() { # CREDENTIAL
	run unmunge --socket "$MUNGE_SOCKET" --output=/dev/null <<<"$1"
	[ "$status" -eq 15 ] # EMUNGE_CRED_EXPIRED
}

@test "a credential that has expired, or was seen before, proves a part that lay in the spool for long" {
	local credential

	deliver n2
	credential=$(head -n 1 .stint-77.1.n2.part | cut -d' ' -f2)
	credential=$(unmunge --socket "$MUNGE_SOCKET" --metadata=/dev/null <<<"$credential" |
		munge --socket "$MUNGE_SOCKET" --ttl=1)
	sed -i "1s|.*|stint-part $credential|" .stint-77.1.n2.part
	chown "$OWNER:$OWNER" .stint-77.1.n2.part
	soon has_expired "$credential"
	deliver n1
	both_told
}

@test "without libmunge, or with nobody who answers, parts are merged, and the report names what nothing proves" {
	local library

	library=$(readlink -f "$(ldconfig -p | awk '$1 == "libmunge.so.2" { print $NF; exit }')")
	[ -f "$library" ]
	: >"$BATS_TEST_TMPDIR/empty"
	export -f deliver record
	export WORK OWNER EPILOG SOURCE BATS_TEST_TMPDIR
	unshare --mount bash -c 'mount --bind "$1" "$2" && deliver n2 && deliver n1' - "$BATS_TEST_TMPDIR/empty" "$library"
	soon jq --exit-status '.complete and any(.gaps[]; .reason | test("^n2: nothing proves .*libmunge.so.2"))' "$REPORT"
	rm "$REPORT"
	sed -i "s|^munge_socket.*|munge_socket = $WORK/nobody|" "$BATS_TEST_TMPDIR/conf"
	deliver n2
	grep -q '^stint-part -$' .stint-77.1.n2.part
	deliver n1
	soon jq --exit-status '.complete and any(.gaps[]; .reason | test("^n2: nothing proves .*munge: .*nobody"))' "$REPORT"
}

@test "parts that a job plants change neither its report nor accounting" {
	local second

	second=$(sinfo --noheader --Node --format %N | tail -n 1)
	# until its end, the job wrote a part in place of the other node's, under a credential of the user's own
	script_job --nodes=2 --ntasks-per-node=1 <<-END
		#!/bin/bash
		srun sleep 0.3
		text='{"stint_record": 1, "identity": {"job_id": '\$SLURM_JOB_ID', "attempt": 1, "node": "$second"}, "complete": true}'
		echo "stint-part \$(munge --socket $MUNGE_SOCKET --string "\$text")" >.stint-\$SLURM_JOB_ID.1.$second.part
		echo "\$text" >>.stint-\$SLURM_JOB_ID.1.$second.part
	END
	soon holds '.complete and ([.nodes[] | has("used")] == [true, true])'
	soon eval "comment $(value .job.id) | grep -q ^JS1:H"
	python3 "$SOURCE/tests/cli/js1.py" "$(comment "$(value .job.id)")" "$REPORT"
}

@test "accounting is told nothing of a job whose parts are not proved" {
	local id

	cp "$STINT_TESTBED/etc/stint.conf" "$BATS_TEST_TMPDIR/stint.conf"
	sed -i "s|^munge_socket.*|munge_socket = $WORK/nobody|" "$STINT_TESTBED/etc/stint.conf"
	job --nodes=2 --ntasks-per-node=1 -- srun sleep 0.2
	id=$(value .job.id)
	soon holds 'any(.gaps[]; .reason | contains("nothing proves"))' || id=
	soon eval "comment $id | grep -q ^JS1:" || id=
	cat "$BATS_TEST_TMPDIR/stint.conf" >"$STINT_TESTBED/etc/stint.conf"
	[ -n "$id" ]
	[ "$(comment "$id")" = JS1:None ]
}
