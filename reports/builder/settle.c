/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/settle.h"

#include <stdint.h>

#include "reports/builder/report_cores.h"
#include "reports/builder/report_series.h"
#include "reports/json/field.h"
#include "reports/records/merge.h"

void settle_record(struct json_object *record, struct json_object *slurm)
{
	struct merge_script script;
	int64_t job_id = 0;

	field_count(record, "identity.job_id", &job_id);
	merge_find_script(slurm, job_id, &script);
	merge_settle_timeline(record, &script);
	merge_settle_tools(record);
	merge_settle_tasks(record);
	cores_settle(record);
	series_settle(record);
}
