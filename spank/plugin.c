/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements the plugin's hooks, for sbatch, salloc, srun, slurmd and each slurmstepd.
 *
 * None of these programs may fail because of the plugin: each hook returns 0 and keeps errno.
 * Only a command with a wrong --stint fails.
 */
#include "spank/plugin.h"

#include <stddef.h>

#include "common/escape.h"
#include "spank/step.h"

SPANK_PLUGIN(stint, 1)

struct plugin plugin;

static int take_option(int val, const char *value, int remote);

static struct spank_option option = {
	.name = "stint",
	.arginfo = "off|summary|timeline[,output=FILE]",
	.usage = "report what the job really used: off, summary (no timeline) or timeline; output=FILE says where "
		 "(%i job id, %j, %A, %a, %x name, %u user, %N node)",
	.has_arg = 1,
	.cb = take_option,
};

static int take_option(int val, const char *value, int remote)
{
	char shown[1024];
	struct error err;

	(void)val;
	if (options_parse_job(value, &plugin.job, &err) == 0)
		return 0;
	/* The value can come from the job's environment, into which the user can put any text. */
	slurm_error("stint: %s", escape_text(err.text, shown, sizeof(shown)));
	return remote ? 0 : -1;
}

/* Logs a mistake in plugstack.conf only on nodes, because each user of sbatch would see it otherwise. */
void plugin_read_arguments(int count, char *arguments[])
{
	spank_context_t context = spank_context();
	struct error err;

	plugin.enabled = options_parse_arguments(count, arguments, &plugin.site, &err) == 0;
	if (!plugin.enabled && context != S_CTX_ALLOCATOR && context != S_CTX_LOCAL)
		slurm_error("stint: %s; no job is counted", err.text);
}

void plugin_read_option(spank_t spank)
{
	char *value = NULL;

	if (spank_option_getopt(spank, &option, &value) == ESPANK_SUCCESS && value)
		take_option(option.val, value, 1);
}

int slurm_spank_init(spank_t spank, int count, char *arguments[])
{
	KEEPS_ERRNO;

	plugin_read_arguments(count, arguments);
	spank_option_register(spank, &option);
	return 0;
}

int slurm_spank_task_post_fork(spank_t spank, int count, char *arguments[])
{
	KEEPS_ERRNO;

	(void)count;
	(void)arguments;
	if (plugin.enabled)
		step_task_started(spank, &plugin.site, &plugin.job);
	return 0;
}

int slurm_spank_task_exit(spank_t spank, int count, char *arguments[])
{
	KEEPS_ERRNO;

	(void)count;
	(void)arguments;
	if (plugin.enabled)
		step_task_ended(spank);
	return 0;
}

int slurm_spank_exit(spank_t spank, int count, char *arguments[])
{
	KEEPS_ERRNO;

	(void)count;
	(void)arguments;
	if (plugin.enabled && spank_context() == S_CTX_REMOTE)
		step_ended(spank, &plugin.site);
	return 0;
}
