/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes the plugin's settings, from the user's --stint= and the site's arguments.
 * Also fuzzes short texts of users and Slurm: job names ("10_2"), resources ("cpu=4,mem=7.50G").
 */
#include <stdlib.h>
#include <string.h>

#include "common/pattern.h"
#include "reports/read/locate.h"
#include "spank/options.h"
#include "spank/slurm_job/tres.h"
#include "tests/fuzz/fuzz.h"

static void check_job(const char *text)
{
	struct options_job job;
	struct error err = { "" };

	memset(&job, 0xff, sizeof(job));
	if (options_parse_job(text, &job, &err) < 0) {
		HOLDS(err.text[0] && job.mode == CONTROL_MODE_DEFAULT && !job.output[0]);
		return;
	}
	HOLDS(job.mode <= CONTROL_MODE_TIMELINE && (job.mode || job.output[0]));
	HOLDS(!job.output[0] || pattern_check(job.output, &err) == 0);
	HOLDS(!job.output[0] || strcmp(text + strlen(text) - strlen(job.output), job.output) == 0);
}

static void check_arguments(char *text)
{
	struct options_arguments parsed;
	char *arguments[4], *save;
	struct error err = { "" };
	int count = 0;

	for (char *word = strtok_r(text, " ", &save); word && count < 4; word = strtok_r(NULL, " ", &save))
		arguments[count++] = word;
	if (options_parse_arguments(count, arguments, &parsed, &err) == 0)
		HOLDS(parsed.run_dir[0] == '/' && strlen(parsed.run_dir) <= MESSAGE_RUN_DIR_MAX);
	else
		HOLDS(err.text[0]);
}

static void check_short(const char *text)
{
	struct locate_job job;
	uint64_t bytes = 0;
	uint32_t count = 0;

	if (locate_parse_job(text, &job))
		HOLDS(job.id > 0 && job.id <= UINT32_MAX && job.task >= -1 && job.task <= UINT32_MAX);
	HOLDS(tres_memory(text, &bytes) == 0 || bytes == 0);
	HOLDS(tres_count(text, "cpu", &count) == 0 ? count < UINT32_MAX : count == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	HOLDS(text);
	memcpy(text, data, size);
	text[size] = '\0';
	check_job(text);
	check_short(text);
	check_arguments(text);
	free(text);
	return 0;
}
