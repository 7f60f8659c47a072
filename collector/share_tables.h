/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All jobs of the node share the kernel programs' tables: those of tools, files and steps, and those of processes. */
#ifndef STINT_SHARE_TABLES_H
#define STINT_SHARE_TABLES_H

struct collector;
struct job;

/*
 * Tells the kernel programs how many entries of their tables each user and each of the user's jobs may have. It depends
 * on the free room and the numbers of both. @more: a job that is about to begin; NULL: none.
 */
void share_tables(struct collector *c, const struct job *more);

/* Call when a job was forgotten: forgets how much users without jobs had taken. */
void share_forget_users(struct collector *c);

#endif
