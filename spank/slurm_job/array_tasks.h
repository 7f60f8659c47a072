/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tasks of an array that wait, as text: "1-6,9". */
#ifndef STINT_ARRAY_TASKS_H
#define STINT_ARRAY_TASKS_H

/*
 * Makes it of @text (may be NULL), which slurmctld writes so already, and accounting as a mask in hexadecimal digits
 * ("0x27e"). Of many tasks the first ones are named, and "..." stands for the others.
 *
 * Returns what is to be freed; NULL: there are none, or no memory.
 */
char *array_tasks_text(const char *text);

#endif
