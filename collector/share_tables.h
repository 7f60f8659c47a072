/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Divides the entries of the kernel programs' tables (tools, files, steps, processes) among users and jobs. */
#ifndef STINT_SHARE_TABLES_H
#define STINT_SHARE_TABLES_H

struct collector;
struct job;

/*
 * Tells the kernel programs how many entries each user and each job may have.
 *
 * @more: a job that is about to begin; NULL: none
 */
void share_tables(struct collector *c, const struct job *more);

/* Call after stintd forgot a job. Forgets users without jobs. */
void share_forget_users(struct collector *c);

#endif
