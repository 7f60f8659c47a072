/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds of work. Each has the arguments of main(), with its name as argv[0].
 * The table in main.c checks argc. Each returns the exit status.
 */
#ifndef STINT_WORKLOAD_H
#define STINT_WORKLOAD_H

/* compute.c */
int work_spin(int argc, char *argv[]);
int work_brief(int argc, char *argv[]);

/* waiting.c */
int work_sleep(int argc, char *argv[]);
int work_lock(int argc, char *argv[]);
int work_epoll(int argc, char *argv[]);
int work_futex(int argc, char *argv[]);
int work_splice(int argc, char *argv[]);
int work_uring(int argc, char *argv[]);
int work_stage(int argc, char *argv[]);
int work_child(int argc, char *argv[]);
int work_turns(int argc, char *argv[]);

/* files.c */
int work_read(int argc, char *argv[]);
int work_write(int argc, char *argv[]);
int work_fault(int argc, char *argv[]);
int work_stat(int argc, char *argv[]);
int work_leave(int argc, char *argv[]);

/* network.c */
int work_serve(int argc, char *argv[]);
int work_connect(int argc, char *argv[]);
int work_pingpong(int argc, char *argv[]);

/* memory.c */
int work_hold(int argc, char *argv[]);
int work_memfd(int argc, char *argv[]);
int work_together(int argc, char *argv[]);
int work_squeeze(int argc, char *argv[]);
int work_roam(int argc, char *argv[]);
int work_space(int argc, char *argv[]);
int work_victim(int argc, char *argv[]);
int work_grow(int argc, char *argv[]);

/* pressure.c */
int work_kinds(int argc, char *argv[]);
int work_syncs(int argc, char *argv[]);
int work_mixed(int argc, char *argv[]);
int work_store(int argc, char *argv[]);

/* process.c */
int work_thread_exec(int argc, char *argv[]);
int work_vfork(int argc, char *argv[]);
int work_forks(int argc, char *argv[]);
int work_strays(int argc, char *argv[]);
int work_into(int argc, char *argv[]);
int work_namespaces(int argc, char *argv[]);

#endif
