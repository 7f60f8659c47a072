#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# stint-mail as slurm.conf's MailProg: the mail of a job's end has the page, and nothing else of any user.
# shellcheck shell=bash disable=SC2154,SC2317

load helper

setup_file() {
	testbed_directory
	[ -z "$NO_TESTBED" ] || return 0
	export MAILS=$STINT_TESTBED-mails
	mkdir "$MAILS"
	chmod 755 "$MAILS"
	mkdir "$MAILS/got"
	# Writes its arguments and the mail, each into a file.
	cat >"$MAILS/mailer" <<-END
		#!/bin/bash
		file=\$(mktemp $MAILS/got/.XXXXXX)
		{ printf '%q ' "\$@"; echo; cat; } >"\$file"
		mv "\$file" "$MAILS/got/\$EPOCHREALTIME.\$\$"
	END
	cp "$MAILS/mailer" "$MAILS/sendmail"
	sed -e "s#^CONF=.*#CONF=$MAILS/mail.conf#" "${STINT_BUILD:-$SOURCE}/contrib/stint-mail" >"$MAILS/stint-mail"
	chmod 755 "$MAILS"/{mailer,sendmail,stint-mail}
	STINT_TESTBED_SLURM="MailProg=$MAILS/stint-mail" testbed_begin
	export STOPPING=$MAILS/stopping
	mkdir "$STOPPING"
	begin_stopping
	settings
	job -- true
	export ENDED=$REPORT
}

settings() { # [LINE...]
	printf '%s\n' "MAILER=$MAILS/mailer" "STINT=$(command -v "$STINT")" "SLURM_CONF=$SLURM_CONF" \
		"export STINT_LIBEXEC=${STINT_LIBEXEC:-}" "WAIT_S=20" "$@" >"$MAILS/mail.conf"
}

teardown_file() {
	testbed_end
	[ -z "${MAILS:-}" ] || rm -r "$MAILS"
}

setup() {
	testbed_or_skip
	rm -f "$MAILS"/got/* "$MAILS"/{there,over}
	REPORT=$ENDED
}

mails() { # NUMBER : that many have come
	soon eval "[ \$(ls $MAILS/got | wc -l) -ge $1 ]"
	mapfile -t MAIL < <(ls -d "$MAILS"/got/*)
	[ "${#MAIL[@]}" -eq "$1" ]
}

@test "the mail of a job's end has its page, and that of its begin none" {
	job --mail-type=BEGIN,END --mail-user=me@example.org -- true
	mails 2
	# on a busy machine they may come in another order
	mapfile -t MAIL < <(grep -l '^-s Slurm.*Began' "${MAIL[@]}" && grep -L '^-s Slurm.*Began' "${MAIL[@]}")
	grep -q '^-s Slurm.*Began.* me@example.org $' "${MAIL[0]}"
	! grep -q "Job ID" "${MAIL[0]}" || false
	grep -q '^-s Slurm.*Ended.*COMPLETED.* me@example.org $' "${MAIL[1]}"
	grep -q "^Job $(value .job.id) .*: COMPLETED in .* on 1 node$" "${MAIL[1]}"
	grep -qx "Job ID: $(value .job.id)" "${MAIL[1]}"
	grep -qx "State: COMPLETED (exit code 0)" "${MAIL[1]}"
	grep -q "^Memory peak: " "${MAIL[1]}"
	! LC_ALL=C grep -q $'[^\t -~]' "${MAIL[1]}" || false
}

@test "a job that failed, a task of an array" {
	job --array=4 --mail-type=FAIL,ARRAY_TASKS --mail-user=me@example.org -- false
	mails 1
	grep -q "^-s Slurm.*Array.*Failed" "${MAIL[0]}"
	grep -qx "Array Job ID: $(value .job.array_job_id)_4" "${MAIL[0]}"
	grep -qx "State: FAILED (exit code 1)" "${MAIL[0]}"
	grep -q "^Job $(value .job.array_job_id)_4 .*: FAILED: " "${MAIL[0]}"
	sed -n 1p "${MAIL[0]}" | grep -q '^-s .*:\\ .*ended\\ with\\ exit\\ code\\ 1.* me@example.org $'
}

# Calls it in slurmctld's way for the job ID of the user USER.
called() { # USER ID SUBJECT RECIPIENT
	env -i SLURM_JOB_MAIL_TYPE=Ended SLURM_JOB_ID="$2" SLURM_JOB_USER="$1" SLURM_JOB_UID="$(id -u "$1")" \
		SLURM_JOB_GID="$(id -g "$1")" SLURM_JOB_WORK_DIR="${DIRECTORY:-/}" "${AS[@]}" \
		"$MAILS/stint-mail" -s "$3" "$4"
}

# Calls it in this way, and ends its process group as soon as it has ended, like slurmctld. A process that asks for a session gets it late.
called_by_slurmctld() { # USER ID SUBJECT RECIPIENT
	local AS=(PATH="$PATH" python3 -c '
import os, signal, subprocess, sys
slow = ["strace", "-DDD", "-f", "-qq", "-o", "/dev/null", "-e", "trace=setsid", "-e", "inject=setsid:delay_enter=500000"]
called = subprocess.Popen(slow + sys.argv[1:], preexec_fn=os.setpgrp)
called.wait()
try:
    os.killpg(called.pid, signal.SIGKILL)
except ProcessLookupError:
    pass')

	called "$@"
}

@test "the mail goes out though slurmctld ends what remains of the process group" {
	need strace
	DIRECTORY=$(dirname "$REPORT") called_by_slurmctld "$TESTBED_USER" "$(value .job.id)" \
		"Slurm Job_id=$(value .job.id) Name=true Ended, Run time 00:00:01" me@example.org
	mails 1
	grep -qx "State: COMPLETED (exit code 0)" "${MAIL[0]}"
}

# Makes a stint that notes who called it. It finds the victim's page, of job 1, once THERE exists, and all pages once OVER does.
watched_stint() {
	: >"$MAILS/looks"
	chmod 666 "$MAILS/looks"
	cat >"$MAILS/stint" <<-END
		#!/bin/bash
		echo "\${!#}" >>"$MAILS/looks"
		case \${!#} in
		1) [ -e "$MAILS/there" ] && echo "the victim's page" ;;
		*) [ -e "$MAILS/over" ] && echo "the page of \${!#}" ;;
		esac
	END
	chmod 755 "$MAILS/stint"
}

looks_of_the_victim() { # NUMBER : at least
	[ "$(grep -cx 1 "$MAILS/looks")" -ge "$1" ]
}

mails_are() { # NUMBER : at least that many have come
	[ "$(find "$MAILS/got" -name '[0-9]*' | wc -l)" -ge "$1" ]
}

@test "a user whose jobs end at once and leave no report has few mails wait, and another's mail has its page" {
	watched_stint
	# longer than this test waits for anything: OVER ends all waiting
	settings "STINT=$MAILS/stint" "WAIT_S=$((4 * SOON_S))" "WAITS=16"
	for id in {101..140}; do
		called "$TESTBED_USER" "$id" "Slurm Job_id=$id Name=x Ended, Run time 00:00:01" attacker@example.org &
	done 3>&-
	wait
	called nobody 1 "Slurm Job_id=1 Name=x Ended, Run time 00:00:01" victim@example.org
	settings
	# the victim's is looked for again and again, though so many of the attacker's came before
	soon looks_of_the_victim 3
	touch "$MAILS/there"
	soon grep -qx "the victim's page" -r "$MAILS/got"
	# a quarter of the 16 may be the attacker's
	soon mails_are 37
	touch "$MAILS/over"
	soon mails_are 41
	# of those that come at the same moment, one more may look twice
	[ "$(grep -vx 1 "$MAILS/looks" | sort | uniq -c | awk '$1 > 2' | wc -l)" -le 4 ]
	[ "$(grep -vx 1 "$MAILS/looks" | sort -u | wc -l)" -eq 40 ]
}

# stint-mail gives up on such a page after 15 seconds: this waits in the background of the other tests.
begin_stopping() {
	cat >"$STOPPING/stint" <<-END
		#!/bin/bash
		setsid sleep 600 &
		echo \$! >>"$STINT_TESTBED/home/held"
		kill -s STOP \$PPID \$\$
	END
	sed "s#$MAILS/got#$STOPPING/got#g" "$MAILS/mailer" >"$STOPPING/mailer"
	mkdir "$STOPPING/got"
	chmod 755 "$STOPPING"/{stint,mailer}
	settings "STINT=$STOPPING/stint" "MAILER=$STOPPING/mailer" "WAIT_S=1"
	called "$TESTBED_USER" 4711 "Slurm Job_id=4711 Name=x Ended, Run time 00:00:01" attacker@example.org 3>&-
}

@test "a page of a MiB is cut behind a line, and the mail says so" {
	watched_stint
	echo 'seq -f "line %.0f of a long table" 40000' >>"$MAILS/stint"
	settings "STINT=$MAILS/stint"
	called "$TESTBED_USER" 7 "Slurm Job_id=7 Name=long Ended, Run time 00:00:01" me@example.org
	settings
	mails 1
	[ "$(wc -c <"${MAIL[0]}")" -lt 70000 ]
	[ "$(grep -cvxE 'line [0-9]+ of a long table' <(sed 1d "${MAIL[0]}"))" -eq 2 ]
	grep -qx "This page is longer .*: stint report 7" "${MAIL[0]}"
}

@test "sendmail gets headers, and a job's name makes none of them" {
	settings "MAILER=$MAILS/sendmail"
	DIRECTORY=$(dirname "$REPORT") called "$TESTBED_USER" "$(value .job.id)" \
		"Slurm Job_id=$(value .job.id) Name=x"$'\nBcc: all@example.org\r\n\r\n'"body Ended, Run time 00:00:01" me@example.org
	mails 1
	settings
	grep -q "^Subject: Slurm Job_id=.* Name=x Bcc: all@example.org    body Ended" "${MAIL[0]}"
	! sed '/^$/q' "${MAIL[0]}" | grep -q "^Bcc:" || false
	sed '/^$/q' "${MAIL[0]}" | grep -qx "Content-Type: text/plain; charset=UTF-8"
	sed '1,/^$/d' "${MAIL[0]}" | grep -qx "Job ID: $(value .job.id)"
}

@test "an address that is an option, a command or a file for a mail program gets no mail" {
	local address

	for address in -oX/tmp/x '|id' '/tmp/x' '~/x' '-f' $'a\nb' 'a b' '' '`id`'; do
		run called "$TESTBED_USER" 1 "Slurm Job_id=1 Name=x Ended, Run time 00:00:01" "$address"
		[ "$status" -eq 1 ]
		[ "$output" = "stint-mail: the address that job 1 names is not valid" ]
	done
	[ -z "$(ls "$MAILS/got")" ]
}

@test "a report that the user cannot read is in no mail, by whatever link" {
	local home=$STINT_TESTBED/home/links

	install -d -o "$TESTBED_USER" "$home"
	cp "$REPORT" "$MAILS/secret.json"
	chmod 600 "$MAILS/secret.json"
	ln -s "$MAILS/secret.json" "$home/stint-4242.json"
	settings WAIT_S=0
	DIRECTORY=$home called "$TESTBED_USER" 4242 "Slurm Job_id=4242 Name=x Ended, Run time 00:00:01" me
	mails 1
	grep -q "was not found here in time" "${MAIL[0]}"
	! grep -q "Job ID" "${MAIL[0]}" || false
	settings
}

@test "where SlurmUser is not root, another user's report is in no mail" {
	local home=$STINT_TESTBED/home/others

	install -d "$home"
	jq '.job.id = 4242' "$REPORT" >"$home/stint-4242.json"
	settings WAIT_S=0
	chmod 777 "$MAILS/got"
	AS=(setpriv --reuid=65534 --clear-groups)
	DIRECTORY=$home called daemon 4242 "Slurm Job_id=4242 Name=x Ended, Run time 00:00:01" me
	mails 1
	grep -q "was not found here in time" "${MAIL[0]}"
	rm -f "$MAILS"/got/*
	DIRECTORY=$home called "$TESTBED_USER" 4242 "Slurm Job_id=4242 Name=x Ended, Run time 00:00:01" me
	mails 1
	grep -qx "Job ID: 4242" "${MAIL[0]}"
	settings
}

@test "a user who stops what makes the page, and holds on to its end, delays the mail and keeps no process of root's" {
	local pids file

	soon compgen -G "$STOPPING/got/[0-9]*"
	file=$(compgen -G "$STOPPING/got/[0-9]*")
	pids=$(pgrep -f "$STOPPING/stint report 4711") || true
	# shellcheck disable=SC2086
	xargs kill -s KILL $pids <"$STINT_TESTBED/home/held"
	grep -q "was not found here in time" "$file"
	[ -z "$pids" ]
}
