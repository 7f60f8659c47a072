/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names the pins of the kernel programs, so that each stintd finds the pins of an earlier one.
 */
#ifndef STINT_PIN_NAMES_H
#define STINT_PIN_NAMES_H

#include <stdbool.h>

#include "common/program_names.h"

/* Returns the name of the pin of @program, or of the program's link. */
const char *pin_name(enum program program);

/* Returns true if @name is the name of a pin of stint. */
bool pin_is_known(const char *name);

#endif
