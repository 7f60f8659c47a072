/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts bytes and operations of sockets, and retransmits of TCP.
 *
 * The kernel retransmits at any time, so each socket remembers its owner.
 * The kernel's own sockets, MSG_PEEK and MSG_ERRQUEUE do not count.
 */
#include "bpf/account.h"
#include "bpf/current.h"

#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 10
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17
#define IPPROTO_MPTCP 262
#define MSG_PEEK 0x2
#define MSG_ERRQUEUE 0x2000
#define MSG_SENDPAGE_NOTLAST 0x20000 /* more pages follow (before Linux 6.5) */
#define SOCK_SEQPACKET 5

struct socket_owner {
	u64 job;
	u64 step;
	u64 tool;
	u64 process;
	u64 retransmits;
	u32 pid; /* in case the key is reused */
	u32 unused;
};

struct socket_owners_map {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct socket_owner);
};
struct socket_owners_map socket_owners SEC(".maps");

static __always_inline bool is_tcp(u32 family, u32 protocol)
{
	return (family == AF_INET || family == AF_INET6) && (protocol == IPPROTO_TCP || protocol == IPPROTO_MPTCP);
}

static __always_inline bool is_udp(u32 family, u32 protocol)
{
	return (family == AF_INET || family == AF_INET6) && protocol == IPPROTO_UDP;
}

static __noinline void owner_use(struct socket_owner *owner, enum use use, u64 value)
{
	struct process *p = bpf_map_lookup_elem(&processes, &owner->process);
	struct tool_key key = { .job = owner->job, .tool = owner->tool };
	struct totals *sum;
	struct tool *tool;

	if (p && p->job == owner->job && p->pid == owner->pid) {
		process_use(owner->process, p, use, value);
		owner->tool = p->tool;
		return;
	}
	tool = bpf_map_lookup_elem(&tools, &key);
	if (tool)
		ADD(tool->use[use], value);
	sum = totals_get(owner->job);
	if (sum)
		ADD(sum->use[use], value);
	sum = owner->step ? totals_get(owner->step) : NULL;
	if (sum)
		ADD(sum->use[use], value);
}

/* Counts segments. Since Linux 6.18, the tracepoint also comes for segments that were not sent. */
static __always_inline void retransmits_count(const struct sock *sk, struct socket_owner *owner)
{
	u64 now = BPF_CORE_READ((const struct tcp_sock *)sk, total_retrans);
	u64 before = __sync_lock_test_and_set(&owner->retransmits, now);

	if (now != before)
		owner_use(owner, USE_TCP_RETRANSMITS, now - before);
}

static __noinline void socket_change_hands(struct sock *sk, struct task_struct *task, struct thread *t,
					   struct socket_owner *owner)
{
	struct process *p;

	if (!sk || !task || !t || !owner)
		return;
	owner->job = t->job;
	owner->step = t->step;
	process_share(task, t); /* so that a retransmit finds the process */
	p = process_get(task, t);
	owner->tool = p ? p->tool : ABI_TOOL_OTHER;
	owner->pid = task->tgid;
	owner->process = (u64)task->signal;
	retransmits_count(sk, owner);
}

static __always_inline void socket_own(struct sock *sk, struct task_struct *task, struct thread *t)
{
	struct socket_owner *owner = bpf_sk_storage_get(&socket_owners, sk, NULL, BPF_SK_STORAGE_GET_F_CREATE);

	if (owner && (owner->process != (u64)task->signal || owner->pid != (u32)task->tgid))
		socket_change_hands(sk, task, t, owner);
}

#define COUNT(protocol, way, bytes, operations)                       \
	do {                                                          \
		sum->use[USE_##protocol##_##way##_BYTES] += bytes;    \
		sum->use[USE_##protocol##_##way##_OPS] += operations; \
	} while (0)

static __always_inline int sent(struct sock *sk, s64 bytes, u32 operations)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct thread *t = thread_of_current(task);
	struct thread_use *sum;
	u32 family, protocol;

	if (!t || bytes <= 0 || BPF_CORE_READ_BITFIELD(sk, sk_kern_sock))
		return 0;
	sum = use_of_current(task, t);
	if (!sum)
		return 0;
	family = sk->__sk_common.skc_family;
	protocol = BPF_CORE_READ_BITFIELD(sk, sk_protocol);
	sum->use[USE_SOCKET_TX_BYTES] += bytes;
	if (is_tcp(family, protocol)) {
		COUNT(TCP, TX, bytes, operations);
		socket_own(sk, task, t);
	} else if (is_udp(family, protocol)) {
		COUNT(UDP, TX, bytes, operations);
	} else if (family == AF_UNIX) {
		COUNT(UNIX, TX, bytes, operations);
	}
	return 0;
}

static __always_inline int received(struct sock *sk, s64 bytes, int flags)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct thread *t = thread_of_current(task);
	struct thread_use *sum;
	u32 family, protocol;

	if (!t || bytes <= 0 || (flags & (MSG_PEEK | MSG_ERRQUEUE)) || BPF_CORE_READ_BITFIELD(sk, sk_kern_sock))
		return 0;
	sum = use_of_current(task, t);
	if (!sum)
		return 0;
	family = sk->__sk_common.skc_family;
	protocol = BPF_CORE_READ_BITFIELD(sk, sk_protocol);
	sum->use[USE_SOCKET_RX_BYTES] += bytes;
	if (is_tcp(family, protocol))
		COUNT(TCP, RX, bytes, 1);
	else if (is_udp(family, protocol))
		COUNT(UDP, RX, bytes, 1);
	else if (family == AF_UNIX)
		COUNT(UNIX, RX, bytes, 1);
	return 0;
}

SEC("tp_btf/sock_send_length")
int BPF_PROG(socket_sent, struct sock *sk, int ret, int flags)
{
	return sent(sk, ret, 1);
}

SEC("tp_btf/sock_recv_length")
int BPF_PROG(socket_received, struct sock *sk, int ret, int flags)
{
	return received(sk, ret, flags);
}

SEC("tp_btf/tcp_retransmit_skb")
int BPF_PROG(socket_retransmitted, struct sock *sk)
{
	struct socket_owner *owner = bpf_sk_storage_get(&socket_owners, sk, NULL, 0);

	if (owner)
		retransmits_count(sk, owner);
	return 0;
}

/*
 * Before Linux 6.3 (6e6eda44b939 "sock: add tracepoint for send recv length"), send and receive have no tracepoints.
 */
SEC("fexit/inet_sendmsg")
int BPF_PROG(inet_sent, struct socket *sock, struct msghdr *message, u64 size, int ret)
{
	return sent(sock->sk, ret, 1);
}

SEC("fexit/inet6_sendmsg")
int BPF_PROG(inet6_sent, struct socket *sock, struct msghdr *message, u64 size, int ret)
{
	return sent(sock->sk, ret, 1);
}

SEC("fexit/unix_stream_sendmsg")
int BPF_PROG(unix_stream_sent, struct socket *sock, struct msghdr *message, u64 size, int ret)
{
	return sent(sock->sk, ret, 1);
}

/* Sequenced packets may also go through unix_dgram_sendmsg() and unix_dgram_recvmsg(): the compiler decides. */
SEC("fexit/unix_dgram_sendmsg")
int BPF_PROG(unix_dgram_sent, struct socket *sock, struct msghdr *message, u64 size, int ret)
{
	return sock->type == SOCK_SEQPACKET ? 0 : sent(sock->sk, ret, 1);
}

SEC("fexit/unix_seqpacket_sendmsg")
int BPF_PROG(unix_seqpacket_sent, struct socket *sock, struct msghdr *message, u64 size, int ret)
{
	return sent(sock->sk, ret, 1);
}

SEC("fexit/inet_recvmsg")
int BPF_PROG(inet_received, struct socket *sock, struct msghdr *message, u64 size, int flags, int ret)
{
	return received(sock->sk, ret, flags);
}

SEC("fexit/inet6_recvmsg")
int BPF_PROG(inet6_received, struct socket *sock, struct msghdr *message, u64 size, int flags, int ret)
{
	return received(sock->sk, ret, flags);
}

SEC("fexit/unix_stream_recvmsg")
int BPF_PROG(unix_stream_received, struct socket *sock, struct msghdr *message, u64 size, int flags, int ret)
{
	return received(sock->sk, ret, flags);
}

SEC("fexit/unix_dgram_recvmsg")
int BPF_PROG(unix_dgram_received, struct socket *sock, struct msghdr *message, u64 size, int flags, int ret)
{
	return sock->type == SOCK_SEQPACKET ? 0 : received(sock->sk, ret, flags);
}

SEC("fexit/unix_seqpacket_recvmsg")
int BPF_PROG(unix_seqpacket_received, struct socket *sock, struct msghdr *message, u64 size, int flags, int ret)
{
	return received(sock->sk, ret, flags);
}

/* Before Linux 6.5, sendfile() and splice() send page by page. Later kernels use sendmsg. */
SEC("fexit/tcp_sendpage")
int BPF_PROG(tcp_page_sent, struct sock *sk, struct page *page, int offset, u64 size, int flags, int ret)
{
	return sent(sk, ret, !(flags & MSG_SENDPAGE_NOTLAST));
}

SEC("fexit/unix_stream_sendpage")
int BPF_PROG(unix_page_sent, struct socket *sock, struct page *page, int offset, u64 size, int flags, s64 ret)
{
	return sent(sock->sk, ret, !(flags & MSG_SENDPAGE_NOTLAST));
}

/* splice() does not read through recvmsg. */
SEC("fexit/tcp_splice_read")
int BPF_PROG(tcp_spliced, struct socket *sock, s64 *position, struct pipe_inode_info *pipe, u64 size, u32 flags,
	     s64 ret)
{
	return received(sock->sk, ret, 0);
}

SEC("fexit/unix_stream_splice_read")
int BPF_PROG(unix_spliced, struct socket *sock, s64 *position, struct pipe_inode_info *pipe, u64 size, u32 flags,
	     s64 ret)
{
	return received(sock->sk, ret, 0);
}
