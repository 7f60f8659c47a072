/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the interpreters. stint treats each script that an interpreter runs as a separate tool. bpf/script.h explains
 * how stint finds the script.
 */
#ifndef STINT_INTERPRETERS_H
#define STINT_INTERPRETERS_H

#include "common/error.h"

/* Fills the map "interpreters", whose descriptor is @map_fd. Returns 0; -1 with @err set. */
int interpreters_fill(int map_fd, struct error *err);

#endif
