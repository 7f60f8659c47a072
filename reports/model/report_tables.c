/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/model/report_tables.h"

#define MODEL(name) report_##name
#define MODEL_OBJECTS REPORT_OBJECTS
#define MODEL_STRUCT struct report
#define MODEL_WHOLE REPORT_WHOLE
#define MODEL_WHOLE_TABLE report_whole
#define MODEL_WHOLE_NAME "report"

#include "reports/model/make_tables.h"
