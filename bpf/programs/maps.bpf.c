/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Defines the maps. maps.h describes them. */
#include "bpf/has.h"
#include "bpf/maps.h"

char LICENSE[] SEC("license") = "GPL";

struct settings_map settings SEC(".maps");
struct threads_map threads SEC(".maps");
struct thread_uses_map thread_uses SEC(".maps");
struct processes_map processes SEC(".maps");
struct process_uses_map process_uses SEC(".maps");
struct users_map users SEC(".maps");
struct shares_map shares SEC(".maps");
struct job_cgroups_map job_cgroups SEC(".maps");
struct totals_map totals SEC(".maps");
struct tools_map tools SEC(".maps");
struct interpreters_map interpreters SEC(".maps");
struct runtime_options_map runtime_options SEC(".maps");
struct containers_map containers SEC(".maps");
struct gpu_files_map gpu_files SEC(".maps");
struct events_map events SEC(".maps");
struct memory_cgroups_map memory_cgroups SEC(".maps");
struct cpu_offsets_map cpu_offsets SEC(".maps");
struct pressures_map pressures SEC(".maps");
struct cpu_uses_map cpu_uses SEC(".maps");
struct samples_map samples SEC(".maps");
struct file_systems_map file_systems SEC(".maps");
struct files_map files SEC(".maps");
struct inherited_map inherited SEC(".maps");
struct syscalls_map syscalls SEC(".maps");

struct change change;
int attached_tgid;
__u64 walks;

const volatile bool registers = true;

/* Keeps the names of these types in the BTF, for a stintd of another layout. */
const enum use *use_names __attribute__((unused));
const enum wait *wait_names __attribute__((unused));
const enum kernel_use *kernel_use_names __attribute__((unused));
const struct event *event_members __attribute__((unused));
