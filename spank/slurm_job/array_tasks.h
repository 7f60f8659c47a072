/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a text of the waiting tasks of an array: "1-6,9". */
#ifndef STINT_ARRAY_TASKS_H
#define STINT_ARRAY_TASKS_H

/*
 * Makes the text from @text (may be NULL). slurmctld already uses this form. Accounting uses a mask in hexadecimal
 * digits ("0x27e"). If there are many tasks, the text has only the first ones, and then "...".
 *
 * Returns a text that the caller frees; NULL if there are no waiting tasks, or if out of memory.
 */
char *array_tasks_text(const char *text);

#endif
