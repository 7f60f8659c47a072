/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the frame of a page about many jobs: all except its sections. */
#ifndef STINT_PAGE_FRAME_H
#define STINT_PAGE_FRAME_H

#include <stdio.h>

/* Prints the page up to its first section. @title: unescaped */
void html_frame_begin(FILE *out, const char *title);

/* Prints the page's end. @made_by: the command named in the last line */
void html_frame_end(FILE *out, const char *made_by);

#endif
