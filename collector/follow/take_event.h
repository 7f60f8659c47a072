/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles the events of the kernel programs: an ended image, an out-of-memory victim, uncounted threads. */
#ifndef STINT_TAKE_EVENT_H
#define STINT_TAKE_EVENT_H

#include "collector/collector.h"

/* Handles an event from the ring buffer. This is a callback for programs__on_event(). @data: the collector */
void take_event(const struct event *event, void *data);

#endif
