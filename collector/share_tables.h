/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Divides the kernel programs' tables among the jobs of the node: the tables of tools, files, steps and processes. */
#ifndef STINT_SHARE_TABLES_H
#define STINT_SHARE_TABLES_H

struct collector;
struct job;

/*
 * Tells the kernel programs how many entries of their tables each user, and each of the user's jobs, may have. This
 * depends on the free room and on the numbers of users and jobs. @more: a job that is about to begin; NULL: none
 */
void share_tables(struct collector *c, const struct job *more);

/* Call when a job was forgotten. Forgets how many entries users without jobs had in the tables. */
void share_forget_users(struct collector *c);

#endif
