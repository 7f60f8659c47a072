/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes rights away from this process before it loads a vendor's library. */
#ifndef STINT_GPU_CONFINE_H
#define STINT_GPU_CONFINE_H

#include "common/error.h"

/*
 * Leaves this process: its standard files, small limits, no new rights by exec, no sockets, no exec, and, if it is
 * root's, the user and group 65534 without other groups and without capabilities. This is "nobody", whom the drivers'
 * device files admit as they admit the users of jobs.
 *
 * Returns 0; -1 with @err set if a right stays that can be taken away.
 */
int gpu_confine(struct error *err);

#endif
