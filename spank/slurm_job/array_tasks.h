/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The waiting tasks of an array, as text: "1-6,9". */
#ifndef STINT_ARRAY_TASKS_H
#define STINT_ARRAY_TASKS_H

/*
 * Makes the text from @text (may be NULL). slurmctld already uses this form; accounting uses a mask in hexadecimal digits
 * ("0x27e"). If there are many tasks, names the first ones, and "..." stands for the others.
 *
 * Returns a text that the caller frees; NULL if there are none, or if out of memory.
 */
char *array_tasks_text(const char *text);

#endif
