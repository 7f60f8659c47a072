/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All thresholds and findings. docs/verdict.md gives the reasons.
 * A site sets thresholds in stint.conf: "rule.NAME = NUMBER".
 */
#ifndef STINT_RULES_H
#define STINT_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

#include "common/conf.h"
#include "common/error.h"

/* X(enum, name, default, least, most), in the order of docs/verdict.md. */
#define RULES(X)                                                                         \
	/* the verdict */                                                                \
	X(LIVE_MIN, "live_min_s", 0.1, 0, 3600)                                          \
	X(START_UP, "start_up_s", 2, 0, 600)                                             \
	X(MEMORY_SHARE, "memory_share", 0.3, 0, 1)                                       \
	X(MEMORY_NEAR, "memory_near_share", 0.9, 0, 1)                                   \
	X(SWAP_MIN, "swap_min_bytes", 1 << 20, 0, 1e15)                                  \
	X(CROWD_WAIT, "oversubscribed_wait_share", 0.3, 0, 1)                            \
	X(CROWD_BUSY, "oversubscribed_busy_per_cpu", 1.2, 0, 1000)                       \
	X(CROWD_ACTIVE, "oversubscribed_active_share", 0.5, 0, 1)                        \
	X(STARVED_WAIT, "starved_share", 0.3, 0, 1)                                      \
	X(STARVED_ACTIVE, "starved_active_share", 0.5, 0, 1)                             \
	X(SWITCH, "switch_s", 0.00002, 0, 1)                                             \
	X(THROTTLED, "throttled_part", 0.5, 0, 1)                                        \
	X(CPU_SHARE, "cpu_share", 0.75, 0, 1)                                            \
	X(FILE_IO_SHARE, "file_io_share", 0.5, 0, 1)                                     \
	X(GPU_SHARE, "gpu_share", 0.5, 0, 1)                                             \
	X(NETWORK_SHARE, "network_share", 0.5, 0, 1)                                     \
	X(NETWORK_WAIT, "network_wait_max_s", 5, 0, 86400)                               \
	X(EVENT_WAIT, "event_wait_max_s", 0.1, 0, 86400)                                 \
	X(EVENT_OPS, "event_socket_ops", 0.5, 0, 1000)                                   \
	X(LOCK_SHARE, "lock_share", 0.5, 0, 1)                                           \
	X(LOCK_WAIT, "lock_wait_max_s", 0.1, 0, 86400)                                   \
	X(TURNS_SHARE, "turns_share", 0.3, 0, 1)                                         \
	X(SERIAL_SHARE, "serial_share", 0.5, 0, 1)                                       \
	X(IDLE_SHARE, "idle_share", 0.5, 0, 1)                                           \
	/* findings */                                                                   \
	X(FINDING_ELAPSED, "finding_elapsed_s", 60, 0, 1e9)                              \
	X(RECLAIM_SHARE, "reclaim_share", 0.05, 0, 1000)                                 \
	X(FAULT_IO_SHARE, "fault_io_share", 0.1, 0, 1000)                                \
	X(FAULT_IO_MIN, "fault_io_min_s", 5, 0, 1e9)                                     \
	X(MEMORY_OVER, "memory_over_factor", 2, 1, 1000)                                 \
	X(MEMORY_OVER_MIN, "memory_over_min_bytes", 1 << 30, 0, 1e18)                    \
	X(CPU_EFFICIENCY, "cpu_efficiency_min", 0.5, 0, 1)                               \
	X(CPU_WASTE, "cpu_waste_min_core_hours", 0.1, 0, 1e9)                            \
	X(CPU_WAIT_MIN, "cpu_wait_min_s", 5, 0, 1e9)                                     \
	X(CPUS_EXCEEDED, "cpus_exceeded_factor", 1.1, 1, 1000)                           \
	X(LOCK_CONTENTION, "lock_contention_share", 0.25, 0, 1)                          \
	X(TURNS_CONTENTION, "turns_contention_share", 0.25, 0, 1)                        \
	X(NODE_IDLE, "node_idle_share", 0.02, 0, 1)                                      \
	X(NODE_BUSY, "node_busy_share", 0.2, 0, 1)                                       \
	X(NETWORK_FS_WAIT, "network_fs_wait_share", 0.1, 0, 1000)                        \
	X(OPENS_MIN, "opens_min", 10000, 0, 1e15)                                        \
	X(OPENS_RATE, "opens_per_s", 50, 0, 1e9)                                         \
	X(SMALL_IO_BYTES, "small_io_bytes", 4096, 0, 1e15)                               \
	X(SMALL_IO_OPS, "small_io_ops", 100000, 0, 1e15)                                 \
	X(SMALL_IO_RATE, "small_io_per_cpu_s", 10000, 0, 1e9)                            \
	X(SYNC_SHARE, "sync_wait_share", 0.1, 0, 1000)                                   \
	X(SYNC_MIN, "sync_waits_min", 100, 0, 1e15)                                      \
	X(SYNC_MIN_S, "sync_wait_min_s", 1, 0, 1e9)                                      \
	X(RETRANSMITS_MIN, "retransmits_min", 100, 0, 1e15)                              \
	X(RETRANSMIT_SHARE, "retransmit_share", 0.01, 0, 1)                              \
	X(IDLE_EDGE, "idle_edge_s", 60, 0, 1e9)                                          \
	X(IDLE_EDGE_SHARE, "idle_edge_share", 0.1, 0, 1)                                 \
	X(LAUNCH_MIN, "launch_min_s", 5, 0, 1e9)                                         \
	X(LAUNCH_SHARE, "launch_share", 0.1, 0, 1)                                       \
	X(STALL_QUIET, "stall_quiet_share", 0.9, 0, 1)                                   \
	X(STORM_MIN, "process_storm_min", 1000, 0, 1e15)                                 \
	X(STORM_RATE, "process_storm_per_s", 50, 0, 1e9)                                 \
	X(STORM_LIFE, "process_storm_life_s", 0.02, 0, 86400)                            \
	X(TIME_NEAR, "time_near_share", 0.9, 0, 1)                                       \
	X(TIME_OVER, "time_over_factor", 4, 1, 1e6)                                      \
	X(TIME_OVER_MIN, "time_over_min_s", 3600, 0, 1e9)                                \
	X(GPU_ELAPSED, "gpu_elapsed_s", 600, 0, 1e9)                                     \
	X(GPU_COVERED, "gpu_covered_share", 0.9, 0, 1)                                   \
	X(GPU_IDLE, "gpu_idle_share", 0.05, 0, 1)                                        \
	X(GPU_TAIL, "gpu_idle_tail_s", 1800, 0, 1e9)                                     \
	X(GPU_START, "gpu_start_share", 0.1, 0, 1)                                       \
	X(GPU_HALF, "gpu_half_share", 0.5, 0, 1)                                         \
	X(GPU_FEEDER, "gpu_one_thread_share", 0.9, 0, 1)                                 \
	X(GPU_MEMORY_NEAR, "gpu_memory_near_share", 0.95, 0, 1)                          \
	X(GPU_LARGE, "gpu_memory_large_bytes", 32e9, 0, 1e15)                            \
	X(GPU_MEMORY_FEW, "gpu_memory_few_share", 0.1, 0, 1)                             \
	X(GPU_SMS, "gpu_sm_share", 0.5, 0, 1)                                            \
	/* advice */                                                                     \
	X(ADVICE_ELAPSED, "advice_elapsed_s", 60, 0, 1e9)                                \
	X(ADVICE_ACTIVE, "advice_active_share", 0.01, 0, 1)                              \
	X(ADVICE_FACTOR, "advice_factor", 1.2, 1, 100)                                   \
	X(ADVICE_OOM_FACTOR, "advice_oom_factor", 2, 1, 100)                             \
	X(ADVICE_TIMEOUT_FACTOR, "advice_timeout_factor", 2, 1, 100)                     \
	X(ADVICE_SAVING, "advice_saving_share", 0.2, 0, 1)                               \
	X(ADVICE_PARALLEL, "advice_parallel_share", 0.05, 0, 1)                          \
	X(ADVICE_TIME_MIN, "advice_time_min_s", 600, 60, 1e9)

enum rule {
#define RULE_ENUM(rule, name, value, least, most) RULE_##rule,
	RULES(RULE_ENUM)
#undef RULE_ENUM
	RULE_COUNT
};

/* Reports list findings by severity, and then in this order: the worst first. */
enum finding {
	FINDING_OOM_KILL,
	FINDING_TIME_LIMIT_HIT,
	FINDING_WORK_FAILED,
	FINDING_GPU_ERRORS,
	FINDING_GPUS_UNUSED,
	FINDING_GPUS_IDLE,
	FINDING_GPU_START,
	FINDING_GPU_TAIL,
	FINDING_GPU_WAITED,
	FINDING_NODE_IDLE,
	FINDING_MEMORY_SWAPPED,
	FINDING_MEMORY_NEAR_LIMIT,
	FINDING_MEMORY_RECLAIM,
	FINDING_PAGE_WAITS,
	FINDING_CPUS_EXCEEDED,
	FINDING_OVERSUBSCRIBED,
	FINDING_CROWDED,
	FINDING_CPU_THROTTLED,
	FINDING_CPU_STARVED,
	FINDING_LOCK_CONTENTION,
	FINDING_SERIAL,
	FINDING_CPU_EFFICIENCY,
	FINDING_CORES_UNUSED,
	FINDING_MEMORY_OVER_ASKED,
	FINDING_NETWORK_FS_WAITS,
	FINDING_NETWORK_FS_OPENS,
	FINDING_SMALL_READS,
	FINDING_SMALL_WRITES,
	FINDING_SYNC_WAITS,
	FINDING_TCP_RETRANSMITS,
	FINDING_PROCESS_STORM,
	FINDING_STALLED,
	FINDING_SLOW_LAUNCH,
	FINDING_IDLE_HEAD,
	FINDING_IDLE_TAIL,
	FINDING_TOOLS_KILLED,
	FINDING_TIME_LIMIT_NEAR,
	FINDING_TIME_LIMIT_LONG,
	FINDING_GPU_MEMORY_NEAR,
	FINDING_GPU_MEMORY_FEW,
	FINDING_EMPTY_STEPS,
	FINDING_NOT_FOUND,
	FINDING_TOOLS_FAILED,
	FINDING_COUNT
};

#define RULE_FINDING_MAX 5 /* most thresholds of one finding */

struct finding_rule {
	const char *code;
	const char *severity; /* critical, warning, info */
	const char *words;    /* for a cell of a table; 14 columns on a narrow page */
	const char *of_many;  /* for several jobs, after "4 jobs" */
	const char *sentence; /* pattern of the finding's sentence (sentence.h) */
	const char *hint;     /* what the user can do */
	unsigned int rule_count;
	enum rule rules[RULE_FINDING_MAX]; /* the thresholds; RULE_LIVE_MIN: the finding is only for jobs of at least live_min_s */
	bool of_unused; /* the finding is about unused resources; uncounted processes may have used them */
};

extern const struct finding_rule finding_rules[FINDING_COUNT];

/* Returns the finding with the code of @length bytes at @code; NULL if none. */
const struct finding_rule *rules_finding(const char *code, size_t length);

/* Returns the code of the finding whose words are @words ("many threads"); @words if no finding has these words. */
const char *rules_finding_code(const char *words);

struct rules {
	double value[RULE_COUNT];
};

void rules_defaults(struct rules *rules);

bool rules_are_defaults(const struct rules *rules);

bool rules_known(const char *name);

/*
 * Sets the rule @name as stint.conf does.
 * Returns 0; -1 with @err set and @rules unchanged if no rule has this name, or if @value is out of range.
 */
int rules_set(struct rules *rules, const char *name, double value, struct error *err);

/*
 * Fills @rules with the defaults and the settings of stint.conf.
 * @gaps: the report's gaps; gets one for each refused setting. May be NULL.
 */
void rules_of_site(struct rules *rules, const struct conf *conf, struct json_object *gaps);

/*
 * Return true if the time limit @limit_s was too near to @elapsed_s, or far too long.
 * NAN: not known.
 */
bool rules_time_near(const struct rules *rules, double elapsed_s, double limit_s);
bool rules_time_long(const struct rules *rules, double elapsed_s, double limit_s);

/* Returns true if asking for @enough instead of @had saves enough for a line of advice. */
bool rules_saves(const struct rules *rules, double enough, double had);

const char *rules_name(enum rule rule);

#endif
