/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sections of the page about many jobs. */
#ifndef STINT_JOBS_PAGE_INTERNAL_H
#define STINT_JOBS_PAGE_INTERNAL_H

#include <stdbool.h>
#include <stdio.h>

#include "common/conf.h"
#include "reports/html/jobs_page.h"

bool jobs_page_has_rules(const struct jobs_page *page);

bool jobs_page_is_array(const struct jobs_page *page);

/*
 * Each function prints a list of jobs.
 *
 * @directory: the directory of this page, ending in '/'; the list links to pages in it
 */
void jobs_page_failed(const struct jobs_page *page, const char *directory, FILE *out);
void jobs_page_longest(const struct jobs_page *page, const char *directory, FILE *out);
void jobs_page_all(const struct jobs_page *page, const char *directory, FILE *out);

/* Prints lines to paste. They request enough for every task of an array, or for every job of a rule. */
void jobs_page_advice(const struct jobs_page *page, bool array, const struct conf *conf, FILE *out);

/* Prints the spread of time, CPU and memory for each rule or name. */
void jobs_page_groups(const struct jobs_page *page, FILE *out);

#endif
