/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/verdict/advice_lines.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char *const heads[ADVICE_PLACES] = {
	[ADVICE_AT_TOP] = "lines for the job script",
	[ADVICE_OF_COMMAND] = "options for salloc or srun",
	[ADVICE_ABOVE] = "above the command that does the work",
	[ADVICE_OF_STEP] = "as an option of the step's srun",
};

/* "#SBATCH hetjob" separates the components in a script. */
static void write_component(int64_t offset, enum advice_place place, char text[ADVICE_HEAD_TEXT])
{
	int size = ADVICE_HEAD_TEXT;

	if (place == ADVICE_OF_COMMAND)
		snprintf(text, size, "%s, for component %lld", heads[place], (long long)offset);
	else if (offset == 0)
		snprintf(text, size, "%s, for component 0: above #SBATCH hetjob", heads[place]);
	else if (offset == 1)
		snprintf(text, size, "%s, for component 1: below #SBATCH hetjob", heads[place]);
	else
		snprintf(text, size, "%s, for component %lld: below hetjob no. %lld", heads[place], (long long)offset,
			 (long long)offset);
}

const char *advice_place_head(const struct report *report, enum advice_place place, char text[ADVICE_HEAD_TEXT])
{
	if ((place == ADVICE_AT_TOP || place == ADVICE_OF_COMMAND) && report->job.het_job_offset >= 0)
		write_component(report->job.het_job_offset, place, text);
	else
		snprintf(text, ADVICE_HEAD_TEXT, "%s", heads[place]);
	return text;
}

const char *advice_of_task(const struct report *report, char text[ADVICE_OF_TASK_TEXT])
{
	int64_t array = report->job.array_job_id, task = report->job.array_task_id;

	if (array < 0 || task < 0)
		return NULL;
	snprintf(text, ADVICE_OF_TASK_TEXT,
		 "This is for task %lld. Others of the array may need more: see stint report %lld before you use it for all.", (long long)task,
		 (long long)array);
	return text;
}

static bool begins(const char *line, const char *word)
{
	return strncmp(line, word, strlen(word)) == 0;
}

enum advice_place advice_place_of(const char *line)
{
	if (begins(line, "#SBATCH "))
		return ADVICE_AT_TOP;
	if (begins(line, "--"))
		return ADVICE_OF_COMMAND;
	return begins(line, "srun ") ? ADVICE_OF_STEP : ADVICE_ABOVE;
}

static const char *after(const char *line, const char *word)
{
	return begins(line, word) ? line + strlen(word) : NULL;
}

/* Returns true for options as written by advice_write_*(), alone or after "#SBATCH " or "srun ". */
static bool is_options(const char *line)
{
	static const char *const options[] = { "--mem=",    "--mem-per-cpu=",   "--nodes=",
					       "--ntasks=", "--cpus-per-task=", "--time=" };
	const char *value = NULL;

	for (size_t i = 0; !value && i < sizeof(options) / sizeof(options[0]); i++)
		value = after(line, options[i]);
	if (!value)
		return false;
	value += strspn(value, "0123456789:-KMGT");
	return *value == '\0' || (*value == ' ' && is_options(value + 1));
}

static bool is_export(const char *line)
{
	const char *rest = after(line, "export OMP_NUM_THREADS=");

	if (!rest)
		rest = after(line, "export SRUN_CPUS_PER_TASK=");
	rest = rest ? after(rest, "${SLURM_CPUS_PER_TASK:-") : NULL;
	return rest && strcmp(rest + strspn(rest, "0123456789"), "}") == 0;
}

static bool is_known(const char *line)
{
	const char *rest = after(line, "#SBATCH ");

	if (!rest)
		rest = after(line, "srun ");
	if (!rest && begins(line, "--"))
		rest = line;
	return rest ? is_options(rest) : is_export(line);
}

const char *advice_line(const struct report_advice *one)
{
	return one->line && is_known(one->line) ? one->line : NULL;
}

const char *advice_next_line(const struct report_advice_list *advice, enum advice_place place, size_t *at)
{
	while (*at < advice->count) {
		const char *line = advice_line(&advice->items[(*at)++]);

		if (line && advice_place_of(line) == place)
			return line;
	}
	return NULL;
}
