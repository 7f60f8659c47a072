# SPDX-License-Identifier: GPL-2.0-or-later
# Functions that the tests in the virtual machine share.
# shellcheck shell=bash

# run gives these ports to the machine; no other machine has them.
in_the_machine() {
	[ "$(cat /sys/class/virtio-ports/*/name 2>/dev/null)" = $'stdout\nstderr\nstatus' ]
}
