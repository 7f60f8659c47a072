/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/control.h"

#include <string.h>

#define ENDS(text) (memchr((text), '\0', sizeof(text)) != NULL)

static bool texts_end(const struct control_message *m)
{
	const struct control_open *open = &m->open;
	const struct control_job_close *close = &m->job_close;

	if (m->kind == CONTROL_OPEN)
		return ENDS(open->cluster) && ENDS(open->node_list) && ENDS(open->work_dir) && ENDS(open->output);
	return m->kind != CONTROL_JOB_CLOSE ||
	       (ENDS(close->cluster) && ENDS(close->user) && ENDS(close->partition) && ENDS(close->node_list) &&
		ENDS(close->work_dir) && ENDS(close->output) && ENDS(close->gpus));
}

bool control_message_valid(const struct control_message *m, size_t size)
{
	bool whole = size == sizeof(*m) && m->magic == CONTROL_MAGIC && m->version == CONTROL_VERSION &&
		     m->size == sizeof(*m);

	if (whole && m->kind == CONTROL_HELLO)
		return true;
	return whole && m->kind >= CONTROL_OPEN && m->kind <= CONTROL_JOB_CLOSE &&
	       m->mode <= CONTROL_MODE_TIMELINE && m->job_id && m->job_id < CONTROL_NONE &&
	       m->uid < CONTROL_NONE && m->node[0] && ENDS(m->node) && texts_end(m);
}
