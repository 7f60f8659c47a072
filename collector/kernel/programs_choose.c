/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides which programs this kernel supports, by BTF and by trials. Never uses the kernel's version. */
#include "collector/kernel/programs_internal.h"

#include <bpf/libbpf.h>
#include <stdio.h>
#include <string.h>

#include "collector/host/cgroup.h"
#include "collector/kernel/kernel_btf.h"

static const struct {
	const char *name;
	bool needed;
} programs[PROGRAMS] = {
#define PROGRAM_ROW(name, needed) { #name, needed },
	PROGRAM_NAMES(PROGRAM_ROW)
#undef PROGRAM_ROW
};

#define NO_PEAK_AT_EXEC \
	"on this kernel, BPF cannot see which program an exec replaces: the peak of a replaced program is not known"
#define NO_SOCKETS "on this kernel, BPF cannot see what sockets send and receive"
#define NO_SENDFILE "on this kernel, BPF cannot see what sendfile() sends to sockets: these bytes are not counted"
#define NO_URING "on this kernel, BPF cannot see what io_uring reads and writes: these bytes are not counted"
#define NO_AIO "on this kernel, BPF cannot see what libaio reads and writes: these bytes are not counted"
#define NO_OOM "on this kernel, BPF cannot see which process the out-of-memory killer chooses"
#define NO_RECLAIM "on this kernel, BPF cannot see when a thread reclaims memory"

static const struct {
	const char *name;
	const char *reason;
} gaps[PROGRAMS] = {
	[PROGRAM_process_prepare_exec] = { "tools.peak_bytes", NO_PEAK_AT_EXEC },
	[PROGRAM_process_begin_exec] = { "tools.peak_bytes", NO_PEAK_AT_EXEC },
	[PROGRAM_process_exit_memory] = { "tools.peak_bytes",
					  "on this kernel, BPF cannot see how much memory a process has when it exits" },
	[PROGRAM_member_cgroup_removed] = { "used.memory_charged_peak_bytes",
					    "on this kernel, BPF cannot see the removal of a cgroup" },
	[PROGRAM_cpu_offsets_learn] = { "tools.peak_bytes",
					"stint could not find the parts of this kernel's per-CPU counters: peaks are off by some "
					"pages for each CPU" },
	[PROGRAM_sample_tasks] = { "series", "on this kernel, BPF cannot look at all threads" },
	[PROGRAM_socket_sent] = { "used.socket_tx_bytes", NO_SOCKETS },
	[PROGRAM_socket_received] = { "used.socket_rx_bytes", NO_SOCKETS },
	[PROGRAM_inet_sent] = { "used.socket_tx_bytes", NO_SOCKETS },
	[PROGRAM_inet_received] = { "used.socket_rx_bytes", NO_SOCKETS },
	[PROGRAM_inet6_sent] = { "used.socket_tx_bytes", NO_SOCKETS },
	[PROGRAM_inet6_received] = { "used.socket_rx_bytes", NO_SOCKETS },
	[PROGRAM_unix_stream_sent] = { "used.socket_tx_bytes", NO_SOCKETS },
	[PROGRAM_unix_stream_received] = { "used.socket_rx_bytes", NO_SOCKETS },
	[PROGRAM_unix_dgram_sent] = { "used.socket_tx_bytes", NO_SOCKETS },
	[PROGRAM_unix_dgram_received] = { "used.socket_rx_bytes", NO_SOCKETS },
	[PROGRAM_unix_seqpacket_sent] = { "used.socket_tx_bytes", NO_SOCKETS },
	[PROGRAM_unix_seqpacket_received] = { "used.socket_rx_bytes", NO_SOCKETS },
	[PROGRAM_tcp_page_sent] = { "used.socket_tx_bytes", NO_SENDFILE },
	[PROGRAM_unix_page_sent] = { "used.socket_tx_bytes", NO_SENDFILE },
	[PROGRAM_signal_sent] = { "tools.dismissed", "on this kernel, BPF cannot see which process sends a signal" },
	[PROGRAM_socket_retransmitted] = { "used.network.tcp.retransmits", "on this kernel, BPF cannot see retransmits" },
	[PROGRAM_uring_submitted] = { "used.async_read_bytes", NO_URING },
	[PROGRAM_uring_submitted_sqe] = { "used.async_read_bytes", NO_URING },
	[PROGRAM_uring_completed] = { "used.async_read_bytes", NO_URING },
	[PROGRAM_aio_got] = { "used.async_read_bytes", NO_AIO },
	[PROGRAM_aio_pgot] = { "used.async_read_bytes", NO_AIO },
	[PROGRAM_fuse_requested] = { "states.pipe_s",
				     "on this kernel, BPF cannot see requests to FUSE: a wait for the other end of a FIFO counts as a "
				     "wait for a file" },
	[PROGRAM_oom_victim] = { "oom", NO_OOM },
	[PROGRAM_oom_victim_pid] = { "oom", NO_OOM },
	[PROGRAM_reclaim_began] = { "used.reclaim_s", NO_RECLAIM },
	[PROGRAM_reclaim_ended] = { "used.reclaim_s", NO_RECLAIM },
	[PROGRAM_memcg_reclaim_began] = { "used.reclaim_s", NO_RECLAIM },
	[PROGRAM_memcg_reclaim_ended] = { "used.reclaim_s", NO_RECLAIM },
	[PROGRAM_memory_slab] = { "used.memory_used_peak_bytes",
				  "on this kernel, BPF cannot see the kernel's memory for names and inodes of files: on cgroup v1, "
				  "the memory used includes it" },
	[PROGRAM_file_called] = { "files", "on this kernel, BPF cannot see the results of system calls" },
};

#define FILES_OFF "files = off in stint.conf"

const char *programs__name(enum program program)
{
	return programs[program].name;
}

bool programs__needed(enum program program)
{
	return programs[program].needed;
}

enum program programs__find(const char *name)
{
	for (int i = 0; i < PROGRAMS; i++)
		if (strcmp(programs[i].name, name) == 0)
			return i;
	return PROGRAMS;
}

static bool direct_aio_stands_in(const struct programs *p, enum program program)
{
	return p->loaded[PROGRAM_aio_direct] && (program == PROGRAM_aio_got || program == PROGRAM_aio_pgot);
}

const char *programs__gap(const struct programs *p, enum program program, const char **reason)
{
	if (program == PROGRAM_aio_direct && p->loaded[program]) {
		*reason = "libaio is counted for O_DIRECT on local file systems only: on this kernel, BPF cannot see the rest";
		return gaps[PROGRAM_aio_got].name;
	}
	if (p->loaded[program] || !p->reasons[program][0] || direct_aio_stands_in(p, program))
		return NULL;
	*reason = p->by_choice[program] ? p->reasons[program] : gaps[program].reason;
	return gaps[program].name;
}

/* Returns what follows "@kind/" in the section name, or NULL. */
static const char *target_of(const struct bpf_program *program, const char *kind)
{
	const char *section = bpf_program__section_name(program);
	size_t length = strlen(kind);

	return strncmp(section, kind, length) == 0 && section[length] == '/' ? section + length + 1 : NULL;
}

/* Sets @why to "" if the kernel supports @program. */
static void find_obstacle(struct kernel *kernel, const struct bpf_program *program, char *why, size_t size)
{
	const char *tracepoint = target_of(program, "tp_btf");
	const char *function = target_of(program, "fentry");
	const char *walk = target_of(program, "iter");

	why[0] = '\0';
	if (!function)
		function = target_of(program, "fexit");
	if (tracepoint && !kernel_has_tracepoint(kernel, tracepoint))
		snprintf(why, size, "this kernel has no tracepoint %s", tracepoint);
	else if (walk && !kernel_iterator_id(kernel, walk))
		snprintf(why, size, "this kernel has no iterator %s", walk);
	else if (function && !kernel_has_function(kernel, function))
		snprintf(why, size, "this kernel has no function %s", function);
	else if (function && !kernel_functions_attach(kernel))
		snprintf(why, size, "BPF programs cannot attach to this kernel's functions (fentry)");
}

static bool can_have(struct kernel *kernel, struct bpf_object *object, enum program program)
{
	const struct bpf_program *code = bpf_object__find_program_by_name(object, programs[program].name);
	char why[160];

	if (code)
		find_obstacle(kernel, code, why, sizeof(why));
	return code && !why[0];
}

/* Returns true also if the hierarchies cannot be read. */
static bool memory_is_of_v1(void)
{
	struct cgroup_layout layout;
	struct error why;

	return cgroup_layout_read(&layout, &why) < 0 || cgroup_find_mount(&layout, "memory");
}

/* Returns true if this kernel does not need @program. */
static bool is_spared(struct kernel *kernel, struct bpf_object *object, enum program program)
{
	switch (program) {
	case PROGRAM_process_exit_memory:
		/* Since Linux 6.16, process_exit reads the memory itself. */
		return kernel_arguments_of(kernel, "sched_process_exit") >= 2;
	case PROGRAM_process_prepare_exec:
		return !kernel_has_tracepoint(kernel, "sched_prepare_exec");
	case PROGRAM_process_begin_exec:
		return kernel_has_tracepoint(kernel, "sched_prepare_exec");
	case PROGRAM_socket_sent:
		return !kernel_has_tracepoint(kernel, "sock_send_length");
	case PROGRAM_socket_received:
		return !kernel_has_tracepoint(kernel, "sock_recv_length");
	case PROGRAM_inet_sent:
	case PROGRAM_inet6_sent:
	case PROGRAM_unix_stream_sent:
	case PROGRAM_unix_dgram_sent:
	case PROGRAM_unix_seqpacket_sent:
		return kernel_has_tracepoint(kernel, "sock_send_length");
	case PROGRAM_inet_received:
	case PROGRAM_inet6_received:
	case PROGRAM_unix_stream_received:
	case PROGRAM_unix_dgram_received:
	case PROGRAM_unix_seqpacket_received:
		return kernel_has_tracepoint(kernel, "sock_recv_length");
	case PROGRAM_tcp_page_sent:
		return !kernel_has_function(kernel, "tcp_sendpage");
	case PROGRAM_unix_page_sent:
		return !kernel_has_function(kernel, "unix_stream_sendpage");
	case PROGRAM_uring_submitted:
		return !kernel_has_tracepoint(kernel, "io_uring_submit_req") && kernel_has_tracepoint(kernel, "io_uring_submit_sqe");
	case PROGRAM_uring_submitted_sqe:
		return kernel_has_tracepoint(kernel, "io_uring_submit_req") || !kernel_has_tracepoint(kernel, "io_uring_submit_sqe");
	case PROGRAM_aio_direct:
		return can_have(kernel, object, PROGRAM_aio_got);
	case PROGRAM_fuse_requested:
		return !kernel_has_tracepoint(kernel, "fuse_request_send");
	case PROGRAM_oom_victim:
		return kernel_victim_is_a_pid(kernel);
	case PROGRAM_oom_victim_pid:
		return !kernel_victim_is_a_pid(kernel);
	case PROGRAM_memory_slab:
		return !memory_is_of_v1();
	default:
		return false;
	}
}

void programs__leave_out(struct programs *p, enum program program, const char *reason)
{
	p->wanted[program] = false;
	snprintf(p->reasons[program], sizeof(p->reasons[program]), "%s", reason);
}

static void leave_out_by_conf(struct programs *p, enum program program, const char *reason)
{
	p->by_choice[program] = true;
	programs__leave_out(p, program, reason);
}

static void choose_one(struct programs *p, struct kernel *kernel, struct bpf_object *object, const struct conf *conf,
		       enum program program)
{
	const struct bpf_program *code = bpf_object__find_program_by_name(object, programs[program].name);
	char why[160];

	p->wanted[program] = true;
	p->loaded[program] = p->by_choice[program] = false;
	p->reasons[program][0] = '\0';
	if (!code) {
		programs__leave_out(p, program, "it is not in this build");
		return;
	}
	if (is_spared(kernel, object, program)) {
		programs__leave_out(p, program, "");
		return;
	}
	find_obstacle(kernel, code, why, sizeof(why));
	if (conf->programs_off[program])
		leave_out_by_conf(p, program, "programs_off in stint.conf names it");
	else if (program == PROGRAM_file_called && !conf->files)
		leave_out_by_conf(p, program, FILES_OFF);
	else if (why[0])
		programs__leave_out(p, program, why);
	else if (program == PROGRAM_uring_completed && !kernel_requests_hold_results(kernel))
		programs__leave_out(p, program, "this kernel's io_uring does not show BPF the results of requests");
}

int programs__choose(struct programs *p, struct bpf_object *object, const struct conf *conf, struct error *err)
{
	struct kernel kernel;
	int status;

	if (kernel_open(&kernel, err) < 0)
		return -1;
	status = p->features.count ? 0 : features_probe(&p->features, &kernel, err);
	p->casts = kernel_function_id(&kernel, "bpf_rdonly_cast");
	for (int i = 0; i < PROGRAMS && status == 0; i++)
		choose_one(p, &kernel, object, conf, i);
	kernel_close(&kernel);
	return status;
}
