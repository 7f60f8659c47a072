/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of the pins of kernel programs, by which each stintd finds what an earlier one left. */
#ifndef STINT_PIN_NAMES_H
#define STINT_PIN_NAMES_H

#include <stdbool.h>

#include "common/program_names.h"

/* The name of the pin of @program, or of its link. */
const char *pin_name(enum program program);

/* Whether @name is the name of such a pin. */
bool pin_is_known(const char *name);

#endif
