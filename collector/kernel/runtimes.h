/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the runtimes of containers, their helpers, and what their arguments are (bpf/script.h). */
#ifndef STINT_RUNTIMES_H
#define STINT_RUNTIMES_H

#include "common/error.h"

/* Adds the runtimes to the map "interpreters", and fills the map "runtime_options". Returns 0; -1 with @err set. */
int runtimes_fill(int interpreters_fd, int options_fd, struct error *err);

#endif
