#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Waits for GPU devices, which CUSE provides in the machine.
# shellcheck shell=bash disable=SC2016,SC2034,SC2154

load ../system/helper
load machine
load plain
load devices

WAIT_MS=2000
NVIDIA=195 DRM=226 # the numbers of the real drivers; that of kfd is chosen at the load

setup() {
	in_the_machine || skip "only in the virtual machine: contrib/check --vm gpu"
	[ -n "$GPUS" ] || skip "CUSE cannot be had here"
}

teardown() {
	plain_evidence
}

setup_file() {
	in_the_machine || return 0
	export GPUS=''
	modprobe cuse && [ -x "$PROGRAMS/gpudevice" ] || return 0
	GPUS=yes SERVERS=''
	plain_begin
	# A driver that is loaded after stintd began is found when a job begins. The first of each major number gives it its name.
	serve nvidia "$NVIDIA" 200
	serve nvidia0 "$NVIDIA" 0
	serve nvidiactl "$NVIDIA" 255
	serve kfd
	serve drm "$DRM" 1
	serve dri/card0 "$DRM" 0
	serve dri/renderD128 "$DRM" 128
	serve beside
	export SERVERS
}

teardown_file() {
	[ -n "${GPUS:-}" ] || return 0
	plain_end
	devices_end
}

# A tool for each way to wait, which prints the measured time.
waits() {
	local way

	for way in by_ioctl by_read by_poll by_select by_kfd by_render by_card by_other; do
		cp "$PROGRAMS/gpudevice" "$TOOLS/$way"
	done
	cp "$PROGRAMS/worker" "$TOOLS/computes"
	cat <<-END
		cd $TOOLS
		echo ioctl \$(./by_ioctl ioctl /dev/nvidia0 $WAIT_MS)
		echo read \$(./by_read read /dev/nvidia0 $WAIT_MS)
		echo poll \$(./by_poll poll /dev/nvidiactl $WAIT_MS)
		echo select \$(./by_select select /dev/nvidia0 $WAIT_MS)
		echo kfd \$(./by_kfd ioctl /dev/kfd $WAIT_MS)
		echo render \$(./by_render ioctl /dev/dri/renderD128 $WAIT_MS)
		echo card \$(./by_card ioctl /dev/dri/card0 $WAIT_MS)
		echo other \$(./by_other read /dev/beside $WAIT_MS)
		./computes burn 500
	END
}

# What the tool measured, in seconds.
measured() { # WAY
	awk -v way="$1" '$1 == way { print $2 / 1e9 }' "$PLAIN/out"
}

# Within 1 % and 1 ms, apart from the time until the awakened thread got a CPU, which is counted as such.
is_exact() { # WAY
	holds --argjson s "$(measured "$1")" '.tools[] | select(.name == "by_'"$1"'") | .states |
		.gpu_s <= $s * 1.01 + 0.001 and .gpu_s + .runnable_s + .on_cpu_s >= $s * 0.99 - 0.001 and .gpu_s >= '"$WAIT_MS"' / 1000 * 0.99'
}

@test "waits for a GPU device are counted as such, by each system call and driver" {
	grep nvidia /proc/devices
	plain_job < <(waits)
	cat "$PLAIN/out"
	for way in ioctl read poll select kfd render; do
		is_exact "$way"
	done
}

@test "waits for a display or another device, and work on a CPU, are no waits for a GPU" {
	holds --argjson s "$WAIT_MS" '.tools[] | select(.name == "by_card") | .states | .gpu_s == 0 and .pipe_s > $s / 1000 * 0.99'
	holds --argjson s "$WAIT_MS" '.tools[] | select(.name == "by_other") | .states | .gpu_s == 0 and .pipe_s > $s / 1000 * 0.99'
	holds '.tools[] | select(.name == "computes") | .states | .gpu_s == 0 and .on_cpu_s > 0.4'
	holds '(.states.gpu_s - ([.tools[].states.gpu_s] | add) | fabs) < 0.001'
}

@test "a job that only waits for its GPU is bound by it" {
	holds '.verdict.bound == "gpu"'
	holds --argjson s "$WAIT_MS" '.states | .some.gpu_s > 6 * $s / 1000 * 0.99 and .full.gpu_s > 6 * $s / 1000 * 0.98 and
		.bound.gpu_s > 6 * $s / 1000 * 0.98 and .waits.gpu >= 6'
}
