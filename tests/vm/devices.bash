# SPDX-License-Identifier: GPL-2.0-or-later
# GPU devices, which CUSE provides in the machine: it makes a character device with any number, and a program of the tests serves it.
# shellcheck shell=bash disable=SC2154

serve() { # NAME [MAJOR MINOR]
	"$PROGRAMS/gpudevice" serve "$@" 3>&- >/dev/null 2>&1 &
	SERVERS+=" $!"
	SOON_S=600 soon test -c "/dev/$1"
}

devices_end() {
	for server in $SERVERS; do
		kill "$server" || true
	done
}
