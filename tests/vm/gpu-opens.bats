#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Opens of GPU devices, which CUSE provides in the machine.
# shellcheck shell=bash disable=SC2016,SC2034,SC2154

load ../system/helper
load machine
load plain
load devices

NVIDIA=195 DRM=226 # the numbers of the real drivers; that of kfd is chosen at the load

setup() {
	in_the_machine || skip "only in the virtual machine: contrib/check --vm gpu-opens"
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
	# The first of each major number gives it its name.
	serve nvidia "$NVIDIA" 200
	for minor in 1 2 3 4 5; do
		serve "nvidia$minor" "$NVIDIA" "$minor"
	done
	serve nvidiactl "$NVIDIA" 255
	serve kfd
	serve drm "$DRM" 1
	serve dri/card0 "$DRM" 0
	serve dri/renderD128 "$DRM" 128
	export SERVERS
}

teardown_file() {
	[ -n "${GPUS:-}" ] || return 0
	plain_end
	devices_end
}

# /dev/nvidia1 is never opened. Each block prints the time before and after, and what it measured.
opens() {
	cp "$(command -v sleep)" "$TOOLS/holder"
	cp "$(command -v sleep)" "$TOOLS/heir"
	cp "$PROGRAMS/gpudevice" "$TOOLS/opener"
	echo "cd $TOOLS"
	cat <<-'END'
		for device in nvidiactl kfd dri/card0 dri/renderD128; do
			./opener open /dev/$device 1
		done
		opened() { echo "$1 $begin $EPOCHREALTIME"; }
		begin=$EPOCHREALTIME
		exec 5<>/dev/nvidia2
		opened late
		begin=$EPOCHREALTIME
		sleep 3
		exec 5>&-
		opened closed
		sleep 2.5
		begin=$EPOCHREALTIME
		./opener open /dev/nvidia3 2000
		opened often
		begin=$EPOCHREALTIME
		exec 6<>/dev/nvidia4
		./heir 3 &
		exec 6>&-
		opened handed
		wait $!
		opened inherited
		begin=$EPOCHREALTIME
		./holder 2.2 5<>/dev/nvidia5
		opened held
		before=$(bpftool -j prog show name gpu_opened | jq '.run_cnt // 0')
		./opener open /run/plain/plain-file 5000
		after=$(bpftool -j prog show name gpu_opened | jq '.run_cnt // 0')
		echo runs "$before" "$after"
	END
}

# A moment of the report, in seconds since 1970. The machine's zone is UTC.
MOMENT='def moment: capture("(?<whole>[^.+]*)(?<part>\\.[0-9]+)?") | ((.whole + "Z") | fromdate) + ((.part // "0") | tonumber);'

opened_holds() { # MINOR BLOCK FILTER : the filter gets the device, with $b and $e: when the block began and ended
	jq -e --argjson b "$(awk -v way="$2" '$1 == way { print $2 }' "$PLAIN/out")" \
		--argjson e "$(awk -v way="$2" '$1 == way { print $3 }' "$PLAIN/out")" --argjson minor "$1" \
		"$MOMENT"' .gpus_opened[] | select(.device == "nvidia" and .minor == $minor) | '"$3" "$REPORT"
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

@test "each GPU that the job opened is listed, with the exact time of its first open; one that it never opened is not" {
	sysctl -q kernel.bpf_stats_enabled=1
	touch "$PLAIN/plain-file"
	plain_job < <(opens)
	cat "$PLAIN/out"
	jq --compact-output '.gpus_opened[], .allocated' "$REPORT"
	holds '[.gpus_opened[] | select(.device == "nvidia").minor] == [2, 3, 4, 5] and .allocated.gpus_opened == 4'
	holds '[.gpus_opened[] | select(.device != "nvidia") | [.device, .minor, .opens]] | sort | map(select(.[0] != "kfd")) ==
		[["drm", 128, 1], ["nvidiactl", 255, 1]]'
	holds '[.gpus_opened[] | select(.device == "kfd")] | length == 1'
	holds '[.gaps[] | select(.name == "gpus_opened")] == []'
	opened_holds 2 late '(.first_open | moment) >= $b - 0.001 and (.first_open | moment) <= $e + 0.001 and .opens == 1'
}

@test "a GPU that a process closed is held until then, within the time between two looks" {
	opened_holds 2 closed '.held_s > 3 - 2.5 and .held_s < $e - $b + 0.001 and (.open_until | moment) < $e + 0.001 and
		(.open_until | moment) > $e - 2.5'
}

@test "a GPU that a process holds until its end is held for exactly this time" {
	opened_holds 5 held '.held_s >= 2.2 and .held_s < $e - $b + 0.001 and .opens == 1 and (.open_until | moment) > $b + 2.2 and
		(.open_until | moment) < $e + 0.001'
	opened_holds 5 held '[.tools[].name] == ["bash", "holder"] or [.tools[].name] == ["holder", "bash"]'
	opened_holds 5 held '(.tools[] | select(.name == "holder") | .opens) == 0 and (.tools[] | select(.name == "bash") | .opens) == 1'
}

@test "an inherited descriptor holds the GPU for the child" {
	opened_holds 4 inherited '.opens == 1 and .held_s > 3 - 0.05 and .held_s < $e - $b + 0.001 and (.open_until | moment) < $e + 0.001 and
		(.open_until | moment) > $e - 0.5 and any(.tools[]; .name == "heir" and .opens == 0)'
}

@test "all of 2,000 opens in a row are counted" {
	opened_holds 3 often '.opens == 2000 and [.tools[] | [.name, .opens]] == [["opener", 2000]]'
}

@test "the program for opens does not run when another file is opened" {
	read -r _ before after < <(grep '^runs ' "$PLAIN/out")
	[ "$before" -ge 2000 ]
	# bpftool, jq and the shell open /dev/null
	[ $((after - before)) -lt 50 ]
}
