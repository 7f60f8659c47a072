# SPDX-License-Identifier: GPL-2.0-or-later
# testbed run, exec
# shellcheck shell=bash disable=SC2015,SC2153

REPORT_WAIT_S=30

testbed_exec() {
	[ $# -gt 0 ] || misuse "exec: which command? See testbed --help"
	need_testbed
	as_user "$@"
}

testbed_run() {
	need_testbed
	split_arguments "$@"
	enter_work_directory
	submit
	wait_for_end
	[ "$MODE" = off ] || wait_for_reports
	return "$STATUS"
}

# Sets OPTIONS (sbatch's), SCRIPT, ARGUMENTS; after "--", SCRIPT is empty and ARGUMENTS the command.
split_arguments() {
	OPTIONS=() SCRIPT='' ARGUMENTS=()
	local with_value
	with_value=$(options_with_value)
	while [ $# -gt 0 ]; do
		case $1 in
		--)
			shift
			ARGUMENTS=("$@")
			[ $# -gt 0 ] || misuse "run: no command behind '--'. See testbed --help"
			return
			;;
		-?*)
			OPTIONS+=("$1")
			if takes_next "$1" "$with_value"; then
				[ $# -gt 1 ] || misuse "run: option '$1' wants a value"
				OPTIONS+=("$2")
				shift
			fi
			;;
		*)
			SCRIPT=$1
			shift
			ARGUMENTS=("$@")
			[ -f "$SCRIPT" ] && [ -r "$SCRIPT" ] || misuse "run: there is no readable script '$SCRIPT'"
			return
			;;
		esac
		shift
	done
	misuse "run: which script? See testbed --help"
}

# sbatch itself says which of its options, the plugin's included, take a value: "-n, --ntasks=ntasks".
options_with_value() {
	local help

	help=$(as_user sbatch --help) || die "run: sbatch --help failed"
	{
		grep -oE '^ *(-[A-Za-z], )?--[a-z-]+=' <<<"$help" | grep -oE -- '--[a-z-]+'
		grep -oE '^ *-[A-Za-z], --[a-z-]+=' <<<"$help" | grep -oE -- '-[A-Za-z],' | tr -d ,
	} | tr '\n' ' '
}

takes_next() { # OPTION OPTIONS-WITH-VALUE
	local letters=${1#-}

	case $1 in
	--*=*) return 1 ;;
	--*) [[ " $2 " = *" $1 "* ]]; return ;;
	esac
	# among letters written together, the first one that takes a value gets the following letters as its value, if there are any
	while [ -n "$letters" ]; do
		if [[ " $2 " = *" -${letters:0:1} "* ]]; then
			[ "${#letters}" -eq 1 ]
			return
		fi
		letters=${letters:1}
	done
	return 1
}

# Leaves the shell in the directory from which the job is submitted.
enter_work_directory() {
	local uid=$EUID directory script=''

	[ "$EUID" -ne 0 ] || uid=$(id -u "$TESTBED_USER")
	[ -z "$SCRIPT" ] || script=$(readlink -f "$SCRIPT")
	if [ "$(stat -c %u .)" -ne "$uid" ]; then
		directory=$(as_user mktemp -d "$DIR/home/run.XXXXXX") && cd "$directory" ||
			die "run: no work directory could be made in $DIR/home"
	fi
	if [ -z "$script" ]; then
		write_script
	elif as_user test -r "$script"; then
		SCRIPT=$script
	else
		SCRIPT=$(as_user mktemp -d "$DIR/home/script.XXXXXX")/$(basename "$script")
		as_user tee "$SCRIPT" <"$script" >/dev/null || die "run: the script could not be copied to $SCRIPT"
	fi
}

write_script() {
	local name

	name=$(basename -- "${ARGUMENTS[0]}")
	SCRIPT=$(as_user mktemp ./command.XXXXXX) || die "run: $PWD cannot be written"
	{
		echo '#!/bin/bash'
		printf '%q ' "${ARGUMENTS[@]}"
		echo
	} | as_user tee "$SCRIPT" >/dev/null
	WRITTEN=$SCRIPT # and to be removed
	OPTIONS=("--job-name=${name//[^A-Za-z0-9._+-]/_}" "${OPTIONS[@]}")
	ARGUMENTS=()
}

submit() {
	local status

	JOB=$(as_user sbatch --parsable "${OPTIONS[@]}" "$SCRIPT" "${ARGUMENTS[@]}")
	status=$?
	find_pattern
	# Slurm has a copy of its own
	[ -z "${WRITTEN:-}" ] || as_user rm -f "$WRITTEN"
	[ "$status" -eq 0 ] || exit 1
	JOB=${JOB%%;*}
	[[ $JOB =~ ^[0-9]+$ ]] || exit 0 # --test-only and the like submit nothing
	say "job $JOB in $PWD"
}

# Sets MODE and PATTERN (of the report's path), from the option, otherwise the script, otherwise stint.conf.
find_pattern() {
	local i value='' script

	script=$(grep -oE '^#SBATCH .*--stint=[^[:space:]]+' "$SCRIPT" | tail -n 1)
	value=${script##*--stint=}
	for ((i = 0; i < ${#OPTIONS[@]}; i++)); do
		case ${OPTIONS[i]} in
		--stint=*) value=${OPTIONS[i]#*=} ;;
		--stint) value=${OPTIONS[i + 1]:-} ;;
		esac
	done
	MODE=${value%%,*}
	PATTERN=$(sed -n 's/^output *= *//p' "$DIR/etc/stint.conf")
	case ,$value in
	*,output=*) value=,$value PATTERN=${value#*,output=} ;;
	esac
	PATTERN=${PATTERN:-stint-%i.json}
}

job_records() { scontrol --oneliner show job "$JOB"; }

field() { # NAME RECORD : of scontrol's NAME=VALUE words
	local value=" $2"

	[[ $value == *" $1="* ]] || return 0
	value=${value#*" $1="}
	echo "${value%% [A-Z]*=*}" # a path may hold blanks
}

job_has_ended() {
	RECORDS=$(job_records) || return 1
	! grep -vqE 'JobState=(COMPLETED|FAILED|CANCELLED|TIMEOUT|NODE_FAIL|OUT_OF_MEMORY|PREEMPTED|BOOT_FAIL|DEADLINE) ' <<<"$RECORDS"
}

# Slurm could not start it, and holds it.
job_is_held() {
	grep -qE 'JobState=PENDING Reason=launch_failed_requeued_held ' <<<"$RECORDS"
}

# Sets RECORDS, a line of scontrol for each task, and STATUS.
wait_for_end() {
	local record status

	until job_has_ended; do
		daemon_pid slurmctld >/dev/null || die "run: slurmctld is gone; job $JOB cannot be followed"
		! job_is_held || die "run: Slurm could not start job $JOB, and holds it; slurmd's logs are in $DIR/log"
		sleep 0.2
	done
	STATUS=0
	while read -r record; do
		status=$(record_status "$record")
		[ "$status" -le "$STATUS" ] || STATUS=$status
	done <<<"$RECORDS"
}

record_status() { # RECORD
	local code signal

	IFS=: read -r code signal <<<"$(field ExitCode "$1")"
	if [ "$signal" -ne 0 ]; then
		echo $((128 + signal))
	elif [ "$code" -eq 0 ] && [ "$(field JobState "$1")" != COMPLETED ]; then
		echo 1
	else
		echo "$code"
	fi
}

# A report older than the job's start belongs to another job, or to a requeued attempt.
report_is_there() { # PATH START
	[ -f "$1" ] && [ "$(stat -c %Y "$1")" -ge "$2" ]
}

wait_for_reports() {
	local record path start end=$((SECONDS + REPORT_WAIT_S * PATIENCE + 1))

	while read -r record; do
		# a job that was cancelled before it ran has nothing to report
		[ "$(field NodeList "$record")" != '(null)' ] || continue
		path=$(report_path "$record")
		start=$(date -d "$(field StartTime "$record")" +%s)
		until report_is_there "$path" "$start"; do
			if [ "$SECONDS" -ge "$end" ]; then
				say "no report at $path; stintd's log: $DIR/log/stintd.out"
				STATUS=125
				return
			fi
			sleep 0.1
		done
		echo "$path"
	done <<<"$RECORDS"
}

report_path() { # RECORD
	local id array task name path='' rest=$PATTERN value

	id=$(field JobId "$1") array=$(field ArrayJobId "$1") task=$(field ArrayTaskId "$1") name=$(field JobName "$1")
	while [[ $rest =~ ^([^%]*)%(.)(.*)$ ]]; do
		rest=${BASH_REMATCH[3]}
		path+=${BASH_REMATCH[1]}
		case ${BASH_REMATCH[2]} in
		i) value=${array:+${array}_$task} value=${value:-$id} ;;
		j) value=$id ;;
		A) value=${array:-$id} ;;
		a) value=${task:-0} ;;
		x) value=$name ;;
		u) value=$(field UserId "$1") value=${value%%(*} ;;
		N) value=$(field BatchHost "$1") ;;
		*) value=${BASH_REMATCH[2]} ;;
		esac
		path+=$value
	done
	path+=$rest
	[[ $path = /* ]] || path=$(field WorkDir "$1")/$path
	echo "$path"
}
