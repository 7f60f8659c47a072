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

/* report_add() returns a spare item if out of memory. An item of each list must fit into the spare item. */
#define FITS(name, list) _Static_assert(sizeof(struct record_##name) <= sizeof(union report_item), "a spare item has room for " #name);
RECORD_OBJECTS(FITS)

#undef MODEL
#undef MODEL_OBJECTS
#undef MODEL_STRUCT
#undef MODEL_WHOLE
#undef MODEL_WHOLE_TABLE
#undef MODEL_WHOLE_NAME

#define MODEL(name) word_##name
#define MODEL_OBJECTS(EACH)
#define MODEL_STRUCT struct record_word
#define MODEL_WHOLE RECORD_WORD
#define MODEL_WHOLE_TABLE record_table_word
#define MODEL_WHOLE_NAME "word"
#define word_forget_record record_forget_whole
#define word_table_record record_whole

#include "reports/model/make_tables.h"
