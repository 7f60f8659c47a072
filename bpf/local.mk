# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel programs. Each file has one subject. All are linked into one object with one skeleton.
# The file that defines the maps comes first, because bpftool 7.1 does not link a map that is used before it is defined.
BPF_FILES = \
	bpf/programs/maps.bpf.c \
	bpf/programs/cpu_offsets.bpf.c \
	bpf/programs/membership.bpf.c \
	bpf/programs/process.bpf.c \
	bpf/programs/thread.bpf.c \
	bpf/programs/scan.bpf.c \
	bpf/programs/sample.bpf.c \
	bpf/programs/socket.bpf.c \
	bpf/programs/uring.bpf.c \
	bpf/programs/aio.bpf.c \
	bpf/programs/files.bpf.c \
	bpf/programs/gpu.bpf.c \
	bpf/programs/oom.bpf.c \
	bpf/programs/reclaim.bpf.c \
	bpf/programs/slab.bpf.c \
	bpf/programs/signal.bpf.c \
	bpf/programs/fuse.bpf.c \
	bpf/programs/inherit.bpf.c \
	#
BPF_INCLUDES = \
	bpf/account.h \
	bpf/async.h \
	bpf/cast.h \
	bpf/container.h \
	bpf/queue_clock.h \
	bpf/current.h \
	bpf/enter.h \
	bpf/gpu.h \
	bpf/gpu_files.h \
	bpf/has.h \
	bpf/image.h \
	bpf/kernel.h \
	bpf/maps.h \
	bpf/member.h \
	bpf/memory_peak.h \
	bpf/path.h \
	bpf/places.h \
	bpf/pressure.h \
	bpf/quota.h \
	bpf/abi.h \
	bpf/script.h \
	bpf/thread_runtime.h \
	bpf/thread_states.h \
	bpf/syscall.h \
	bpf/wait.h \
	#
BPF_OBJECTS = $(BPF_FILES:bpf/programs/%.bpf.c=bpf/%.bpf.o)
# Some warnings are off, because BPF_PROG() names all arguments of a tracepoint, and no program uses all functions of the headers.
BPF_CFLAGS = -g -O2 -target bpf -mcpu=v3 -D__TARGET_ARCH_$(BPF_ARCH) -I$(srcdir) $(LIBBPF_CFLAGS) $(BPF_SYSTEM_INCLUDES) -Wall -Wextra \
	-Wno-unused-function -Wno-unused-parameter \
	$(PREFIX_MAP)

bpf/%.bpf.o: bpf/programs/%.bpf.c
	$(AM_V_CC)$(MKDIR_P) bpf && $(BPF_CLANG) $(BPF_CFLAGS) -MMD -MP -MF $@.d -c $< -o $@
bpf/stint.bpf.o: $(BPF_OBJECTS)
	$(AM_V_GEN)$(BPFTOOL) gen object $@ $(BPF_OBJECTS)
bpf/stint.skel.h: bpf/stint.bpf.o
	$(AM_V_GEN)$(BPFTOOL) gen skeleton bpf/stint.bpf.o name stint_bpf > $@.tmp && mv $@.tmp $@
# This program is a separate object, because it is loaded only if programs of another layout are replaced.
bpf/former.skel.h: bpf/former.bpf.o
	$(AM_V_GEN)$(BPFTOOL) gen skeleton bpf/former.bpf.o name former_bpf > $@.tmp && mv $@.tmp $@
-include $(BPF_OBJECTS:=.d) bpf/former.bpf.o.d
# tests/system/compilers.bats calls this: make bpf-by BPF_BY_CLANG=COMPILER BPF_BY=DIRECTORY
BPF_BY = bpf/by
BPF_BY_CLANG = $(BPF_CLANG)
$(BPF_BY)/%.bpf.o: bpf/programs/%.bpf.c
	$(AM_V_CC)$(MKDIR_P) $(BPF_BY) && $(BPF_BY_CLANG) $(BPF_CFLAGS) -c $< -o $@
$(BPF_BY)/stint.bpf.o: $(BPF_FILES:bpf/programs/%.bpf.c=$(BPF_BY)/%.bpf.o)
	$(AM_V_GEN)$(BPFTOOL) gen object $@ $(BPF_FILES:bpf/programs/%.bpf.c=$(BPF_BY)/%.bpf.o)
bpf-by: $(BPF_BY)/stint.bpf.o $(BPF_BY)/former.bpf.o
.PHONY: bpf-by

BUILT_SOURCES += bpf/stint.skel.h bpf/former.skel.h
CLEANFILES += bpf/stint.skel.h bpf/stint.bpf.o $(BPF_OBJECTS) $(BPF_OBJECTS:=.d) bpf/former.skel.h bpf/former.bpf.o bpf/former.bpf.o.d
EXTRA_DIST += $(BPF_FILES) $(BPF_INCLUDES) bpf/programs/former.bpf.c
