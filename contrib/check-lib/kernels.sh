# SPDX-License-Identifier: GPL-2.0-or-later
# The matrix's rows in the virtual machine, with cgroup v2: other kernels with this machine's Debian and Slurm, and whole releases of
# Debian, each with its own kernel and Slurm.
# shellcheck shell=bash disable=SC2015,SC2030,SC2031,SC2034,SC2153,SC2317

# Where a row's kernel comes from: a version that apt knows on this machine, or a release, whose newest it is.
declare -A MACHINE_KERNELS=([linux-6.1]=6.1 [linux-6.12]=6.12 [linux-next]=testing [trixie-v2]=trixie [testing-v2]=testing)
# The release to boot, in the root that its row on this machine also uses. The other rows boot this machine's files.
declare -A MACHINE_RELEASES=([trixie-v2]=trixie [testing-v2]=testing)
# Two machines share them: every other suite. They are twenty times slower than this machine.
MACHINE_SUITES=(cgroup2 steps fuse)
KERNEL_PATIENCE_S=300 # for apt in a release's root, if its row has this much left

is_machine_row() { # NAME
	[ -n "${MACHINE_KERNELS[$1]+set}" ]
}

# ---- its kernel ----

# Prints the newest plain kernel of VERSION that apt knows: none for the cloud, for real time, or for debugging.
kernel_of_apt() { # VERSION
	apt-cache search --names-only "^linux-image-${1//./\\.}\.[0-9][^ ]*-amd64\$" | awk '{ print $1 }' |
		grep -vE -- '-(rt|cloud)-amd64$' | sort --version-sort | tail -n 1 | grep .
}

# Prints how long apt may take in a row that began at START.
kernel_patience() { # LIMIT_S START
	local left

	left=$(row_left "$@")
	echo $((left < KERNEL_PATIENCE_S ? left : KERNEL_PATIENCE_S))
}

# Prints the packages of the newest kernel in ROOT: since Linux 7 its image, its modules and their lists are apart.
kernel_of_root() { # ROOT LIMIT_S
	# shellcheck disable=SC2016
	in_session timeout --kill-after=10 "$2" "$SOURCE/contrib/debian-root" run "$1" bash -c '
		apt-cache depends --recurse --important linux-image-amd64 |
			grep -xE "linux-(image|base|binary|modules)-[0-9][^ ]*-amd64" | sort -u' </dev/null | grep .
}

# Unpacks PACKAGE... of ROOT in the form that tests/vm/run needs, in DIRECTORY.
kernel_unpack() { # ROOT LIMIT_S DIRECTORY PACKAGE...
	local root=$1 limit=$2 directory=$3 new=$3.new archives=$3.archives file

	shift 3
	rm -rf "$archives" "$new" # of a try that failed
	mkdir -p "$archives" "$new" || return 1
	in_session timeout --kill-after=10 "$limit" "$SOURCE/contrib/debian-root" run --var-tmp "$archives" "$root" bash -c '
		cd /var/tmp && apt-get --quiet update && apt-get --quiet --option APT::Sandbox::User=root download "$@"' \
		bash "$@" </dev/null || return 1
	for file in "$archives"/*.deb; do
		dpkg-deb --extract "$file" "$new" || return 1
	done
	rm -rf "$archives"
	kernel_arrange "$new" && mv -T "$new" "$directory"
}

# Puts the kernel where its package had it before Linux 7.
kernel_arrange() { # DIRECTORY
	local version

	[ -e "$1/lib" ] || ln -s usr/lib "$1/lib" || return 1
	version=$(basename "$1"/lib/modules/*) && mkdir -p "$1/boot" || return 1
	[ -e "$1/boot/vmlinuz-$version" ] || cp "$1/lib/modules/$version/vmlinuz" "$1/boot/vmlinuz-$version" || return 1
	depmod -b "$1" "$version" && chmod 755 "$1"
}

# Sets KERNEL for tests/vm/run. If there is none, the last line of standard error says why.
kernel_find() { # ROW LIMIT_S
	local from=${MACHINE_KERNELS[$1]} root packages start=$SECONDS

	KERNEL=$from
	if [[ $from == [0-9]* ]]; then
		KERNEL=$(kernel_of_apt "$from") && return
		echo "apt knows no kernel $from on this machine" >&2
		return 77
	fi
	[ ! -d "$WORK/vm/$from" ] || return 0
	root=$(row_root "$from" "$2") || return
	mapfile -t packages < <(kernel_of_root "$root" "$(kernel_patience "$2" "$start")")
	[ ${#packages[@]} -gt 0 ] || { echo "Debian $from has no linux-image-amd64, or its apt had no time to say so" >&2; return 77; }
	kernel_unpack "$root" "$(kernel_patience "$2" "$start")" "$WORK/vm/$from" "${packages[@]}" >&2 || { echo "${packages[*]} are not available" >&2; return 77; }
}

# ---- what is booted ----

# Builds stint where the row's machine has it: in the root of its release, or on this machine, once for all rows of kernels.
# Sets BUILD, and MACHINE for tests/vm/run.
machine_build() { # ROW LIMIT_S
	local release=${MACHINE_RELEASES[$1]:-} start=$SECONDS inside=()

	MACHINE=() ROOT=
	if [ -n "$release" ]; then
		ROOT=$(row_root "$release" "$2") || return
		BUILD=$WORK/$1
		MACHINE=(--root "$ROOT" --share "$SOURCE" --share "$BUILD")
		inside=("$SOURCE/contrib/debian-root" run --share "$SOURCE" --build "$BUILD" "$ROOT")
	fi
	[ ! -e "$BUILD/built" ] || return 0
	# shellcheck disable=SC2016
	mkdir -p "$BUILD" && in_session timeout --kill-after=60 "$(row_left "$2" "$start")" "${inside[@]}" bash -c '
		cd "$2" && "$1/configure" --enable-werror && make -j "$(nproc)" all && make -j "$(nproc)" check TESTS=' \
		bash "$SOURCE" "$BUILD" </dev/null >&2 && : >"$BUILD/built"
}

# Prints the row's versions, like matrix_facts().
machine_facts() { # ROW
	local about run=() name="Linux ${MACHINE_KERNELS[$1]/testing/of the next release}"

	[ -z "$ROOT" ] || { run=("$SOURCE/contrib/debian-root" run "$ROOT") && name=${MATRIX_RELEASES[${MACHINE_RELEASES[$1]}]}; }
	about=$("${run[@]}" bash -c "$MATRIX_FACTS" </dev/null 2>/dev/null | head -n 4 | tr '\n' '|')
	echo "| $name ($1) | ${about//|/ | }v2 | $(kernel_version) | "
}

kernel_version() {
	basename "$WORK/vm/$KERNEL"/lib/modules/* | grep -oE '^[0-9.]*[0-9]'
}

# Prints the sum of the row's results, like the last line of contrib/check. (In a subshell: nothing is counted twice.)
machine_sum() { # ROW RESULTS
	(
		LOGS=$LOGS/matrix-$1/sum PASSED=0 FAILED=0 SKIPPED=0
		failure() { :; }
		mkdir -p "$LOGS" && row_results "$1" "$2" ''
		while IFS=$'\t' read -r name log seconds status _; do
			count_tap "$name" "$log" "$seconds" "$status" >"$LOGS/said"
		done <"$LOGS/results"
		echo "$PASSED passed, $FAILED failed, $SKIPPED skipped"
	)
}

run_machine_row() { # ROW LIMIT_S
	local row=$1 log=$LOGS/matrix-$1.log place=$LOGS/matrix-$1 start=$SECONDS BUILD=$BUILD MACHINE ROOT KERNEL

	kernel_find "$row" "$2" 2>"$log" || { row_without "$row" $? "$log" "the kernel is found" $((SECONDS - start)); return; }
	machine_build "$row" "$(row_left "$2" "$start")" 2>>"$log" ||
		{ row_without "$row" $? "$log" "stint is built" $((SECONDS - start)); return; }
	mkdir -p "$place" && : >"$place/results" || return
	(
		LOGS=$place && export STINT_VM_PACKAGE=$KERNEL && machine_comes_up "$(row_left "$2" "$start")" || exit
		VM_TIMEOUT=$(row_left "$2" "$start")
		run_machines "${MACHINE_SUITES[@]}"
	)
	ROW_SECONDS=$((SECONDS - start))
	row_results "$row" "$place/results" ''
	[ ! -d "$WORK/vm/$KERNEL" ] || row_line "$(machine_facts "$row")" "$(machine_sum "$row" "$place/results")"
}
