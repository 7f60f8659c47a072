/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Continues the jobs of an earlier stintd, and hands open jobs to the next stintd. */
#ifndef STINT_RESUME_H
#define STINT_RESUME_H

#include "collector/collector.h"

/* Restores the jobs of the journal, then handles the plugin's notes. */
void resume_all(struct collector *c);

void resume_hand_over(struct collector *c);

#endif
