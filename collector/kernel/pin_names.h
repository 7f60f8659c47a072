/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names the pins of the kernel programs. */
#ifndef STINT_PIN_NAMES_H
#define STINT_PIN_NAMES_H

#include <stdbool.h>

#include "common/program_names.h"

const char *pin_name(enum program program);

/* Returns true if @name is a pin of stint. */
bool pin_is_known(const char *name);

#endif
