/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the interpreters (bpf/script.h). */
#ifndef STINT_INTERPRETERS_H
#define STINT_INTERPRETERS_H

#include "common/error.h"

/* Fills the map "interpreters". Returns 0; -1 with @err set. */
int interpreters_fill(int map_fd, struct error *err);

#endif
