# SPDX-License-Identifier: GPL-2.0-or-later
# The Debian packages that quickstart and check install, in one place.
# shellcheck shell=bash disable=SC2034

BUILD_PACKAGES=(
	autoconf
	automake
	bpftool
	clang
	gcc
	libbpf-dev
	libc6-dev
	libhwloc-dev
	libinih-dev
	libjs-dygraphs
	libjson-c-dev
	libslurm-dev
	libtool
	make
	pkg-config
	zlib1g-dev
)

TESTBED_PACKAGES=(
	munge
	slurm-client
	slurmctld
	slurmd
)

# for testbed up --accounting
ACCOUNTING_PACKAGES=(
	mariadb-server
	slurmdbd
)

EXAMPLE_PACKAGES=(
	python3
	xz-utils
)

TEST_PACKAGES=(
	bats
	bwa
	chromium
	fio
	fuse3
	iproute2
	jq
	libclang-rt-dev
	libcmocka-dev
	libfuse3-dev
	python3-jsonschema
	samtools
	shellcheck
	strace
	stress-ng
)

# for tests/system/workflows.bats, which unpacks them: all that a Snakemake runs by that submits to Slurm
SNAKEMAKE_PACKAGES=(
	python3-appdirs
	python3-configargparse
	python3-datrie
	python3-decorator
	python3-humanfriendly
	python3-pulp
	python3-retry
	python3-smart-open
	python3-stopit
	python3-tabulate
	python3-throttler
	python3-toposort
	python3-yaml
	snakemake
)

# for tests/vm/run, which downloads a kernel too
VM_PACKAGES=(
	busybox-static
	e2fsprogs
	kmod
	qemu-system-x86
)

# Those of PACKAGE... that are not installed, one a line.
packages_missing() { # PACKAGE...
	local package

	for package; do
		dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null | grep -q '^installed' ||
			echo "$package"
	done
}

# Unpacks Debian's files of PACKAGE... into DIRECTORY, and installs nothing.
packages_unpack() { # DIRECTORY PACKAGE...
	local directory=$1 file

	shift
	mkdir -p "$directory/archives" || return 1
	(cd "$directory/archives" && apt-get --quiet --option APT::Sandbox::User=root download "$@") || return 1
	for file in "$directory"/archives/*.deb; do
		dpkg-deb --extract "$file" "$directory" || return 1
	done
	chmod 755 "$directory"
}

# Installs what is missing. Services that come with a package are not started: nothing here needs them.
packages_install() { # PACKAGE...
	local missing policy=/usr/sbin/policy-rc.d status

	mapfile -t missing < <(packages_missing "$@")
	[ "${#missing[@]}" -gt 0 ] || return 0
	echo "installing ${missing[*]}"
	apt-get update || return 1
	if [ -e "$policy" ]; then
		policy=
	else
		printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod 755 "$policy" || return 1
	fi
	DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}"
	status=$?
	[ -z "$policy" ] || rm -f "$policy"
	return $status
}
