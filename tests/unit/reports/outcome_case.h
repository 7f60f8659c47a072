/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Endings of jobs, and the sentence that each must get. Include this after cmocka.h. */
#ifndef STINT_OUTCOME_CASE_H
#define STINT_OUTCOME_CASE_H

#include "reports/verdict/outcome.h"
#include "tests/unit/reports/case.h"

struct ending {
	const char *patch, *text;
};

static inline void check(const struct ending *endings, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		cleanup_json struct json_object *report = case_report(endings[i].patch);

		judge(report, NULL);
		assert_string_equal(field_text(report, "verdict.outcome"), endings[i].text);
	}
}

#define CHECK(endings) check(endings, sizeof(endings) / sizeof((endings)[0]))

/* A job that ended with an exit code, its steps, and a timeline: a script, and what it ran. */
#define FAILED(code) "{'job': {'state': 'FAILED', 'start': '2026-11-21T08:00:00.000+00:00', 'exit_code': " code "},"
#define BATCH " 'steps': [{'id': 'batch', 'elapsed_s': 100, 'tasks': [{'rank': 0, 'pid': 100, 'node': 'n1'}]}],"
#define ENTRY(tool, step, pid, ppid, end, rest) \
	"{'tool': '" tool "', 'node': 'n1', 'step': '" step "', 'pid': " pid ", 'ppid': " ppid \
	", 'start': '2026-11-21T08:00:00.100+00:00', 'end': '2026-11-21T08:00:" end "+00:00', " rest "}"
#define SCRIPT(rest) ENTRY("run.sh", "batch", "100", "99", "12.500", "'interpreter': 'bash', " rest)

/* A job whose script the kernel killed for memory, together with one of Slurm's own processes. */
#define SCRIPT_KILLED(state, batch, victim) "{'job': {'state': '" state "', 'start': '2026-11-21T08:00:00.000+00:00', 'elapsed_s': 3600}," \
	" 'progress': {'idle_tail_s': 3590}, 'steps': [{'id': 'batch', 'tasks': [{'pid': 7}]" batch "}], 'used': {'oom_kills': 2}, 'oom': [" victim \
	", 'limit_bytes': 8589934592, 'time': '2026-11-21T08:00:03.500+00:00'}, {'tool': 'slurmstepd', 'slurm': true, 'limit_bytes': 8589934592}]}"
#define SCRIPT_PID "{'tool': 'x.sh', 'pid': 7, 'step': 'batch'"

#endif
