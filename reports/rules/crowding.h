/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks whether the job had too many threads for its CPUs, or for the cores that they ran on. */
#ifndef STINT_CROWDING_H
#define STINT_CROWDING_H

#include "reports/rules/facts.h"

/* Fills facts.on_few, to_few, oversubscribed and crowding. The shares must be known. */
void crowding_read(struct facts *facts);

#endif
