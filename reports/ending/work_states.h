/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a thread's time in a state says about its program, for the states of common/sum_list.h. */
#ifndef STINT_WORK_STATES_H
#define STINT_WORK_STATES_H

#include "common/sum_list.h"

enum thread_time {
	TIME_AT_WORK,
	TIME_READY,        /* other threads had the CPU */
	TIME_FOR_A_THREAD, /* waited for another thread, where the program may have been at work */
	TIME_FOR_A_GPU,    /* as TIME_FOR_A_THREAD; or a thread of CUDA or ROCm, which waits as long as the program runs */
	TIME_QUIET,        /* slept, or waited for what others do */
};

/* X(state, its member of struct report_states, enum thread_time) */
#define THREAD_STATES(X)                              \
	X(ON_CPU, on_cpu_s, TIME_AT_WORK)             \
	X(RUNNABLE, runnable_s, TIME_READY)           \
	X(MEMORY_STALL, memory_stall_s, TIME_AT_WORK) \
	X(FAULT_IO, fault_io_s, TIME_AT_WORK)         \
	X(FILE_IO, file_io_s, TIME_AT_WORK)           \
	X(GPU, gpu_s, TIME_FOR_A_GPU)                 \
	X(NETWORK, network_s, TIME_AT_WORK)           \
	X(LOCK, lock_s, TIME_AT_WORK)                 \
	X(OTHER, other_s, TIME_AT_WORK)               \
	X(PIPE, pipe_s, TIME_QUIET)                   \
	X(CONDITION, condition_s, TIME_FOR_A_THREAD)  \
	X(CHILD, child_s, TIME_QUIET)                 \
	X(EVENT, event_s, TIME_QUIET)                 \
	X(SLEEP, sleep_s, TIME_QUIET)

/* THREAD_STATES must list every state of a timeline's entry. */
#define THREAD_STATES_COUNT(...) +1
#define THREAD_STATES_PLACE_IN_STATES +1
#define THREAD_STATES_PLACE_IN_USED
#define THREAD_STATES_LISTED(sum, name, place, ...) THREAD_STATES_PLACE_##place
_Static_assert((0 THREAD_STATES(THREAD_STATES_COUNT)) == (0 SUM_LIST_OF_ENTRY(THREAD_STATES_LISTED)),
	       "THREAD_STATES has the states of common/sum_list.h");

#endif
