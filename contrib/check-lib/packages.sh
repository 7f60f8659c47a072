# SPDX-License-Identifier: GPL-2.0-or-later
# The packages: built with their tests in a minimal Debian that has only what debian/control asks for (mawk is its awk), then installed in
# one that has what they depend on (contrib/debian-root).
# shellcheck shell=bash disable=SC2154

PACKAGES_SUITE=bookworm
PACKAGES_TIMEOUT=5400 # for each part; the build takes a quarter of an hour on an idle machine
# The dependencies of the packages: nothing that only builds.
PACKAGES_DEPENDED=(libbpf1 libhwloc15 libinih1 libjson-c5 libmunge2 libnettle8 libpq5 libslurm38 libsqlite3-0 rpm slurm-wlm-basic-plugins
	zlib1g)

# The packages that debian/control asks for, and those that build RPMs and sign a release.
packages_build_depended() {
	sed -n '/^Build-Depends:/,/^[^ ]*:/s/^ \([a-z0-9.+-]*\).*/\1/p' "$SOURCE/contrib/debian/control.in" |
		sed 's/^debhelper-compat$/debhelper/'
	printf '%s\n' build-essential gpg gpg-agent lintian rpm
}

# Runs one of tests/packages in its own root.
run_packages_part() { # PART PACKAGE...
	local part=$1 root start=$SECONDS log=$LOGS/packages-$1.tap status

	shift
	root=$(in_session "$SOURCE/contrib/debian-root" make "$PACKAGES_SUITE" "$@" 2>"$log.root")
	status=$?
	if [ "$status" -ne 0 ]; then
		result_skipped "packages $part" "$(tail -n 1 "$log.root")"
		return
	fi
	in_session timeout --kill-after=60 "$PACKAGES_TIMEOUT" "$SOURCE/contrib/debian-root" run --share "$SOURCE" \
		--var-tmp "$WORK/packages" "$root" "$SOURCE/tests/packages/$part" "$SOURCE" /var/tmp/out </dev/null >"$log" 2>"$log.errors"
	result "packages $part" "$log" $((SECONDS - start)) $?
}

run_packages() {
	local asked

	! is_late packages || return 0
	[ "$INSTALL" = no ] || packages_install debootstrap >"$LOGS/packages.log" 2>&1
	mkdir -p "$WORK/packages"
	mapfile -t asked < <(packages_build_depended)
	run_packages_part build "${asked[@]}"
	! compgen -G "$WORK/packages/out/*.deb" >/dev/null || run_packages_part install "${PACKAGES_DEPENDED[@]}"
}
