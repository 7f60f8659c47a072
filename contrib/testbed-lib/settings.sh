# SPDX-License-Identifier: GPL-2.0-or-later
# Where stint's programs are, which ports are free, and the configuration files.
# shellcheck shell=bash disable=SC2015,SC2034,SC2153

# Sets PLUGIN, STINTD, STINT, EPILOG, SLURM_JOB_HELPER and GPU_HELPER.
find_programs() {
	local build=${STINT_BUILD:-}

	if [ -z "$build" ] && [ -f "$HERE/../spank/.libs/stint.so" ]; then
		build=$(readlink -f "$HERE/..")
	fi
	if [ -n "$build" ]; then
		PLUGIN=$build/spank/.libs/stint.so STINTD=$build/collector/stintd STINT=$build/reports/stint
		EPILOG=$build/reports/stint-epilog SLURM_JOB_HELPER=$build/spank/stint-slurm-job GPU_HELPER=$build/collector/stint-gpu
	else
		find_installed || die "stint was not found: build it first (./configure && make), or name a build tree in STINT_BUILD"
	fi
	[ "${STINT_TESTBED_PLUGIN:-}" = none ] || PLUGIN=${PLUGIN%/*}/${STINT_TESTBED_PLUGIN:-stint.so}
	local file
	for file in "$PLUGIN" "$STINTD" "$STINT" "$EPILOG" "$SLURM_JOB_HELPER" "$GPU_HELPER"; do
		[ -f "$file" ] || die "build first: $file does not exist"
	done
}

find_installed() {
	local prefix libdir

	STINTD=$(command -v stintd) && STINT=$(command -v stint) || return 1
	prefix=$(dirname "$(dirname "$(readlink -f "$STINTD")")")
	EPILOG=$prefix/libexec/stint/stint-epilog SLURM_JOB_HELPER=$prefix/libexec/stint/stint-slurm-job GPU_HELPER=$prefix/libexec/stint/stint-gpu
	for libdir in "$prefix"/lib "$prefix"/lib64 "$prefix"/lib/*-linux-gnu; do
		for PLUGIN in "$libdir"/slurm/stint.so "$libdir"/slurm-wlm/stint.so "$libdir"/stint/stint.so; do
			[ ! -f "$PLUGIN" ] || return 0
		done
	done
	return 1
}

port_is_free() {
	! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# Sets PORT_BASE: COUNT free ports from there on, below the range that the kernel gives to clients.
find_ports() { # COUNT
	local try port

	for ((try = 0; try < 50; try++)); do
		PORT_BASE=$((20000 + RANDOM % 11000))
		for ((port = PORT_BASE; port < PORT_BASE + $1; port++)); do
			port_is_free "$port" || continue 2
		done
		return 0
	done
	REASON="no $1 free ports in a row were found"
	return 1
}

# Sets NODE_PREFIX: "n" for the default testbed, unless another Slurm has such nodes on this host.
node_prefix() {
	local tag

	tag=$(testbed_tag)
	if [ -z "$tag" ] && NODE_PREFIX=n && [ -n "$(node_processes)" ]; then
		tag=$(printf '%s' "$DIR" | sha256sum | cut -c1-6)
	fi
	NODE_PREFIX=${tag:+t$tag}n
}

write_env() { # NODES ACCOUNTING
	NODES=$1 ACCOUNTING=$2
	node_prefix
	find_ports $((NODES + 3)) || return 1
	[ -z "$FIRST" ] || first_cgroup
	cat >"$DIR/etc/testbed.env" <<-EOT
		NODES=$NODES
		ACCOUNTING=$ACCOUNTING
		NODE_PREFIX=$NODE_PREFIX
		FIRST=$FIRST
		PORT_BASE=$PORT_BASE
		TESTBED_USER=$TESTBED_USER
		STINTD=$(printf %q "$STINTD")
		STINT=$(printf %q "$STINT")
	EOT
}

# Sets FIRST, for --first: the cgroup of everything that the testbed starts. Its name is like those of the nodes, so it is removed with
# them. Slurm's jobs have no cgroups of their own there, unless cpu and cpuacct are mounted as one hierarchy.
first_cgroup() {
	FIRST=$(awk '$3 == "cgroup" && ("," $4 ",") ~ /,cpu,/ && ("," $4 ",") !~ /,cpuacct,/ { print $2; exit }' \
		/proc/mounts)
	[ -z "$FIRST" ] || FIRST+=/slurm_${NODE_PREFIX}0
}

# Copies standard input. LINES (KEY=VALUE) replace the lines of the same key.
replace_lines() { # LINES
	awk -F= -v lines="$1" '
		BEGIN {
			n = split(lines, own, "\n")
			for (i = 1; i <= n; i++) {
				key = own[i]
				sub(/=.*/, "", key)
				if (key != "")
					replaced[key] = 1
			}
		}
		!($1 in replaced)
		END {
			for (i = 1; i <= n; i++)
				if (own[i] ~ /=./)
					print own[i]
		}'
}

write_config() {
	write_slurm_conf | replace_lines "${STINT_TESTBED_SLURM:-}" >"$DIR/etc/slurm.conf" &&
		write_cgroup_conf >"$DIR/etc/cgroup.conf" &&
		{ [ -z "${STINT_TESTBED_GRES:-}" ] || printf '%s\n' "${STINT_TESTBED_GRES_CONF:-}" >"$DIR/etc/gres.conf"; } &&
		install_plugin &&
		mkdir -p "$DIR/store" &&
		write_stint_conf >"$DIR/etc/stint.conf" &&
		ln -s "$EPILOG" "$SLURM_JOB_HELPER" "$GPU_HELPER" "$DIR/libexec/" &&
		{ [ "$ACCOUNTING" = no ] || write_slurmdbd_conf; }
}

# Copies the plugin, because the user may not be able to read the build tree.
install_plugin() {
	local name=${PLUGIN##*/}

	[ "${STINT_TESTBED_PLUGIN:-}" != none ] || { : >"$DIR/etc/plugstack.conf"; return; }
	cp "$PLUGIN" "$DIR/lib/$name" &&
		printf 'optional %s/lib/%s run_dir=%s/run\n' "$DIR" "$name" "$DIR" >"$DIR/etc/plugstack.conf"
}

write_stint_conf() {
	cat <<-EOT
		run_dir = $DIR/run
		spool_dir = $DIR/spool
		store_dir = $DIR/store
		bpf_dir = $DIR/bpf/stint
		metrics = $DIR/metrics
		munge_socket = $DIR/munge/socket
	EOT
}

cgroup_plugin() {
	if [ "$(stat -f -c %T /sys/fs/cgroup)" = cgroup2fs ]; then
		echo cgroup/v2
	else
		echo cgroup/v1
	fi
}

write_cgroup_conf() {
	cat <<-EOT
		CgroupPlugin=$(cgroup_plugin)
		ConstrainCores=yes
		ConstrainRAMSpace=yes
	EOT
	# without systemd nobody else makes the scope that slurmd would ask it for
	if [ "$(cgroup_plugin)" = cgroup/v2 ] && [ ! -d /run/systemd/system ]; then
		echo IgnoreSystemd=yes
	fi
}

# Every node has all the CPUs of the host; memory is divided among the nodes.
node_lines() {
	local hardware memory last=$((PORT_BASE + NODES))

	hardware=$(slurmd -C | grep -o 'CPUs=.*ThreadsPerCore=[0-9]*')
	memory=$(awk -v n="$NODES" '$1 == "MemTotal:" { print int($2 / 1024 * 0.9 / n) }' /proc/meminfo)
	cat <<-EOT
		NodeName=${NODE_PREFIX}[1-$NODES] NodeHostname=$HOST NodeAddr=127.0.0.1 Port=[$((PORT_BASE + 1))-$last] $hardware RealMemory=$memory${STINT_TESTBED_GRES:+ Gres=$STINT_TESTBED_GRES}
		PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=60 DefMemPerCPU=$((memory / $(nproc)))
	EOT
}

gres_types() {
	[ -z "${STINT_TESTBED_GRES:-}" ] || echo "GresTypes=$(tr , '\n' <<<"$STINT_TESTBED_GRES" | cut -d: -f1 | sort -u | paste -sd,)"
}

accounting_lines() {
	if [ "$ACCOUNTING" = yes ]; then
		cat <<-EOT
			AccountingStorageType=accounting_storage/slurmdbd
			AccountingStorageHost=127.0.0.1
			AccountingStoragePass=$DIR/munge/socket
			AccountingStoragePort=$((PORT_BASE + NODES + 1))
		EOT
	fi
}

write_slurm_conf() {
	HOST=$(hostname -s)
	cat <<-EOT
		ClusterName=testbed
		SlurmctldHost=$HOST(127.0.0.1)
		SlurmctldPort=$PORT_BASE
		SlurmUser=root
		AuthType=auth/munge
		AuthInfo=socket=$DIR/munge/socket,cred_expire=15
		StateSaveLocation=$DIR/state
		SlurmctldPidFile=$DIR/state/slurmctld.pid
		SlurmdPidFile=$DIR/state/slurmd.%n.pid
		SlurmdSpoolDir=$DIR/slurmd/%n
		SlurmdLogFile=$DIR/log/slurmd.%n.log
		SlurmctldLogFile=$DIR/log/slurmctld.log
		PlugStackConfig=$DIR/etc/plugstack.conf
		ProctrackType=proctrack/cgroup
		TaskPlugin=task/cgroup,task/affinity
		JobAcctGatherType=jobacct_gather/cgroup
		PrologFlags=Contain
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core_Memory
		LaunchParameters=use_interactive_step
		MpiDefault=none
		ReturnToService=2
		JobRequeue=1
		KillWait=2
		MaxArraySize=10001
		MailProg=/bin/true
		SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,sched_interval=5,bf_interval=1
		$(accounting_lines)
		$(gres_types)
		$(node_lines)
	EOT
}

write_slurmdbd_conf() {
	(
		umask 077
		cat >"$DIR/etc/slurmdbd.conf" <<-EOT
			DbdHost=$(hostname -s)
			DbdAddr=127.0.0.1
			DbdPort=$((PORT_BASE + NODES + 1))
			SlurmUser=root
			AuthType=auth/munge
			AuthInfo=socket=$DIR/munge/socket
			LogFile=$DIR/log/slurmdbd.log
			PidFile=$DIR/state/slurmdbd.pid
			StorageType=accounting_storage/mysql
			StorageHost=127.0.0.1
			StoragePort=$((PORT_BASE + NODES + 2))
			StorageUser=slurm
			StorageLoc=slurm_acct
		EOT
	)
}
