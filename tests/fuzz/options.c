/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes the plugin's settings, from the user's --stint= and the site's arguments.
 * Also fuzzes short texts of users and Slurm: job names ("10_2"), resources ("cpu=4,mem=7.50G",
 * "gpu:a100:2(IDX:0-1)").
 */
#include <stdlib.h>
#include <string.h>

#include "common/pattern.h"
#include "reports/read/locate.h"
#include "spank/options.h"
#include "spank/slurm_job/gpus.h"
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

static void check_gpus(const struct gpus *gpus, void *data)
{
	uint64_t shares = 0;

	HOLDS(data && gpus->kind <= GPUS_MPS && gpus->count > 0 && gpus->index_count <= GPUS_INDEXES_MAX);
	HOLDS(memchr(gpus->type, '\0', sizeof(gpus->type)));
	for (uint32_t i = 0; i < gpus->index_count; i++) {
		HOLDS(i == 0 || gpus->indexes[i] > gpus->indexes[i - 1]);
		HOLDS(gpus->shares[i] <= gpus->shares_of[i]);
		shares += gpus->shares[i];
	}
	HOLDS(gpus->index_count <= gpus->count);
	HOLDS(gpus->kind != GPUS_WHOLE || gpus->index_count == 0 || gpus->index_count == gpus->count);
	HOLDS(gpus->index_count == 0 || gpus->shares_of[0] == 0 || shares == gpus->count);
	(*(size_t *)data)++;
}

static void check_all_gpus(const char *text)
{
	size_t count = 0;
	bool refused = gpus_of_gres(text, check_gpus, &count) < 0;

	HOLDS(count <= (refused ? 0 : GPUS_KINDS_MAX));
	count = 0;
	refused = gpus_of_tres(text, check_gpus, &count) < 0;
	HOLDS(count <= (refused ? 0 : GPUS_KINDS_MAX));
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
	check_all_gpus(text);
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
