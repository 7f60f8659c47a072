# SPDX-License-Identifier: GPL-2.0-or-later
# A user's quota on a file system, for tests.
# shellcheck shell=bash

# Sets the user's quota by quotactl(2), as no installed package has a command for it. 0: none.
quota_set() { # DEVICE UID KiB
	python3 - "$@" <<-'END'
		import ctypes, os, struct, sys
		Q_SETQUOTA, USRQUOTA, QIF_BLIMITS = 0x800008, 0, 1
		limit = int(sys.argv[3])
		quota = ctypes.create_string_buffer(struct.pack("@8QI4x", limit, limit, 0, 0, 0, 0, 0, 0, QIF_BLIMITS))
		libc = ctypes.CDLL(None, use_errno=True)
		if libc.quotactl(Q_SETQUOTA << 8 | USRQUOTA, sys.argv[1].encode(), int(sys.argv[2]), quota):
		    sys.exit(os.strerror(ctypes.get_errno()))
	END
}
