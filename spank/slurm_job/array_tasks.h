/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describes the waiting tasks of an array as text, such as "1-6,9". */
#ifndef STINT_ARRAY_TASKS_H
#define STINT_ARRAY_TASKS_H

/*
 * Converts @text (may be NULL) to this form. Text from slurmctld already has it. Text from accounting is a mask in
 * hexadecimal digits ("0x27e"), in which each bit stands for a task. If there are many tasks, the result names only
 * the first tasks and ends in "...".
 *
 * Returns a text that the caller frees; NULL if no task waits, or if out of memory.
 */
char *array_tasks_text(const char *text);

#endif
