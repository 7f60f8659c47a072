# SPDX-License-Identifier: GPL-2.0-or-later
# Suites in virtual machines: another kernel and cgroup layout, a real Slurm with cgroup v2 and programs on functions (fentry),
# in machines that are some twenty times slower.
# shellcheck shell=bash disable=SC2015,SC2034,SC2153

# So only some suites run there each time. Together they test each kind of number.
VM_SUITES=(steps)
VM_OWN=(cgroup2 clock reboot) # in tests/vm, each only for its own machine
# nfs.bats, which takes longer than the others, runs where it is named: contrib/check --vm nfs
# These run where they are named, too, each in a machine of its own: other kernels, another architecture, many processors, systemd.
VM_OTHERS=(rt arm64 wide unit fuse gpu gpu-opens)
VM_TIMEOUT=2700
VM_MIB=3500 # of each machine
VM_BOOT_S=900 # on a busy machine; alone it is one minute
MACHINE=() # options of tests/vm/run, for another root than this machine's

# Splits the output of a machine: a TAP file for each suite, and its result when it is over. STREAM is standard input.
split_machine() {
	local line name='' status seconds

	while IFS= read -r line; do
		case $line in
		'### begin '*)
			name=${line##*/}
			name=${name%.bats}
			;;
		'### end '*)
			read -r status seconds <<<"${line#'### end '}"
			result "vm $name" "$LOGS/vm-$name.tap" "$seconds" "$status"
			: >"$LOGS/vm-$name.over"
			;;
		*) echo "$line" >>"$LOGS/vm-${name:-}.tap" ;;
		esac
	done
}

in_machine() { # NUMBER ARGUMENT... : of tests/vm/run
	local number=$1

	shift
	# from a directory that each machine has
	(cd "$SOURCE" && STINT_VM=$WORK/vm in_session tests/vm/run "${MACHINE[@]}" --memory "$VM_MIB" \
		--console "$LOGS/vm-console.$number" "$@" </dev/null)
}

# Prints the files of those of SUITE... that are not over.
not_over() { # SUITE...
	local suite

	for suite; do
		[ -e "$LOGS/vm-$suite.over" ] ||
			echo "$SOURCE/tests/$([ -e "$SOURCE/tests/vm/$suite.bats" ] && echo vm || echo system)/$suite.bats"
	done
}

# Whether the emulator ended a machine (tests/vm/run, emulator_failed()), not a test that failed before.
emulator_broke() { # CONSOLE SUITE...
	local console=$1 suite

	shift
	for suite; do
		[ -e "$LOGS/vm-$suite.over" ] || ! grep -q '^not ok ' "$LOGS/vm-$suite.tap" || return 1
	done
	[ -n "$(not_over "$@")" ] && grep -q 'Oops: int3' "$console"
}

# Runs some suites in a machine. If the machine ends early, the suites that have not ended have failed. If the emulator ended it, they run
# in another machine, once.
run_machine() { # NUMBER SUITE...
	local number=$1 suite files=() disk=() try

	shift
	for suite; do
		: >"$LOGS/vm-$suite.tap"
		[ "$suite" != reboot ] || disk=(--disk "$LOGS/vm-disk" --disk "$LOGS/vm-slurmctld" --cpus 3) # a CPU for each job that it runs at once
	done
	if [ ${#disk[@]} -gt 0 ]; then
		# the first half of the suite reboot: it ends by crashing the machine
		truncate --size 400M "$LOGS/vm-disk" && truncate --size 64M "$LOGS/vm-slurmctld"
		in_machine "$number" --timeout "$VM_TIMEOUT" "${disk[@]}" env STINT_BUILD="$BUILD" "$SOURCE/tests/vm/crash" \
			>"$LOGS/vm-crash.log" 2>&1
	fi
	for try in first second; do
		mapfile -t files < <(not_over "$@")
		in_machine "$number" --timeout "$VM_TIMEOUT" "${disk[@]}" \
			env STINT_BUILD="$BUILD" STINT_NFS="$WORK/vm-nfs" "$SOURCE/tests/vm/suites" "${files[@]}" \
			2>>"$LOGS/vm.log" | split_machine
		# the crash's remains on the disks are used up
		[ "$try" = first ] && [ ${#disk[@]} -eq 0 ] && emulator_broke "$LOGS/vm-console.$number" "$@" || break
		for suite; do
			[ -e "$LOGS/vm-$suite.over" ] || mv "$LOGS/vm-$suite.tap" "$LOGS/vm-$suite.broken"
		done
		cp "$LOGS/vm-console.$number" "$LOGS/vm-console.$number.broken"
	done
	for suite; do
		[ -e "$LOGS/vm-$suite.over" ] || {
			echo "the machine ended before this suite did: $(tail -n 1 "$LOGS/vm.log")" >>"$LOGS/vm-$suite.tap"
			result "vm $suite" "$LOGS/vm-$suite.tap" 0 125
		}
	done
	rm -f "$LOGS/vm-disk" "$LOGS/vm-slurmctld"
}

# Prints the words of run's command line that make the machine of a suite, one a line; the environment's come first.
other_machine() { # SUITE
	case $1 in
	rt) printf '%s\n' env STINT_VM_PACKAGE=linux-image-rt-amd64 "$SOURCE/tests/vm/run" ;;
	fuse) printf '%s\n' env STINT_VM_PACKAGE="$(kernel_of_apt 6.12 || echo linux-image-amd64)" "$SOURCE/tests/vm/run" ;;
	gpu | gpu-opens) printf '%s\n' "$SOURCE/tests/vm/run" ;;
	unit) printf '%s\n' "$SOURCE/tests/vm/run" --init systemd ;;
	wide) printf '%s\n' "$SOURCE/tests/vm/run" --cpus 64,sockets=2,cores=16,threads=2 --numa 4 ;;
	arm64)
		printf '%s\n' env APT_CONFIG="$WORK/vm-arm64/apt/apt.conf" STINT_VM_QEMU="$WORK/vm-arm64/cross/usr/bin/qemu-system-aarch64" \
			"$SOURCE/tests/vm/run" --arm64 "$WORK/vm-arm64/root" --share "$SOURCE" --share "$WORK/vm-arm64/build"
		;;
	esac
}

# Runs a suite in its own machine, or skips it with the reason why that is not available.
run_other_machine() { # SUITE
	local suite=$1 log=$LOGS/vm-$1.log tap=$LOGS/vm-$1.tap start=$SECONDS build=$BUILD machine=() status=0

	mapfile -t machine < <(other_machine "$suite")
	if [ "$suite" = arm64 ]; then
		build=$WORK/vm-arm64/build
		in_session "$SOURCE/tests/vm/arm64-build" "$SOURCE" "$WORK/vm-arm64" >"$log" 2>&1 || status=$?
	fi
	# in a directory that the machine also has, with its own root directory
	[ "$status" -ne 0 ] || (cd "$SOURCE" && STINT_VM=$WORK/vm in_session "${machine[@]}" --memory 4000 --timeout 1800 \
		--console "$LOGS/vm-console.$suite" env STINT_BUILD="$build" bats --tap "$SOURCE/tests/vm/$suite.bats" \
		</dev/null >"$tap" 2>"$log") || status=$?
	if [ "$status" -eq 77 ]; then
		result_skipped "vm $suite" "$(tail -n 1 "$log")"
	else
		result "vm $suite" "$tap" $((SECONDS - start)) "$status"
	fi
}

# Runs two machines side by side, because one machine keeps little more than one processor busy.
run_machines() { # SUITE...
	local i halves=("" "") suites=("$@")

	for ((i = 0; i < $#; i++)); do
		halves[i % 2]+=" ${suites[i]}"
	done
	for i in 0 1; do
		# shellcheck disable=SC2086
		[ -z "${halves[i]}" ] || run_machine "$i" ${halves[i]} &
	done
	wait
}

# Tests that a machine boots at all, wherever its files are: here below /tmp, with a blank in the path. Skipped if qemu or the kernel cannot
# be downloaded, or if it had less time than a boot may take, and used all of it.
machine_comes_up() { # LIMIT_S
	local log=$LOGS/vm.log place start=$SECONDS status limit=$1

	place=$(mktemp -d "/tmp/stint check.XXXXXX") && cp -r "$SOURCE/tests/vm" "$place" || return
	(cd "$place" && STINT_VM=$WORK/vm in_session vm/run "${MACHINE[@]}" \
		--timeout "$((limit < VM_BOOT_S ? limit : VM_BOOT_S))" --console "$LOGS/vm-console" test -x vm/run) >>"$log" 2>&1
	status=$?
	rm -rf "$place"
	if [ "$status" -eq 77 ]; then
		result_skipped vm "$(tail -n 1 "$log")"
	elif [ "$status" -eq 124 ] && [ "$limit" -lt "$VM_BOOT_S" ]; then
		result_skipped vm "only $limit s were left, and a boot may take $VM_BOOT_S"
	else
		[ "$status" -eq 0 ] || tail -n 20 "$LOGS/vm-console" >>"$log"
		result_of_one vm "a virtual machine comes up, from a path below /tmp with a blank" "$log" $((SECONDS - start)) "$status"
	fi
	return "$status"
}

# Only this function needs qemu and a kernel, and downloads them.
run_vm() { # SUITE...
	local suite suites=() others=()

	! is_late vm || return 0
	[ "$INSTALL" = no ] || packages_install "${VM_PACKAGES[@]}" >"$LOGS/vm.log" 2>&1
	# unpacked only, because nobody should install an NFS server on their machine for this; the suite says what is missing
	[[ " $* " != *" nfs "* ]] || packages_unpack "$WORK/vm-nfs" "${NFS_PACKAGES[@]}" >>"$LOGS/vm.log" 2>&1
	machine_comes_up "$VM_BOOT_S" || return
	for suite; do
		echo "vm $suite" >>"$WORK/begun"
		if [[ " ${VM_OTHERS[*]} " == *" $suite "* ]]; then others+=("$suite"); else suites+=("$suite"); fi
	done
	[ ${#suites[@]} -eq 0 ] || run_machines "${suites[@]}"
	for suite in "${others[@]}"; do
		run_other_machine "$suite"
	done
}

run_vm_choice() {
	run_vm cgroup2 reboot clock "${VM_SUITES[@]}"
}
