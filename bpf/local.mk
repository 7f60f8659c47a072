# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel programs: one file a concern, linked into one object with one skeleton.
# What defines the maps comes first: bpftool 7.1 does not link a map that is used before it is defined.
BPF_FILES = \
	bpf/maps.bpf.c \
	bpf/cpu_offsets.bpf.c \
	bpf/membership.bpf.c \
	bpf/process.bpf.c \
	bpf/thread.bpf.c \
	bpf/scan.bpf.c \
	bpf/sample.bpf.c \
	bpf/socket.bpf.c \
	bpf/uring.bpf.c \
	bpf/aio.bpf.c \
	bpf/files.bpf.c \
	bpf/oom.bpf.c \
	bpf/reclaim.bpf.c \
	bpf/fuse.bpf.c \
	bpf/inherit.bpf.c \
	#
BPF_INCLUDES = \
	bpf/account.h \
	bpf/async.h \
	bpf/current.h \
	bpf/enter.h \
	bpf/former.h \
	bpf/image.h \
	bpf/kernel.h \
	bpf/maps.h \
	bpf/member.h \
	bpf/memory.h \
	bpf/path.h \
	bpf/pressure.h \
	bpf/record.h \
	bpf/script.h \
	bpf/states.h \
	bpf/syscall.h \
	bpf/wait.h \
	#
BPF_OBJECTS = $(BPF_FILES:.bpf.c=.bpf.o)
# BPF_PROG() names all arguments of a tracepoint, and each program takes what it needs from the headers.
BPF_CFLAGS = -g -O2 -target bpf -mcpu=v3 -D__TARGET_ARCH_$(BPF_ARCH) -I$(srcdir) $(LIBBPF_CFLAGS) $(BPF_SYSTEM_INCLUDES) -Wall -Wextra \
	-Wno-unused-function -Wno-unused-parameter

bpf/%.bpf.o: bpf/%.bpf.c
	$(AM_V_CC)$(MKDIR_P) bpf && $(BPF_CLANG) $(BPF_CFLAGS) -MMD -MP -MF $@.d -c $< -o $@
bpf/stint.bpf.o: $(BPF_OBJECTS)
	$(AM_V_GEN)$(BPFTOOL) gen object $@ $(BPF_OBJECTS)
bpf/stint.skel.h: bpf/stint.bpf.o
	$(AM_V_GEN)$(BPFTOOL) gen skeleton bpf/stint.bpf.o name stint_bpf > $@.tmp && mv $@.tmp $@
# An object of its own: it is loaded only where programs of another layout are replaced.
bpf/former.skel.h: bpf/former.bpf.o
	$(AM_V_GEN)$(BPFTOOL) gen skeleton bpf/former.bpf.o name former_bpf > $@.tmp && mv $@.tmp $@
-include $(BPF_OBJECTS:=.d) bpf/former.bpf.o.d

BUILT_SOURCES += bpf/stint.skel.h bpf/former.skel.h
CLEANFILES += bpf/stint.skel.h bpf/stint.bpf.o $(BPF_OBJECTS) $(BPF_OBJECTS:=.d) bpf/former.skel.h bpf/former.bpf.o bpf/former.bpf.o.d
EXTRA_DIST += $(BPF_FILES) $(BPF_INCLUDES) bpf/former.bpf.c
