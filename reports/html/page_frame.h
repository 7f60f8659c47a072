/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the frame of a page about many jobs, which is everything around the page's sections. Such a page is
 * self-contained and loads nothing, like the page of one job. It runs only stint's own script, which sorts and fills
 * the lists on the page.
 */
#ifndef STINT_PAGE_FRAME_H
#define STINT_PAGE_FRAME_H

#include <stdio.h>

/*
 * Prints the page up to its first section. @title: unescaped.
 */
void html_frame_begin(FILE *out, const char *title);

/* Prints the page's end. @made_by: the command to name in the last line, for example "stint report --html" */
void html_frame_end(FILE *out, const char *made_by);

#endif
