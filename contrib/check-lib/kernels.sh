# SPDX-License-Identifier: GPL-2.0-or-later
# The matrix's rows of kernels: each boots in the virtual machine, with cgroup v2 and this machine's Slurm.
# shellcheck shell=bash disable=SC2015,SC2034,SC2153

# What names a row's kernel to apt on this machine; a row without one has the newest kernel of Debian's next release.
declare -A KERNEL_VERSIONS=([linux-6.1]=6.1 [linux-6.12]=6.12 [linux-next]="")
KERNEL_NEXT=testing
KERNEL_SUITES=(steps fuse)
KERNEL_PATIENCE_S=300 # for apt in that release's root

is_kernel_row() { # NAME
	[ -n "${KERNEL_VERSIONS[$1]+set}" ]
}

# Prints the newest plain kernel of VERSION that apt knows: none for the cloud, for real time, or for debugging.
kernel_of_apt() { # VERSION
	apt-cache search --names-only "^linux-image-${1//./\\.}\.[0-9][^ ]*-amd64\$" | awk '{ print $1 }' |
		grep -vE -- '-(rt|cloud)-amd64$' | sort --version-sort | tail -n 1 | grep .
}

# Prints the packages of the newest kernel in ROOT: since Linux 7 its image, its modules and their lists are apart.
kernel_of_root() { # ROOT
	# shellcheck disable=SC2016
	in_session timeout "$KERNEL_PATIENCE_S" "$SOURCE/contrib/debian-root" run "$1" bash -c '
		apt-cache depends --recurse --important linux-image-amd64 |
			grep -xE "linux-(image|base|binary|modules)-[0-9][^ ]*-amd64" | sort -u' </dev/null | grep .
}

# Unpacks PACKAGE... of ROOT as tests/vm/run wants a kernel, in DIRECTORY.
kernel_unpack() { # ROOT DIRECTORY PACKAGE...
	local root=$1 directory=$2 archives=$2.archives file

	shift 2
	mkdir -p "$archives" "$directory" || return 1
	in_session timeout "$KERNEL_PATIENCE_S" "$SOURCE/contrib/debian-root" run --var-tmp "$archives" "$root" bash -c '
		cd /var/tmp && apt-get --quiet update && apt-get --quiet --option APT::Sandbox::User=root download "$@"' \
		bash "$@" </dev/null || return 1
	for file in "$archives"/*.deb; do
		dpkg-deb --extract "$file" "$directory" || return 1
	done
	rm -rf "$archives"
	kernel_arrange "$directory"
}

# Puts the kernel where its package had it before Linux 7.
kernel_arrange() { # DIRECTORY
	local version

	[ -e "$1/lib" ] || ln -s usr/lib "$1/lib" || return 1
	version=$(basename "$1"/lib/modules/*) && mkdir -p "$1/boot" || return 1
	[ -e "$1/boot/vmlinuz-$version" ] || cp "$1/lib/modules/$version/vmlinuz" "$1/boot/vmlinuz-$version" || return 1
	depmod -b "$1" "$version" && chmod 755 "$1"
}

# Sets KERNEL_PACKAGE for tests/vm/run. Where there is none, the last line of standard error says why.
kernel_find() { # ROW LIMIT_S
	local root packages

	KERNEL_PACKAGE=
	if [ -n "${KERNEL_VERSIONS[$1]}" ]; then
		KERNEL_PACKAGE=$(kernel_of_apt "${KERNEL_VERSIONS[$1]}") && return
		echo "apt knows no kernel ${KERNEL_VERSIONS[$1]} on this machine" >&2
		return 77
	fi
	root=$(row_root "$KERNEL_NEXT" "$2") || return
	mapfile -t packages < <(kernel_of_root "$root")
	[ ${#packages[@]} -gt 0 ] || { echo "Debian $KERNEL_NEXT has no linux-image-amd64" >&2; return 77; }
	kernel_unpack "$root" "$WORK/vm/$1" "${packages[@]}" >&2 || { echo "${packages[*]} cannot be had" >&2; return 77; }
	KERNEL_PACKAGE=$1
}

# Builds stint on this machine, once for all rows.
kernel_build() {
	[ ! -e "$BUILD/built" ] || return 0
	configure "$BUILD" --enable-werror && build && : >"$BUILD/built"
}

# Prints what the row has, as matrix_facts().
kernel_facts() { # ROW
	local about

	about=$(bash -c "$MATRIX_FACTS" 2>/dev/null | head -n 4 | tr '\n' '|')
	echo "| Linux ${KERNEL_VERSIONS[$1]:-of the next release} ($1) | ${about//|/ | }v2 | $(kernel_version) | "
}

kernel_version() {
	basename "$WORK/vm/$KERNEL_PACKAGE"/lib/modules/* | grep -oE '^[0-9.]*[0-9]'
}

# Prints what the suites' results come to, as the last line of contrib/check.
kernel_sum() { # RESULTS
	cut -f 2 "$1" | xargs -r cat | awk '
		/^ok .*# [Ss][Kk][Ii][Pp]/ || /^1\.\.0/ { skipped++; next }
		/^ok / { passed++ }
		/^not ok / { failed++ }
		END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }'
}

run_kernel_row() { # ROW LIMIT_S
	local row=$1 log=$LOGS/matrix-$1.log place=$LOGS/matrix-$1 start=$SECONDS

	kernel_find "$row" "$2" 2>"$log" || { row_without "$row" $? "$log" "the kernel is found" $((SECONDS - start)); return; }
	kernel_build >>"$log" 2>&1 || { row_without "$row" 1 "$log" "stint is built" $((SECONDS - start)); return; }
	mkdir -p "$place" && : >"$place/results" || return
	[ "$INSTALL" = no ] || packages_install "${VM_PACKAGES[@]}" >>"$log" 2>&1
	(
		LOGS=$place && export STINT_VM_PACKAGE=$KERNEL_PACKAGE && machine_comes_up || exit
		VM_TIMEOUT=$(row_left "$2" "$start")
		run_machines "${KERNEL_SUITES[@]}"
	)
	ROW_SECONDS=$((SECONDS - start))
	row_results "$row" "$place/results" ''
	[ ! -d "$WORK/vm/$KERNEL_PACKAGE" ] || row_line "$(kernel_facts "$row")" "$(kernel_sum "$place/results")"
}
