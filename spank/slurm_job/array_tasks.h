/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describes the waiting tasks of an array as text: "1-6,9". */
#ifndef STINT_ARRAY_TASKS_H
#define STINT_ARRAY_TASKS_H

/*
 * Converts @text (may be NULL) to this form. Text of slurmctld already has this form.
 * Text of slurmdbd is a hexadecimal mask instead ("0x27e"), with a bit for each task.
 *
 * Returns a text that the caller frees; NULL if no task waits, or if out of memory.
 * A long text names only the first tasks and ends in "...".
 */
char *array_tasks_text(const char *text);

#endif
