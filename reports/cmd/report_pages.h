/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the pages for browsers of stint report --html. */
#ifndef STINT_REPORT_PAGES_H
#define STINT_REPORT_PAGES_H

#include "reports/cmd/report_options.h"

/* Writes the page of each job, and the page about all of them, as @arguments ask. Returns 0; -1 after a message. */
int report_pages_write(const struct report_arguments *arguments);

#endif
