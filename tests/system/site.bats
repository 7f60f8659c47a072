#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The statements of docs/admin.md about sites that are not plain. Each test with its own lines in slurm.conf has its own Slurm, the others
# share one.
# shellcheck shell=bash disable=SC2016,SC2030,SC2031,SC2034,SC2153,SC2154,SC2317

load helper

setup_file() {
	testbed_begin
	export PLAIN=$STINT_TESTBED
}

teardown_file() {
	testbed_end
}

setup() {
	testbed_or_skip
	SCRIPTS=$PLAIN-scripts # the guard removes it, too
	mkdir "$SCRIPTS"
	LINE=$(cat "$PLAIN/etc/plugstack.conf")
}

teardown() {
	testbed_evidence
	[ -z "${ELSEWHERE:-}" ] || rm -rf "$ELSEWHERE"
	[ "$STINT_TESTBED" = "$PLAIN" ] || testbed_end
	[ -z "${SCRIPTS:-}" ] || rm -rf "$SCRIPTS"
}

# A testbed of the test's own, with other lines in slurm.conf.
configured() { # LINE...
	local lines

	printf -v lines '%s\n' "$@"
	STINT_TESTBED_SLURM=$lines testbed_begin
	LINE=$(cat "$STINT_TESTBED/etc/plugstack.conf")
}

# A script that runs a tool of this name.
script_with() { # NAME
	install -m 755 "$PROGRAMS/worker" "$SCRIPTS/tool_$1"
	printf '#!/bin/sh\n%s/tool_%s burn 20\ntouch %s/%s.ran\nexit 0\n' "$SCRIPTS" "$1" "$SCRIPTS" "$1" >"$SCRIPTS/$1"
	chmod 755 "$SCRIPTS/$1"
}

@test "TaskProlog is a tool of the job, and TaskEpilog one of Slurm's; Prolog, Epilog and HealthCheckProgram are none" {
	local name lines=(HealthCheckInterval=1)

	chmod 1777 "$SCRIPTS"
	for name in Prolog Epilog TaskProlog TaskEpilog HealthCheckProgram; do
		script_with "$name"
		lines+=("$name=$SCRIPTS/$name")
	done
	configured "${lines[@]}"
	tool work
	job -- "$TOOLS/work" burn 50
	valid
	whole
	for name in Prolog Epilog TaskProlog TaskEpilog HealthCheckProgram; do
		soon test -e "$SCRIPTS/$name.ran"
	done
	holds '[.tools[] | select(.slurm | not) | .name | select(startswith("tool_"))] == ["tool_TaskProlog"]'
	holds '[.tools[] | select(.slurm) | .name | select(startswith("tool_"))] == ["tool_TaskEpilog"]'
	holds '.tools[] | select(.name == "work") | .runs == 1'
}

@test "stint doctor is fit for a HealthCheckProgram: it says nothing of a healthy node, and the node stays" {
	testbed_directory # the script names its files
	cat >"$SCRIPTS/health" <<-END
		#!/bin/sh
		SLURM_CONF=$STINT_TESTBED/etc/slurm.conf ${STINT_LIBEXEC:+STINT_LIBEXEC=$STINT_LIBEXEC} $STINT doctor --quiet --role=node --config $STINT_TESTBED/etc/stint.conf >$SCRIPTS/said.\$\$ 2>&1
		status=\$?
		mv $SCRIPTS/said.\$\$ $SCRIPTS/said
		echo \$status >>$SCRIPTS/status
	END
	chmod 755 "$SCRIPTS/health"
	configured HealthCheckProgram="$SCRIPTS/health" HealthCheckInterval=1
	: >"$SCRIPTS/status"
	soon grep -x 0 "$SCRIPTS/status"
	cat "$SCRIPTS/said"
	run ! grep -v "^warn  kernel feature: \|^warn  program [a-z_]*: loaded, but reports have only a part of what it counts" "$SCRIPTS/said"
	collector_kill
	soon grep -x 1 "$SCRIPTS/status"
	soon grep '^FAIL  stintd: does not answer' "$SCRIPTS/said"
	node_is_idle
	"$TESTBED" restart-collector
}

@test "with a PrologEpilogTimeout of 5 s a stintd that hangs fails no job and drains no node" {
	configured PrologEpilogTimeout=5
	kill -STOP "$(daemon_pid stintd)"
	"$TESTBED" exec sbatch --wait --chdir=/ --output=/dev/null --wrap true
	soon node_is_idle
	collector_kill
	"$TESTBED" restart-collector
}

# A plugin that takes part in everything, as a site's own plugin may.
other_plugin() { # NAME
	gcc -shared -fPIC -x c -o "$STINT_TESTBED/lib/$1.so" - <<-END
		#include <stdio.h>
		#include <slurm/spank.h>
		SPANK_PLUGIN($1, 1)
		static int note(const char *what)
		{
			FILE *file = fopen("$SCRIPTS/$1", "a");

			if (!file)
				return 0;
			fprintf(file, "%s\n", what);
			return fclose(file);
		}
		int slurm_spank_task_init_privileged(spank_t spank, int argc, char *argv[]) { return note("task"); }
		int slurm_spank_task_init(spank_t spank, int argc, char *argv[]) { return spank_setenv(spank, "OF_$1", "set", 1); }
		int slurm_spank_job_epilog(spank_t spank, int argc, char *argv[]) { return note("epilog"); }
	END
}

@test "before and behind other SPANK plugins stint counts as ever, and they do what they do" {
	need gcc
	other_plugin first
	other_plugin last
	printf 'optional %s\n' "$STINT_TESTBED/lib/first.so" >"$STINT_TESTBED/etc/plugstack.conf"
	printf '%s\nrequired %s\n' "$LINE" "$STINT_TESTBED/lib/last.so" >>"$STINT_TESTBED/etc/plugstack.conf"
	restart_slurmd
	tool work
	job -- sh -c "echo \$OF_first \$OF_last; $TOOLS/work burn 50"
	valid
	whole
	[ "$OUTPUT" = "set set" ]
	holds '.tools[] | select(.name == "work") | .runs == 1'
	for name in first last; do
		soon grep -x epilog "$SCRIPTS/$name"
		grep -x task "$SCRIPTS/$name"
	done
	echo "$LINE" >"$STINT_TESTBED/etc/plugstack.conf"
	restart_slurmd
}

@test "a plugin that cannot be loaded keeps jobs from starting where its line says required, and not where it says optional" {
	local status=0

	mv "$STINT_TESTBED/lib/stint.so" "$STINT_TESTBED/lib/kept.so"
	: >"$STINT_TESTBED/lib/stint.so"
	"$TESTBED" exec sbatch --wait --chdir=/ --output=/dev/null --wrap true
	soon node_is_idle
	echo "required ${LINE#* }" >"$STINT_TESTBED/etc/plugstack.conf"
	"$TESTBED" exec sbatch --wait --chdir=/ --output=/dev/null --wrap true || status=$?
	echo "$LINE" >"$STINT_TESTBED/etc/plugstack.conf"
	mv "$STINT_TESTBED/lib/kept.so" "$STINT_TESTBED/lib/stint.so"
	[ "$status" -ne 0 ]
}

@test "running steps keep the plugin that they have loaded, and so does slurmd for their epilog" {
	meet
	"$TESTBED" exec sbatch --chdir="$MEET" --output=/dev/null --wrap "$(tells_and_awaits began end)"
	told began
	cp "$STINT_TESTBED/lib/stint.so" "$STINT_TESTBED/lib/new.so"
	mv "$STINT_TESTBED/lib/new.so" "$STINT_TESTBED/lib/stint.so"
	tell end
	report_in "$MEET"
	valid
	whole
}

# Submits a job, and waits for its report. Sets REPORT.
contained() { # DIRECTORY OPTION...
	local directory=$1 job

	shift
	job=$("$TESTBED" exec sbatch --parsable --chdir="$directory" "$@")
	REPORT=$directory/stint-$job.json
	soon test -e "$REPORT"
}

# slurmd in a mount namespace, which makes others for its jobs. Since Linux 6.18 each processor numbers such namespaces from a stock of its
# own, and none can be bound in one with a higher number ("ns base mount failed"). So everything runs on one processor.
contained_slurmd() {
	local cpu

	cpu=$(taskset --cpu-list --pid $$ | grep -oE '[0-9]+' | sed -n 2p)
	restart_slurmd taskset --cpu-list "$cpu" unshare --mount slurmd -D -N "$NODE"
}

@test "in a job_container/tmpfs a job's own /tmp is counted, and the report of a job in /tmp lies in the node's" {
	local directory

	[ -e /usr/lib/x86_64-linux-gnu/slurm-wlm/job_container_tmpfs.so ] || skip "Slurm's job_container/tmpfs is not installed"
	configured ''
	mkdir -p "$SCRIPTS/containers"
	printf 'BasePath=%s\nAutoBasePath=true\n' "$SCRIPTS/containers" >"$STINT_TESTBED/etc/job_container.conf"
	echo JobContainerType=job_container/tmpfs >>"$STINT_TESTBED/etc/slurm.conf"
	contained_slurmd
	tool work
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/contained.XXXXXX")
	contained "$directory" --output=out --wrap "cp $TOOLS/work /tmp/inside-$$ && /tmp/inside-$$ burn 50; ls /tmp"
	valid
	whole
	[ "$(cat "$directory/out")" = "inside-$$" ]
	[ ! -e "/tmp/inside-$$" ]
	holds --arg name "inside-$$" '.tools[] | select(.name == $name) | .runs == 1'
	contained /tmp --output=/dev/null --wrap "$TOOLS/work burn 50"
	ELSEWHERE=$REPORT
	valid
	holds '.tools[] | select(.name == "work") | .runs == 1'
}

# slurmd of a node that has no configuration, and gets it from slurmctld.
configless_slurmd() {
	restart_slurmd unshare --mount env --unset=SLURM_CONF sh -c '
		mount -t tmpfs tmpfs /run && mkdir /run/munge && ln -s "$2" /run/munge/munge.socket.2 &&
			{ [ ! -d /etc/slurm ] || mount -t tmpfs tmpfs /etc/slurm; } && exec slurmd -D -N "$0" --conf-server "$1"' \
		"$NODE" "127.0.0.1:$(sed -n 's/^SlurmctldPort=//p' "$STINT_TESTBED/etc/slurm.conf")" "$STINT_TESTBED/munge/socket"
}

@test "a configless node gets stint's line from the controller's plugstack.conf, and of Slurm 22.05 from no file that this includes" {
	configured PlugStackConfig= SlurmctldParameters=enable_configless
	configless_slurmd
	tool work
	job -- "$TOOLS/work" burn 50
	valid
	whole
	[[ $(slurmd -V) == *22.05* ]] || return 0
	mkdir "$STINT_TESTBED/etc/plugstack.conf.d"
	echo "$LINE" >"$STINT_TESTBED/etc/plugstack.conf.d/stint.conf"
	echo "include $STINT_TESTBED/etc/plugstack.conf.d/*.conf" >"$STINT_TESTBED/etc/plugstack.conf"
	scontrol reconfigure
	soon grep include "$STINT_TESTBED/slurmd/$NODE/conf-cache/plugstack.conf"
	[ "$(cd "$STINT_TESTBED/slurmd/$NODE/conf-cache" && echo *)" = "cgroup.conf plugstack.conf slurm.conf" ]
}

# Becomes USER like a login whose PAM stack has pam_slurm_adopt, and runs COMMAND.
login_through_pam() { # USER COMMAND...
	python3 - "$SCRIPTS/pam.d" "$@" <<-'END'
		import ctypes, os, pwd, sys
		directory, user, *command = sys.argv[1:]
		pam = ctypes.CDLL("libpam.so.0", ctypes.RTLD_GLOBAL)
		silent = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 19) # PAM_CONV_ERR: nobody listens
		conversation = (ctypes.c_void_p * 2)(ctypes.cast(silent, ctypes.c_void_p))
		handle = ctypes.c_void_p()
		status = pam.pam_start_confdir(b"login-test", user.encode(), conversation, directory.encode(), ctypes.byref(handle))
		status = status or pam.pam_acct_mgmt(handle, 0)
		status and sys.exit(f"PAM refuses the login: {status}")
		who = pwd.getpwnam(user)
		os.initgroups(user, who.pw_gid)
		os.setgid(who.pw_gid)
		os.setuid(who.pw_uid)
		os.execv(command[0], command)
	END
}

@test "what pam_slurm_adopt brings in is counted in the job's extern step" {
	# shellcheck source=/dev/null
	(. "$SOURCE/contrib/packages.sh" && packages_unpack "$SCRIPTS/adopt" libpam-slurm-adopt) >/dev/null 2>&1 ||
		skip "libpam-slurm-adopt cannot be had here"
	mkdir "$SCRIPTS/pam.d"
	echo "account required $(find "$SCRIPTS/adopt" -name pam_slurm_adopt.so) service=login-test nodename=$NODE action_no_jobs=deny action_unknown=deny action_adopt_failure=deny" \
		>"$SCRIPTS/pam.d/login-test"
	tool adopted
	run login_through_pam "$TESTBED_USER" "$TOOLS/adopted" burn 10 # without a job on the node
	echo "$status: $output"
	[ "$status" -eq 1 ]
	[[ $output == *"PAM refuses the login: 6" ]] # PAM_PERM_DENIED
	meet
	"$TESTBED" exec sbatch --chdir="$MEET" --output=/dev/null --wrap "$(tells_and_awaits began end)"
	told began
	login_through_pam "$TESTBED_USER" "$TOOLS/adopted" burn 100
	tell end
	report_in "$MEET"
	valid
	whole
	holds '.tools[] | select(.name == "adopted") | .runs == 1 and .cpu_s >= 0.1'
	holds '.steps[] | select(.id == "extern") | .cpu_s >= 0.1'
}

@test "a spool in memory, as a diskless node has, keeps what waits over a restart of stintd" {
	local directory

	mkdir "$STINT_TESTBED/memory"
	undo_with umount "$STINT_TESTBED/memory"
	mount -t tmpfs -o mode=0700 tmpfs "$STINT_TESTBED/memory"
	collector_gets "spool_dir = $STINT_TESTBED/memory/spool" "spool_max_mb = 64"
	directory=$("$TESTBED" exec mktemp -d "$STINT_TESTBED/home/gone.XXXXXX")
	"$TESTBED" exec sbatch --wait --chdir="$directory" --output=/dev/null --wrap "rm -rf $directory; : >$STINT_TESTBED/home/file"
	soon eval '[ -n "$(find "$STINT_TESTBED/memory/spool" -name "*.record")" ]'
	"$TESTBED" exec mkdir "$directory"
	"$TESTBED" restart-collector
	report_in "$directory"
	valid
	kill -TERM "$(daemon_pid stintd)"
	soon umount "$STINT_TESTBED/memory"
}
