/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plugin's hooks. sbatch, salloc, srun, slurmd and every slurmstepd load the
 * plugin, and none of them may fail because of it: every hook returns 0. It refuses
 * only a wrong value of --stint, to the user who typed it.
 * errno is Slurm's own: every hook leaves it as it was.
 */
#include <slurm/spank.h>

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/escape.h"
#include "spank/epilog.h"
#include "spank/options.h"
#include "spank/step.h"

SPANK_PLUGIN(stint, 1)

static void give_back(const int *saved)
{
	errno = *saved;
}

/* Must be declared first in a hook. */
#define KEEPS_ERRNO const int saved __attribute__((cleanup(give_back))) = errno

static bool enabled;
static struct options_arguments site;
static struct options_job job;

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
	if (options_parse_job(value, &job, &err) == 0)
		return 0;
	/* On a node this goes to root's log, and the user may have put any value into the job's environment. */
	slurm_error("stint: %s", escape_text(err.text, shown, sizeof(shown)));
	return remote ? 0 : -1;
}

/* A mistake of the site is logged on the nodes, and not shown to every user of sbatch. */
static void read_arguments(int count, char *arguments[])
{
	spank_context_t context = spank_context();
	struct error err;

	enabled = options_parse_arguments(count, arguments, &site, &err) == 0;
	if (!enabled && context != S_CTX_ALLOCATOR && context != S_CTX_LOCAL)
		slurm_error("stint: %s; no job is counted", err.text);
}

int slurm_spank_init(spank_t spank, int count, char *arguments[])
{
	KEEPS_ERRNO;

	read_arguments(count, arguments);
	spank_option_register(spank, &option);
	return 0;
}

int slurm_spank_task_post_fork(spank_t spank, int count, char *arguments[])
{
	KEEPS_ERRNO;

	(void)count;
	(void)arguments;
	if (enabled)
		step_task_started(spank, &site, &job);
	return 0;
}

int slurm_spank_task_exit(spank_t spank, int count, char *arguments[])
{
	KEEPS_ERRNO;

	(void)count;
	(void)arguments;
	if (enabled)
		step_task_ended(spank);
	return 0;
}

int slurm_spank_exit(spank_t spank, int count, char *arguments[])
{
	KEEPS_ERRNO;

	(void)spank;
	(void)count;
	(void)arguments;
	if (enabled && spank_context() == S_CTX_REMOTE)
		step_ended(&site);
	return 0;
}

/* The epilog's process called no other hook, so this reads arguments and option itself. */
int slurm_spank_job_epilog(spank_t spank, int count, char *arguments[])
{
	KEEPS_ERRNO;
	char *value = NULL;

	read_arguments(count, arguments);
	if (!enabled)
		return 0;
	if (spank_option_getopt(spank, &option, &value) == ESPANK_SUCCESS && value)
		take_option(option.val, value, 1);
	epilog_run(spank, &site, &job);
	return 0;
}
