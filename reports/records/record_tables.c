/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/record.h"

#include "reports/model/report_owned.h"

#define MODEL(name) record_##name
#define MODEL_OBJECTS RECORD_OBJECTS
#define MODEL_STRUCT struct record
#define MODEL_WHOLE RECORD_WHOLE
#define MODEL_WHOLE_TABLE record_whole
#define MODEL_WHOLE_NAME "record"

#include "reports/model/make_tables.h"

/* If out of memory, report_add() returns a spare item, which must have room for any of these. */
#define FITS(name, list) _Static_assert(sizeof(struct record_##name) <= sizeof(union report_item), "a spare item has room for " #name);
RECORD_OBJECTS(FITS)
