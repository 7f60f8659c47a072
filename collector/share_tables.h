/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel programs' tables are shared by all jobs of the node: those of tools, files and steps, and those of
 * processes.
 */
#ifndef STINT_SHARE_TABLES_H
#define STINT_SHARE_TABLES_H

struct collector;
struct job;

/*
 * Sets in the kernel programs how much of their tables each user and each job of his may take, by the room there is and the
 * numbers of both. @more: a job that is about to begin; NULL: none.
 */
void share_tables(struct collector *c, const struct job *more);

/* To be called when a job was forgotten: forgets how much users without jobs had taken. */
void share_forget_users(struct collector *c);

#endif
