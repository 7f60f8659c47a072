/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs whose scripts are tools of their own. bpf/script.h explains the rules. */
#ifndef STINT_INTERPRETERS_H
#define STINT_INTERPRETERS_H

#include "common/error.h"

/*
 * Fills the map @map_fd ("interpreters"). Returns 0; -1 with @err set.
 */
int interpreters_fill(int map_fd, struct error *err);

#endif
