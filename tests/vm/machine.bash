# SPDX-License-Identifier: GPL-2.0-or-later
# What the tests in the virtual machine share.
# shellcheck shell=bash

# run gives the machine these ports, and no other machine has them.
in_the_machine() {
	[ "$(cat /sys/class/virtio-ports/*/name 2>/dev/null)" = $'stdout\nstderr\nstatus' ]
}
