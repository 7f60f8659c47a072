# SPDX-License-Identifier: GPL-2.0-or-later
# The check's surroundings: it uses no settings of the person who runs it, and leaves nothing behind.
# shellcheck shell=bash disable=SC2015,SC2034,SC2153

# Uses Debian's own programs and settings, whatever the user's PATH and variables are.
own_environment() {
	local name

	PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH
	umask 022
	for name in BASH_ENV CDPATH ENV LANGUAGE PYTHONHOME PYTHONPATH PYTHONSAFEPATH PERL5LIB PERL5OPT TMPDIR "${!LC_@}" "${!SLURM_@}" \
		"${!SBATCH_@}" "${!SALLOC_@}" "${!SRUN_@}" "${!BATS_@}"; do
		unset "$name"
	done
	export LANG=C.UTF-8
}

# Copies the tree, because it may be read-only, built in place, closed to other users, or below a path that make cannot take.
# From a git checkout it copies the files that git knows or would add. From a release it copies everything.
copy_tree() { # FROM TO
	mkdir -p "$2" || return 1
	if git -c safe.directory='*' -C "$1" ls-files --error-unmatch contrib/check >/dev/null 2>&1; then
		# a file that is deleted but not yet committed is also listed
		(cd "$1" && git -c safe.directory='*' ls-files -z --cached --others --exclude-standard -- . |
			while IFS= read -r -d '' file; do [ ! -e "$file" ] && [ ! -L "$file" ] || printf '%s\0' "$file"; done) |
			tar -C "$1" --null --verbatim-files-from --files-from=- --no-recursion -cf - | tar -C "$2" --no-same-owner -xf -
	else
		tar -C "$1" --exclude-vcs -cf - . | tar -C "$2" --no-same-owner -xf -
	fi
	[ -x "$2/contrib/check" ]
}

# ---- each command runs in a session of its own, so that all of it can be ended ----

# Runs COMMAND. If this check is ended, everything that COMMAND started ends too.
in_session() { # COMMAND...
	# shellcheck disable=SC2016
	setsid --wait bash -c 'echo $$ >>"$1/sessions"; shift; exec "$@"' bash "$WORK" "$@" 7<&-
}

# For commands that may wait: they get a quarter of a processor if others want it, otherwise all of it. (If the kernel groups processes by
# session, the priority must be set for the session.) Next to busy processes they would otherwise make almost no progress.
politely() { # COMMAND...
	local less=$((${#SPINNING[@]} == 0 ? 5 : 0))

	# shellcheck disable=SC2016
	in_session nice -n "$less" bash -c 'echo "$1" 2>/dev/null >/proc/self/autogroup; shift; exec "$@"' bash "$less" "$@"
}

end_sessions() {
	local session pids

	[ -e "$WORK/sessions" ] || return 0
	while read -r session; do
		# some have ended; the number may be another process by now, but not another session
		[ "$(ps -o sid= -p "$session" 2>/dev/null | tr -d ' ')" = "$session" ] || continue
		# each by itself: timeout(1) makes a process group of its own, and its parent's trap waits for it
		mapfile -t pids < <(ps -o pid= --sid "$session" | tr -d ' ')
		kill -TERM "${pids[@]}" 2>/dev/null
	done <"$WORK/sessions"
}

# Waits until the sessions that end_sessions() has ended are gone.
wait_for_sessions() { # LIMIT_S
	local end=$((SECONDS + $1))

	while [ "$SECONDS" -lt "$end" ] && ps --sid "$(paste -s -d , "$WORK/sessions" 2>/dev/null)" >/dev/null 2>&1; do
		sleep 0.2
	done
}

# Starts processes that compete for processors. They end with this check, however it ends.
spin_begin() { # NUMBER
	local i

	SPINNING=()
	for ((i = 0; i < $1; i++)); do
		setsid setpriv --pdeathsig KILL sh -c 'while :; do :; done' &
		SPINNING+=($!)
	done
}

spin_end() {
	[ ${#SPINNING[@]} -eq 0 ] || { kill -KILL "${SPINNING[@]}" && wait "${SPINNING[@]}"; } 2>/dev/null
	SPINNING=()
}

# Runs however this check ends.
clean_up() {
	spin_end
	end_sessions
}
