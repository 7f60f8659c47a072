/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that every threshold decides at its value: the report differs on its two sides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>

#include "common/file.h"
#include "tests/unit/reports/case.h"
#include "tests/unit/within.h"

struct side {
	enum rule rule;
	const char *what;  /* in the form of case_says() */
	const char *patch; /* merged into the sound job */
	const char *path;  /* of the number that is varied */
	double hit, miss;  /* the report says it with the first value, but not with the second */
};

#define ON_GPU(gpus, gpu, more) "{'job': {'elapsed_s': 1000}, 'requested': {'time_limit_s': 3000}, 'states': {'on_cpu_s': 990," \
	" 'active_s': 990, 'parallel_s': 0}, 'allocated': {'gpus': " gpus "}, 'gpus': [{'node': 'n1', 'vendor': 'nvidia', 'busy_known_s': 1000," \
	" 'busy_covered_s': 1000, 'busy_source': 'counters', " gpu "}]" more "}"

static const struct side sides[] = {
	/* ---- verdict ---- */
	{ RULE_LIVE_MIN, "verdict unknown", "{'job': {'elapsed_s': 1}, 'states': {'on_cpu_s': 0.1, 'parallel_s': 0}}",
	  "states.active_s", 0.0999, 0.1 },
	{ RULE_START_UP, "verdict idle", "{'states': {'on_cpu_s': 1, 'active_s': 1, 'parallel_s': 1}}",
	  "job.elapsed_s", 4, 3.99 },
	{ RULE_MEMORY_SHARE, "verdict memory", "{'states': {'on_cpu_s': 200, 'some': {'memory_stall_s': 100}}}",
	  "states.memory_stall_s", 120, 119.9 },
	{ RULE_MEMORY_NEAR, "finding memory-near-limit", NULL,
	  "nodes.0.used.memory_used_peak_bytes", 7730941133, 7730941132 },
	{ RULE_SWAP_MIN, "finding memory-swapped", NULL, "used.memory_swap_peak_bytes", 1048576, 1048575 },
	{ RULE_CROWD_WAIT, "verdict oversubscribed", NULL, "states.runnable_s", 171.43, 171.42 },
	{ RULE_CROWD_BUSY, "verdict oversubscribed", "{'states': {'on_cpu_s': 320}}", "states.runnable_s", 160, 159.9 },
	{ RULE_CROWD_ACTIVE, "verdict oversubscribed",
	  "{'states': {'on_cpu_s': 200, 'runnable_s': 200, 'parallel_s': 49, 'bound': {'child_s': 50}}}",
	  "states.active_s", 50, 49.9 },
	{ RULE_STARVED_WAIT, "verdict starved", "{'states': {'on_cpu_s': 140}}", "states.runnable_s", 60, 59.9 },
	{ RULE_STARVED_ACTIVE, "verdict starved",
	  "{'states': {'on_cpu_s': 60, 'runnable_s': 60, 'parallel_s': 49, 'bound': {'other_s': 50}}}",
	  "states.active_s", 50, 49.9 },
	{ RULE_SWITCH, "verdict starved", "{'states': {'on_cpu_s': 140, 'runnable_s': 90}, 'used':"
	  " {'involuntary_switches': 0}}", "used.voluntary_switches", 1049999, 1050001 },
	{ RULE_THROTTLED, "verdict throttled", "{'states': {'on_cpu_s': 100, 'runnable_s': 100}}",
	  "states.throttled_s", 50, 49.9 },
	{ RULE_CPU_SHARE, "verdict cpu", "{'states': {'runnable_s': 0}}", "states.on_cpu_s", 300, 299.9 },
	{ RULE_FILE_IO_SHARE, "verdict file-io", "{'states': {'on_cpu_s': 100, 'active_s': 50, 'parallel_s': 50}}",
	  "states.bound.file_io_s", 50, 49.9 },
	{ RULE_GPU_SHARE, "verdict gpu",
	  "{'states': {'on_cpu_s': 100, 'active_s': 50, 'parallel_s': 50, 'gpu_s': 50, 'waits': {'gpu': 1000}}}",
	  "states.bound.gpu_s", 50, 49.9 },
	{ RULE_NETWORK_SHARE, "verdict network",
	  "{'used': {'socket_rx_bytes': 1000000}, 'states': {'on_cpu_s': 100, 'active_s': 50, 'parallel_s': 50,"
	  " 'network_s': 50, 'waits': {'network': 1000}}}",
	  "states.bound.network_s", 50, 49.9 },
	{ RULE_NETWORK_WAIT, "verdict network",
	  "{'used': {'socket_rx_bytes': 1000000}, 'states': {'on_cpu_s': 100, 'active_s': 50, 'parallel_s': 50,"
	  " 'network_s': 50, 'bound': {'network_s': 50}}}",
	  "states.waits.network", 10, 9.99 },
	{ RULE_EVENT_WAIT, "verdict network",
	  "{'used': {'network': {'tcp': {'rx_ops': 1000000}}}, 'states': {'on_cpu_s': 100, 'active_s': 40,"
	  " 'parallel_s': 40, 'event_s': 60, 'bound': {'event_s': 60}}}",
	  "states.waits.event", 600, 599.9 },
	{ RULE_EVENT_OPS, "verdict network",
	  "{'states': {'on_cpu_s': 100, 'active_s': 40, 'parallel_s': 40, 'event_s': 60, 'bound': {'event_s': 60},"
	  " 'waits': {'event': 1000}}}",
	  "used.network.tcp.rx_ops", 500, 499 },
	{ RULE_LOCK_SHARE, "verdict lock",
	  "{'states': {'on_cpu_s': 120, 'parallel_s': 20, 'some': {'lock_s': 100}, 'waits': {'lock': 1000000}}}",
	  "states.lock_s", 150, 149.9 },
	{ RULE_LOCK_WAIT, "verdict lock",
	  "{'states': {'on_cpu_s': 120, 'parallel_s': 20, 'lock_s': 200, 'some': {'lock_s': 100}}}",
	  "states.waits.lock", 2000, 1999 },
	{ RULE_TURNS_SHARE, "verdict lock", "{'states': {'on_cpu_s': 101, 'parallel_s': 1}}", "states.turns_s",
	  30.31, 30.29 },
	{ RULE_SERIAL_SHARE, "verdict lock", "{'states': {'on_cpu_s': 150, 'runnable_s': 0, 'turns_s': 100}}", "states.parallel_s",
	  50, 50.1 },
	{ RULE_SERIAL_SHARE, "verdict serial", "{'states': {'on_cpu_s': 150, 'runnable_s': 0}}", "states.parallel_s", 50, 50.1 },
	/* of 60 s with one busy thread others took 20 s: 40 s of 80 s are left */
	{ RULE_SERIAL_SHARE, "verdict lock", "{'states': {'on_cpu_s': 150, 'parallel_s': 40, 'turns_s': 100}}", "states.runnable_s",
	  20, 20.1 },
	{ RULE_SERIAL_SHARE, "verdict serial", "{'states': {'on_cpu_s': 150, 'parallel_s': 40}}", "states.runnable_s", 20, 20.1 },
	{ RULE_IDLE_SHARE, "verdict idle", "{'states': {'on_cpu_s': 100, 'active_s': 50, 'parallel_s': 50}}",
	  "states.bound.sleep_s", 50, 49.9 },

	/* ---- findings ---- */
	{ RULE_FINDING_ELAPSED, "finding cores-unused", "{'progress': {'cores_unused': [{'core': 1}]}}",
	  "job.elapsed_s", 60, 59.9 },
	{ RULE_FINDING_ELAPSED, "finding serial-on-many-cores", "{'states': {'parallel_s': 0, 'active_s': 60}}",
	  "job.elapsed_s", 60, 59.9 },
	{ RULE_FINDING_ELAPSED, "finding cpu-efficiency-low",
	  "{'used': {'cpu_efficiency': 0.1, 'cpu_wasted_core_hours': 1}}", "job.elapsed_s", 60, 59.9 },
	{ RULE_FINDING_ELAPSED, "finding memory-over-asked", "{'used': {'memory_used_peak_bytes': " CASE_GIB "}}",
	  "job.elapsed_s", 60, 59.9 },
	{ RULE_FINDING_ELAPSED, "finding node-idle",
	  "{'nodes': [{'allocated': {'cpus': 4}, 'used': {'cpu_s': 100}}, {'allocated': {'cpus': 4},"
	  " 'used': {'cpu_s': 1}}]}",
	  "job.elapsed_s", 60, 59.9 },
	{ RULE_RECLAIM_SHARE, "finding memory-reclaim", NULL, "used.reclaim_s", 5, 4.99 },
	{ RULE_FAULT_IO_SHARE, "finding page-waits", NULL, "states.fault_io_s", 10, 9.99 },
	{ RULE_FAULT_IO_MIN, "finding page-waits", "{'states': {'active_s': 20, 'parallel_s': 20, 'on_cpu_s': 80},"
	  " 'job': {'elapsed_s': 20}}", "states.fault_io_s", 5, 4.99 },
	{ RULE_SYNC_SHARE, "finding synchronous-writes", "{'used': {'sync_waits': 100}, 'states': {'on_cpu_s': 80}}",
	  "used.sync_wait_s", 10, 9.99 },
	{ RULE_SYNC_SHARE, "finding synchronous-writes", "{'used': {'sync_waits': 1000, 'sync_wait_s': 50}}", "states.on_cpu_s", 450, 450.1 },
	{ RULE_SYNC_MIN, "finding synchronous-writes", "{'used': {'sync_wait_s': 50}}", "used.sync_waits", 100, 99 },
	{ RULE_SYNC_MIN_S, "finding synchronous-writes", "{'used': {'sync_waits': 100}, 'states': {'active_s': 5, 'parallel_s': 5,"
	  " 'on_cpu_s': 5}, 'job': {'elapsed_s': 5}}", "used.sync_wait_s", 1, 0.99 },
	{ RULE_MEMORY_OVER, "finding memory-over-asked", "{'used': {'memory_used_peak_bytes': 2147483648}}",
	  "requested.memory_bytes", 5153960756, 5153960755 },
	{ RULE_MEMORY_OVER_MIN, "finding memory-over-asked", "{'used': {'memory_used_peak_bytes': 268435456}}",
	  "requested.memory_bytes", 1395864372, 1395864371 },
	{ RULE_CPU_EFFICIENCY, "finding cpu-efficiency-low", "{'used': {'cpu_wasted_core_hours': 1}}",
	  "used.cpu_efficiency", 0.4999, 0.5 },
	{ RULE_CPU_WASTE, "finding cpu-efficiency-low", "{'used': {'cpu_efficiency': 0.4}}",
	  "used.cpu_wasted_core_hours", 0.1, 0.0999 },
	{ RULE_CPU_WAIT_MIN, "finding cpu-starved", "{'job': {'elapsed_s': 10}, 'states': {'on_cpu_s': 5, 'active_s': 10, 'parallel_s': 0}}",
	  "states.runnable_s", 5, 4.99 },
	{ RULE_CPUS_EXCEEDED, "finding cpus-exceeded", NULL, "states.on_cpu_s", 440, 439 },
	{ RULE_LOCK_CONTENTION, "finding lock-contention",
	  "{'states': {'on_cpu_s': 120, 'parallel_s': 20, 'some': {'lock_s': 100}, 'waits': {'lock': 1000000}}}",
	  "states.lock_s", 75, 74.9 },
	{ RULE_TURNS_CONTENTION, "finding lock-contention", "{'states': {'on_cpu_s': 100, 'parallel_s': 1}}",
	  "states.turns_s", 25, 24.9 },
	{ RULE_CROWD_WAIT, "finding oversubscribed", NULL, "states.runnable_s", 171.43, 171.42 },
	{ RULE_STARVED_WAIT, "finding cpu-starved", "{'states': {'on_cpu_s': 140}}", "states.runnable_s", 60, 59.9 },
	{ RULE_STARVED_ACTIVE, "finding cpu-starved",
	  "{'states': {'on_cpu_s': 60, 'runnable_s': 60, 'parallel_s': 49, 'bound': {'child_s': 50}}}",
	  "states.active_s", 50, 49.9 },
	{ RULE_THROTTLED, "finding cpu-throttled", "{'states': {'on_cpu_s': 100, 'runnable_s': 100}}",
	  "states.throttled_s", 50, 49.9 },
	{ RULE_LIVE_MIN, "finding page-waits", "{'job': {'elapsed_s': 1}, 'states': {'on_cpu_s': 0.1, 'parallel_s': 0,"
	  " 'fault_io_s': 6}}", "states.active_s", 0.1, 0.0999 },
	{ RULE_CROWD_BUSY, "finding threads-crowded",
	  "{'states': {'on_cpu_s': 165}, 'progress': {'cores_unused': [{'core': 1}, {'core': 2}]}}",
	  "states.runnable_s", 75, 74.9 },
	{ RULE_STARVED_WAIT, "finding threads-crowded",
	  "{'states': {'runnable_s': 200}, 'progress': {'cores_unused': [{'core': 1}, {'core': 2}]}}",
	  "states.on_cpu_s", 140.1, 139.9 },
	{ RULE_SERIAL_SHARE, "finding serial-on-many-cores", "{'states': {'on_cpu_s': 150, 'runnable_s': 0}}",
	  "states.parallel_s", 50, 50.1 },
	{ RULE_SERIAL_SHARE, "finding serial-on-many-cores", "{'states': {'on_cpu_s': 150, 'parallel_s': 40}}",
	  "states.runnable_s", 20, 20.1 },
	{ RULE_SERIAL_SHARE, "finding lock-contention", "{'states': {'on_cpu_s': 150, 'parallel_s': 40, 'turns_s': 100}}",
	  "states.runnable_s", 20, 20.1 },
	{ RULE_NODE_IDLE, "finding node-idle",
	  "{'nodes': [{'allocated': {'cpus': 4}, 'used': {'cpu_s': 399}}, {'allocated': {'cpus': 4},"
	  " 'used': {'cpu_s': 0}}]}",
	  "nodes.1.used.cpu_s", 7.99, 8 },
	{ RULE_NODE_BUSY, "finding node-idle",
	  "{'nodes': [{'allocated': {'cpus': 4}, 'used': {'cpu_s': 399}}, {'allocated': {'cpus': 4},"
	  " 'used': {'cpu_s': 0}}]}",
	  "nodes.0.used.cpu_s", 80, 79.9 },
	{ RULE_NETWORK_FS_WAIT, "finding network-file-system-waits",
	  "{'used': {'file_systems': [{'type': 'nfs4', 'class': 'network', 'waits': 7}]}}",
	  "used.file_systems.0.wait_s", 10, 9.99 },
	{ RULE_OPENS_MIN, "finding network-file-system-opens",
	  "{'used': {'file_systems': [{'type': 'nfs4', 'class': 'network'}]}}",
	  "used.file_systems.0.opens", 10000, 9999 },
	{ RULE_OPENS_RATE, "finding network-file-system-opens",
	  "{'job': {'elapsed_s': 1000}, 'states': {'active_s': 1000}, 'used': {'file_systems': [{'type': 'nfs4',"
	  " 'class': 'network'}]}}",
	  "used.file_systems.0.opens", 50000, 49999 },
	{ RULE_SMALL_IO_BYTES, "finding small-reads", "{'used': {'syscall_reads': 200000, 'cpu_s': 1}}",
	  "used.syscall_read_bytes", 811007999, 811008001 },
	{ RULE_SMALL_IO_OPS, "finding small-reads", "{'used': {'cpu_s': 1}}", "used.syscall_reads", 100000, 99999 },
	{ RULE_SMALL_IO_RATE, "finding small-reads", "{'used': {'syscall_read_bytes': 1000000}}", "used.syscall_reads",
	  4000000, 3999999 },
	{ RULE_SMALL_IO_BYTES, "finding small-writes", "{'used': {'syscall_writes': 200000, 'cpu_s': 1}}",
	  "used.syscall_write_bytes", 811007999, 811008001 },
	{ RULE_SMALL_IO_OPS, "finding small-writes", "{'used': {'cpu_s': 1}}", "used.syscall_writes", 100000, 99999 },
	{ RULE_SMALL_IO_RATE, "finding small-writes", "{'used': {'syscall_write_bytes': 1000000}}",
	  "used.syscall_writes", 4000000, 3999999 },
	{ RULE_RETRANSMITS_MIN, "finding tcp-retransmits", "{'used': {'network': {'tcp': {'tx_ops': 1000}}}}",
	  "used.network.tcp.retransmits", 100, 99 },
	{ RULE_RETRANSMIT_SHARE, "finding tcp-retransmits", "{'used': {'network': {'tcp': {'retransmits': 200}}}}",
	  "used.network.tcp.tx_ops", 20000, 20001 },
	{ RULE_RETRANSMIT_SHARE, "finding tcp-retransmits", "{'used': {'network': {'tcp': {'retransmits': 200}}}}",
	  "used.network.tcp.tx_bytes", 28960000, 28960001 },
	{ RULE_IDLE_EDGE, "finding idle-tail", NULL, "progress.idle_tail_s", 60, 59.9 },
	{ RULE_IDLE_EDGE, "finding idle-head", NULL, "progress.idle_head_s", 60, 59.9 },
	{ RULE_IDLE_EDGE_SHARE, "finding idle-tail", "{'job': {'elapsed_s': 1000}}",
	  "progress.idle_tail_s", 100, 99.9 },
	{ RULE_IDLE_EDGE_SHARE, "finding idle-head", "{'job': {'elapsed_s': 1000}}",
	  "progress.idle_head_s", 100, 99.9 },
	{ RULE_LAUNCH_MIN, "finding slow-launch", "{'job': {'elapsed_s': 20}, 'steps': [{'id': '0'}]}", "steps.0.launch_s", 5, 4.9 },
	{ RULE_LAUNCH_SHARE, "finding slow-launch", "{'steps': [{'id': 'batch'}]}", "steps.0.launch_s", 10, 9.9 },
	{ RULE_STALL_QUIET, "finding stalled",
	  "{'states': {'active_s': 55}, 'progress': {'stalls': [{'tool': 'solve', 'quiet_s': 50}]}}",
	  "states.bound.child_s", 45, 44.9 },
	{ RULE_STORM_MIN, "finding process-storm",
	  "{'job': {'elapsed_s': 10}, 'states': {'active_s': 10}, 'used': {'processes': 5000}, 'tools': [{'slurm': false,"
	  " 'runs': 1, 'wall_s': 50}, {'slurm': false, 'wall_s': 10}]}",
	  "tools.1.runs", 1000, 999 },
	{ RULE_STORM_MIN, "finding process-storm",
	  "{'job': {'elapsed_s': 10}, 'states': {'active_s': 10}, 'tools': [{'slurm': false, 'runs': 1500,"
	  " 'forks': 1500, 'wall_s': 20}]}", "used.processes", 1000, 999 },
	{ RULE_STORM_RATE, "finding process-storm",
	  "{'job': {'elapsed_s': 200}, 'states': {'active_s': 200}, 'used': {'processes': 50000},"
	  " 'tools': [{'slurm': false, 'wall_s': 20}]}",
	  "tools.0.runs", 10000, 9999 },
	{ RULE_STORM_LIFE, "finding process-storm", "{'used': {'processes': 50000}, 'tools': [{'slurm': false,"
	  " 'runs': 10000}]}",
	  "tools.0.wall_s", 199.9, 200 },
	{ RULE_TIME_NEAR, "finding time-limit-near", NULL, "job.elapsed_s", 270, 269.9 },
	{ RULE_TIME_OVER, "finding time-limit-long", "{'job': {'elapsed_s': 1000}}",
	  "requested.time_limit_s", 4000, 3999 },
	{ RULE_TIME_OVER_MIN, "finding time-limit-long", NULL, "requested.time_limit_s", 3600, 3599 },
	{ RULE_GPU_ELAPSED, "finding gpus-unused", "{'allocated': {'gpus': 1}, 'gpus': [], 'gpus_listed_s': 600}",
	  "job.elapsed_s", 600, 599.9 },
	{ RULE_GPU_COVERED, "finding gpus-unused", "{'job': {'elapsed_s': 1000}, 'allocated': {'gpus': 1}, 'gpus': []}",
	  "gpus_listed_s", 900, 899.9 },
	{ RULE_GPU_COVERED, "finding gpus-idle", ON_GPU("1", "'busy_share': 0.01", ""), "gpus.0.busy_covered_s", 900, 899.9 },
	{ RULE_GPU_IDLE, "finding gpus-idle", ON_GPU("1", "'busy_share': 0", ""), "gpus.0.busy_share", 0.0499, 0.05 },
	{ RULE_GPU_TAIL, "finding gpus-idle-tail", ON_GPU("1", "'busy_share': 0.6, 'busy_known_s': 7200, 'busy_covered_s': 7200", ", 'job': "
	  "{'elapsed_s': 7200}"), "gpus.0.idle_tail_s", 1800, 1799.9 },
	{ RULE_IDLE_EDGE_SHARE, "finding gpus-idle-tail", ON_GPU("1", "'busy_share': 0.6, 'busy_known_s': 20000, 'busy_covered_s': 20000",
	  ", 'job': {'elapsed_s': 20000}"), "gpus.0.idle_tail_s", 2000, 1999.9 },
	{ RULE_GPU_START, "finding gpus-used-at-start", ON_GPU("1", "'busy_share': 0.06", ""), "gpus.0.idle_tail_s", 900, 899.9 },
	{ RULE_GPU_HALF, "finding gpus-waited", ON_GPU("1", "'busy_share': 0.4", ""), "gpus.0.busy_share", 0.4999, 0.5 },
	{ RULE_GPU_FEEDER, "finding gpus-waited", ON_GPU("1", "'busy_share': 0.4", ""), "states.active_s", 898.3, 898.1 },
	{ RULE_GPU_MEMORY_NEAR, "finding gpu-memory-near-limit", ON_GPU("1", "'busy_share': 0.9, 'memory_total_bytes': 10000", ""),
	  "gpus.0.job_memory_peak_bytes", 9500, 9499 },
	{ RULE_GPU_LARGE, "finding gpu-memory-unused", ON_GPU("1", "'busy_share': 0.9, 'sm_share': 0.2, 'job_memory_peak_bytes': 1000", ""),
	  "gpus.0.memory_total_bytes", 32000000000, 31999999999 },
	{ RULE_GPU_MEMORY_FEW, "finding gpu-memory-unused", ON_GPU("1", "'busy_share': 0.9, 'sm_share': 0.2, 'memory_total_bytes': 40000000000", ""),
	  "gpus.0.job_memory_peak_bytes", 3999999999, 4000000000 },
	{ RULE_GPU_SMS, "finding gpu-memory-unused", ON_GPU("1", "'busy_share': 0.9, 'memory_total_bytes': 40000000000, 'job_memory_peak_bytes': 1000",
	  ""), "gpus.0.sm_share", 0.4999, 0.5 },
	{ RULE_FINDING_ELAPSED, "finding time-limit-long", "{'requested': {'time_limit_s': 3600}}", "job.elapsed_s",
	  60, 59.9 },
	{ RULE_ADVICE_ACTIVE, "finding time-limit-long", "{'requested': {'time_limit_s': 3600}, 'states': {'on_cpu_s':"
	  " 0.5, 'parallel_s': 0, 'bound': {'sleep_s': 99}}}", "states.active_s", 1, 0.99 },
	{ RULE_ADVICE_ACTIVE, "finding memory-over-asked", "{'used': {'memory_used_peak_bytes': " CASE_GIB "}, 'states':"
	  " {'on_cpu_s': 0.5, 'parallel_s': 0, 'bound': {'sleep_s': 99}}}", "states.active_s", 1, 0.99 },

	/* ---- advice ---- */
	{ RULE_ADVICE_ELAPSED, "advice #SBATCH --mem=1536M", "{'used': {'memory_used_peak_bytes': " CASE_GIB "}}",
	  "job.elapsed_s", 60, 59.9 },
	{ RULE_ADVICE_ACTIVE, "advice #SBATCH --mem=1536M", "{'used': {'memory_used_peak_bytes': " CASE_GIB "}, 'states':"
	  " {'on_cpu_s': 0.5, 'parallel_s': 0, 'bound': {'sleep_s': 99}}}", "states.active_s", 1, 0.99 },
	{ RULE_ADVICE_FACTOR, "advice #SBATCH --mem=2G", NULL, "used.memory_used_peak_bytes", 1789569706, 1789569707 },
	{ RULE_ADVICE_OOM_FACTOR, "advice #SBATCH --mem=16G", "{'used': {'oom_kills': 1}}",
	  "nodes.0.allocated.memory_limit_bytes", 8589934592, 8589934593 },
	{ RULE_ADVICE_TIMEOUT_FACTOR, "advice #SBATCH --time=00:10:00", "{'job': {'state': 'TIMEOUT'}}",
	  "requested.time_limit_s", 300, 300.1 },
	{ RULE_ADVICE_SAVING, "advice #SBATCH --mem=6G", "{'used': {'memory_used_peak_bytes': 5368709120}}",
	  "requested.memory_bytes", 8053063680, 8053063679 },
	{ RULE_ADVICE_PARALLEL, "advice #SBATCH --cpus-per-task=1", "{'states': {'parallel_s': 3}}",
	  "states.on_cpu_s", 104.89, 104.91 },
	{ RULE_ADVICE_PARALLEL, "advice #SBATCH --cpus-per-task=1", "{'states': {'on_cpu_s': 104}}",
	  "states.parallel_s", 5, 5.1 },
	{ RULE_ADVICE_TIME_MIN, "advice #SBATCH --time=00:10:00", "{'requested': {'time_limit_s': 7200}}",
	  "job.elapsed_s", 500, 500.1 },
	{ RULE_MEMORY_NEAR, "advice #SBATCH --mem=9G", "{'used': {'memory_used_peak_bytes': 7730941132}}",
	  "nodes.0.used.memory_used_peak_bytes", 7730941133, 7730941132 },
	{ RULE_TIME_NEAR, "advice #SBATCH --time=00:15:00", "{'requested': {'time_limit_s': 600}}",
	  "job.elapsed_s", 540, 539.9 },
	{ RULE_TIME_OVER, "advice #SBATCH --time=00:20:00", "{'job': {'elapsed_s': 1000}}",
	  "requested.time_limit_s", 4000, 3999 },
	{ RULE_TIME_OVER_MIN, "advice #SBATCH --time=00:10:00", NULL, "requested.time_limit_s", 3600, 3599 },
};

#define SIDES (sizeof(sides) / sizeof(sides[0]))

static bool says(const struct side *side, double value, const struct rules *rules)
{
	cleanup_json struct json_object *report = case_report(side->patch);

	case_set(report, side->path, value);
	judge(report, rules);
	return case_says(report, side->what);
}

static void either_side_of_each_threshold_is_told_apart(void **state)
{
	(void)state;
	for (size_t i = 0; i < SIDES; i++) {
		const struct side *side = &sides[i];

		if (!says(side, side->hit, NULL))
			fail_msg("%s: no '%s' with %s %.9g", rules_name(side->rule), side->what, side->path, side->hit);
		if (says(side, side->miss, NULL))
			fail_msg("%s: '%s' with %s %.9g", rules_name(side->rule), side->what, side->path, side->miss);
	}
}

static void each_threshold_has_its_test(void **state)
{
	bool tested[RULE_COUNT] = { false };

	(void)state;
	for (size_t i = 0; i < SIDES; i++)
		tested[sides[i].rule] = true;
	for (enum rule i = 0; i < RULE_COUNT; i++)
		if (!tested[i])
			fail_msg("no test is about %s", rules_name(i));
}

static bool turns(const struct side *side, double factor)
{
	struct rules rules;
	struct error err;

	rules_defaults(&rules);
	if (rules_set(&rules, rules_name(side->rule), rules.value[side->rule] * factor, &err) < 0)
		fail_msg("%s", err.text);
	return !says(side, side->hit, &rules) || says(side, side->miss, &rules);
}

static void a_site_can_move_each_threshold(void **state)
{
	(void)state;
	for (size_t i = 0; i < SIDES; i++)
		if (!turns(&sides[i], 1.01) && !turns(&sides[i], 0.99))
			fail_msg("%s decides nothing about '%s'", rules_name(sides[i].rule), sides[i].what);
}

static void what_is_no_rule_or_out_of_range_is_refused(void **state)
{
	struct rules rules;
	struct error err;

	(void)state;
	rules_defaults(&rules);
	assert_true(rules_known("cpu_share"));
	assert_false(rules_known("cpu_shares"));
	assert_false(rules_known(""));
	assert_int_equal(rules_set(&rules, "cpu_shares", 0.5, &err), -1);
	assert_string_equal(err.text, "there is no rule 'cpu_shares'");
	assert_int_equal(rules_set(&rules, "cpu_share", 1.01, &err), -1);
	assert_string_equal(err.text, "rule cpu_share: 1.01 is not from 0 to 1; 0.75 applies");
	assert_int_equal(rules_set(&rules, "cpu_share", -0.01, &err), -1);
	assert_int_equal(rules_set(&rules, "cpu_share", NAN, &err), -1);
	assert_true(rules.value[RULE_CPU_SHARE] == 0.75);
	assert_int_equal(rules_set(&rules, "cpu_share", 1, &err), 0);
	assert_int_equal(rules_set(&rules, "cpu_share", 0, &err), 0);
	assert_true(rules.value[RULE_CPU_SHARE] == 0);
}

static void a_bad_setting_of_the_site_costs_no_other_and_is_named(void **state)
{
	cleanup_json struct json_object *gaps = json_object_new_array();
	static struct conf conf;
	struct rules rules;

	(void)state;
	conf.rules[0] = (struct conf_rule){ "serial_share", 2 };
	conf.rules[1] = (struct conf_rule){ "cpu_share", 0.5 };
	conf.rule_count = 2;
	rules_of_site(&rules, &conf, NULL);
	assert_true(rules.value[RULE_CPU_SHARE] == 0.5);
	rules_of_site(&rules, &conf, gaps);
	assert_true(rules.value[RULE_CPU_SHARE] == 0.5 && rules.value[RULE_SERIAL_SHARE] <= 1);
	assert_int_equal(field_length(gaps), 1);
	assert_string_equal(field_text(json_object_array_get_idx(gaps, 0), "name"), "verdict");
	assert_non_null(strstr(field_text(json_object_array_get_idx(gaps, 0), "reason"), "stint.conf: rule serial_share"));
}

static void each_finding_says_what_it_is(void **state)
{
	(void)state;
	for (enum finding i = 0; i < FINDING_COUNT; i++) {
		const struct finding_rule *rule = &finding_rules[i];

		assert_non_null(rule->code);
		assert_int_equal(strspn(rule->code, "abcdefghijklmnopqrstuvwxyz-"), strlen(rule->code));
		assert_non_null(rule->hint);
		assert_within(strlen(rule->words), 1, 17);
		assert_true(strcmp(rule->severity, "critical") == 0 || strcmp(rule->severity, "warning") == 0 ||
			    strcmp(rule->severity, "info") == 0);
	}
}

static char *read_docs(void)
{
	const char *source = getenv("srcdir");
	struct error err = { "" };
	char path[512], *text;
	size_t len;

	snprintf(path, sizeof(path), "%s/docs/verdict.md", source ? source : ".");
	text = file_read(AT_FDCWD, path, 1 << 20, &len, &err);
	if (!text)
		fail_msg("%s", err.text);
	return text;
}

static void the_documentation_has_the_table_as_it_is(void **state)
{
	cleanup_free char *text = read_docs();
	struct rules rules;
	char row[128];

	(void)state;
	rules_defaults(&rules);
	for (enum rule i = 0; i < RULE_COUNT; i++) {
		snprintf(row, sizeof(row), "| `%s` | %.10g |", rules_name(i), rules.value[i]);
		if (!strstr(text, row))
			fail_msg("docs/verdict.md has no row %s", row);
	}
	for (enum finding i = 0; i < FINDING_COUNT; i++) {
		snprintf(row, sizeof(row), "| `%s` | %s |", finding_rules[i].code, finding_rules[i].severity);
		if (!strstr(text, row))
			fail_msg("docs/verdict.md has no row %s", row);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(either_side_of_each_threshold_is_told_apart),
		cmocka_unit_test(each_threshold_has_its_test),
		cmocka_unit_test(a_site_can_move_each_threshold),
		cmocka_unit_test(what_is_no_rule_or_out_of_range_is_refused),
		cmocka_unit_test(a_bad_setting_of_the_site_costs_no_other_and_is_named),
		cmocka_unit_test(each_finding_says_what_it_is),
		cmocka_unit_test(the_documentation_has_the_table_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
