/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles events of the kernel programs. */
#ifndef STINT_TAKE_EVENT_H
#define STINT_TAKE_EVENT_H

#include "collector/collector.h"

/* Callback for programs__on_event(). @data: the collector */
void take_event(const struct event *event, void *data);

#endif
