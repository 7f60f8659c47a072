/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the interpreters, and the runtimes of containers with what their arguments are (bpf/script.h). */
#ifndef STINT_INTERPRETERS_H
#define STINT_INTERPRETERS_H

#include "common/error.h"

/* Fills the maps "interpreters" and "runtime_options". Returns 0; -1 with @err set. */
int interpreters_fill(int map_fd, int options_fd, struct error *err);

#endif
