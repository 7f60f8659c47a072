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
	libmunge-dev
	libpq-dev
	libslurm-dev
	libsqlite3-dev
	libtool
	libzstd-dev
	make
	nettle-dev
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
	bubblewrap
	busybox-static
	bwa
	charliecloud
	chromium
	crun
	fio
	fuse3
	gpg
	gpg-agent
	iproute2
	jq
	libclang-rt-dev
	libcmocka-dev
	libfuse3-dev
	mandoc
	podman
	postgresql
	prometheus
	prometheus-node-exporter
	python3-jsonschema
	samtools
	shellcheck
	sqlite3
	squashfs-tools
	squashfuse
	strace
	stress-ng
	zsh
	zstd
)

# for contrib/check matrix: packages for the suites that run there, and packages that a machine has but a root needs
MATRIX_PACKAGES=(
	bats
	e2fsprogs
	fio
	iproute2
	jq
	kmod
	libcmocka-dev
	libfuse3-dev
	procps
	python3-jsonschema
	strace
)

# for tests/system/workflows.bats, which unpacks them: everything that a Snakemake that submits to Slurm needs
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

# for tests/system/locks.bats: compilers and runtimes for its programs
LOCKS_PACKAGES=(
	default-jdk-headless
	g++
	gcc
	golang-go
	libuv1-dev
	openmpi-bin
	python3-minimal
	rustc
)

# for tests/system/compilers.bats: all compilers of Debian 12
COMPILERS_PACKAGES=(
	clang-13
	clang-14
	clang-15
	clang-16
	clang-19
)

# for tests/real: programs that clusters run
REAL_PACKAGES=(
	bwa
	charliecloud
	default-jdk-headless
	fuse3
	gcc
	gromacs
	hpcc
	lammps
	libopenblas0-pthread
	libopenmpi-dev
	libpmix-dev
	make
	ncbi-blast+
	nodejs
	octave
	openmpi-bin
	parallel
	pigz
	python3
	python3-numpy
	r-base-core
	samtools
	snakemake
	squashfs-tools
	squashfuse
	xz-utils
)

# for tests/vm/run, which downloads a kernel too
VM_PACKAGES=(
	busybox-static
	e2fsprogs
	kmod
	qemu-system-x86
)

# for tests/vm/nfs.bats, which unpacks them in the virtual machine
NFS_PACKAGES=(
	autofs
	keyutils
	libnfsidmap1
	libnsl2
	libtirpc-common
	libtirpc3
	liburcu8
	libwrap0
	nfs-common
	nfs-kernel-server
	rpcbind
	xfsprogs
)

# Prints the packages that are not installed, one a line.
packages_missing() { # PACKAGE...
	local package

	for package; do
		dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null | grep -q '^installed' ||
			echo "$package"
	done
}

# Unpacks the files of Debian's PACKAGE... into DIRECTORY, and installs nothing.
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

APT_PATIENCE_S=600 # somebody else may be installing something

# apt-get update does not wait for its lock by itself.
apt_update() {
	local end=$((SECONDS + APT_PATIENCE_S)) said

	until said=$(LC_ALL=C apt-get update 2>&1); do
		[[ $said == *"Could not get lock"* ]] && [ "$SECONDS" -lt "$end" ] || { echo "$said"; return 1; }
		sleep 2
	done
}

# Installs missing packages. Services that come with a package are not started: nothing here needs them.
packages_install() { # PACKAGE...
	local missing policy=/usr/sbin/policy-rc.d status

	mapfile -t missing < <(packages_missing "$@")
	[ "${#missing[@]}" -gt 0 ] || return 0
	echo "installing ${missing[*]}"
	apt_update || return 1
	if [ -e "$policy" ]; then
		policy=
	else
		printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod 755 "$policy" || return 1
	fi
	DEBIAN_FRONTEND=noninteractive apt-get --option DPkg::Lock::Timeout="$APT_PATIENCE_S" install --yes \
		--no-install-recommends "${missing[@]}"
	status=$?
	[ -z "$policy" ] || rm -f "$policy"
	return $status
}
