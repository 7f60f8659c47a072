/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a report only copies of a node's record: the timeline, the steps' tasks, the cores, the series. builder/settle.h makes it as
 * soon as the record is read, in place of their JSON, which takes several times as much memory. It lives as long as the record, and
 * its memory as long as any report that keeps its part (report_keep()).
 */
#ifndef STINT_SETTLED_H
#define STINT_SETTLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "reports/model/report.h"

struct settled {
	struct report *part; /* in whose memory all lies. It has the timeline, in the record's order, and the series with its gaps */
	int64_t *starts; /* of the entries of its timeline, in ns since 1970 */
	bool *judged;    /* which of them the verdict looks at (kept.h) */
	struct report_task_list *tasks; /* of each of the record's steps, by its place there */
	size_t steps;
	struct report_core_list cores;
};

/* Returns an empty one, for settled_attach(); NULL if memory is short. */
struct settled *settled_new(void);

/* Gives @settled to @record, which has none. */
void settled_attach(struct json_object *record, struct settled *settled);

/* Returns what was settled of @record; NULL: nothing was. */
const struct settled *settled_of(struct json_object *record);

#endif
