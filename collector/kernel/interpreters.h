/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interpreters. stint treats each script that an interpreter runs as a separate tool. bpf/script.h explains the
 * rules.
 */
#ifndef STINT_INTERPRETERS_H
#define STINT_INTERPRETERS_H

#include "common/error.h"

/* Fills the map "interpreters". @map_fd: its descriptor. Returns 0; -1 with @err set. */
int interpreters_fill(int map_fd, struct error *err);

#endif
