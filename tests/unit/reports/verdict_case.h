/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs of all kinds, each with the verdict that it was made for. Include this after cmocka.h. */
#ifndef STINT_VERDICT_CASE_H
#define STINT_VERDICT_CASE_H

#include "tests/unit/reports/case.h"

/* No thread did anything, and there was no step. Merged into the sound job before each kind of job. */
#define STILL                                                                                            \
	"{'used': {'cpu_s': 0, 'cpu_efficiency': null}, 'series': [], 'states': {'on_cpu_s': 0, 'runnable_s': 0," \
	" 'lifetime_s': 0, 'child_s': 0, 'active_s': 0, 'parallel_s': 0, 'busy_peak': 0,"                 \
	" 'some': {'child_s': 0}, 'waits': {'child': 0}}}"

struct kind {
	const char *name;
	int nodes, cores;
	double elapsed_s;
	const char *states;
	const char *word;
	double share;
};

static inline struct json_object *kind_report(const struct kind *kind)
{
	struct json_object *report = case_report(STILL), *nodes = json_object_new_array();
	cleanup_json struct json_object *states = case_json(kind->states);

	for (int i = 0; i < kind->nodes; i++)
		json_object_array_add(nodes,
		json_object_get(json_object_array_get_idx(field_find(report, "nodes"), 0)));
	json_object_object_add(report, "nodes", nodes);
	case_set(report, "requested.nodes", kind->nodes);
	case_set(report, "allocated.nodes", kind->nodes);
	case_set(report, "allocated.cpus", kind->nodes * kind->cores);
	case_set(report, "allocated.cores", kind->nodes * kind->cores);
	case_set(report, "progress.cores_bound", kind->nodes * kind->cores);
	case_set(report, "progress.cores_used", kind->nodes * kind->cores);
	case_set(report, "job.elapsed_s", kind->elapsed_s);
	case_merge(report, states);
	return report;
}

static inline void check_kinds(const struct kind *kinds, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct kind *kind = &kinds[i];
		cleanup_json struct json_object *report = kind_report(kind);
		double share = NAN;

		judge(report, NULL);
		field_number(report, "verdict.share", &share);
		if (strcmp(field_text(report, "verdict.bound"), kind->word) != 0)
			fail_msg("%s: %s, not %s", kind->name,
				 json_object_to_json_string(field_find(report, "verdict")), kind->word);
		if (isnan(share) != isnan(kind->share) || fabs(share - kind->share) > 0.005)
			fail_msg("%s: %s, share not %g", kind->name,
				 json_object_to_json_string(field_find(report, "verdict")), kind->share);
	}
}

/* Judges the sound job with @patch. Returns its sentence. @report: set to its report, which the caller must free */
static inline const char *text_of(const char *patch, struct json_object **report)
{
	*report = case_report(patch);
	judge(*report, NULL);
	return field_text(*report, "verdict.text");
}

#endif
