/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/control.h"

#include <string.h>

#define ENDS(text) (memchr((text), '\0', sizeof(text)) != NULL)

bool control_message_valid(const struct control_message *m, size_t size)
{
	bool whole = size == sizeof(*m) && m->magic == CONTROL_MAGIC && m->version == CONTROL_VERSION &&
		     m->size == sizeof(*m);

	if (whole && m->kind == CONTROL_HELLO)
		return true;
	return whole && m->kind >= CONTROL_OPEN && m->kind <= CONTROL_JOB_CLOSE &&
	       m->mode <= CONTROL_MODE_TIMELINE && m->job_id && m->job_id < CONTROL_NONE &&
	       m->uid < CONTROL_NONE && m->node[0] && ENDS(m->node) && ENDS(m->cluster) &&
	       ENDS(m->user) && ENDS(m->partition) && ENDS(m->node_list) &&
	       ENDS(m->work_dir) && ENDS(m->output);
}
