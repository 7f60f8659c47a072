/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines to paste into the job script, each with its reason. Where the evidence is thin, there is none. */
#ifndef STINT_ADVICE_H
#define STINT_ADVICE_H

#include <json-c/json.h>

#include "reports/facts.h"

/*
 * Puts {"line", "reason"} behind what @list has, for each line.
 */
void advice_put(const struct facts *facts, struct json_object *list);

#endif
