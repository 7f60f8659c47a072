/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Divides the entries of the kernel programs' tables among the jobs of the node. These are the tables of tools, files,
 * steps and processes.
 */
#ifndef STINT_SHARE_TABLES_H
#define STINT_SHARE_TABLES_H

struct collector;
struct job;

/*
 * Tells the kernel programs how many entries of their tables each user may have, and how many each of the user's jobs.
 * These numbers depend on the free room and on the numbers of users and jobs. @more: a job that is about to begin;
 * NULL: none
 */
void share_tables(struct collector *c, const struct job *more);

/* Call after stintd forgot a job. Removes the counts of table entries of users who have no jobs any more. */
void share_forget_users(struct collector *c);

#endif
