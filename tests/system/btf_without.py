# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes the BTF of a kernel that lacks a feature: this kernel's, in which that feature has another name.

Usage: btf_without.py FILE NAME          a type or function
       btf_without.py FILE TYPE.MEMBER [OTHER-NAME]
"""
import struct
import sys

STRUCT = 4
BYTES_BEHIND = {1: 4, 3: 12, 14: 4, 17: 4}  # kinds: int, array, variable, declaration tag
BYTES_OF_EACH = {4: 12, 5: 12, 6: 8, 13: 8, 15: 12, 19: 12}  # struct, union, enum, function type, section, 64-bit enum


class Btf:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = bytearray(file.read())
        magic, _, _, header, types, types_bytes, strings, strings_bytes = struct.unpack_from("<HBBIIIII", self.data)
        assert magic == 0xEB9F
        self.types = header + types
        self.types_end = self.types + types_bytes
        self.strings = header + strings
        self.strings_end = self.strings + strings_bytes

    def text(self, offset):
        start = self.strings + offset
        return self.data[start:self.data.index(0, start)].decode()

    def offset(self, text):
        """Whether the string section has @text."""
        return self.data.index(b"\0" + text.encode() + b"\0", self.strings, self.strings_end) + 1 - self.strings

    def each(self):
        """Where each type is, its kind, its name, and how many members it has."""
        at = self.types
        while at < self.types_end:
            name, info, _ = struct.unpack_from("<III", self.data, at)
            kind, count = info >> 24 & 0x1F, info & 0xFFFF
            yield at, kind, name, count
            at += 12 + BYTES_BEHIND.get(kind, 0) + BYTES_OF_EACH.get(kind, 0) * count

    def rename_member(self, of, member, other):
        """Only the member's own name: others may have the same."""
        renamed = 0
        for at, kind, name, count in self.each():
            if kind != STRUCT or self.text(name) != of:
                continue
            for i in range(count):
                place = at + 12 + 12 * i
                if self.text(struct.unpack_from("<I", self.data, place)[0]) == member:
                    struct.pack_into("<I", self.data, place, self.offset(other))
                    renamed += 1
        assert renamed, f"{of} has no member {member}"

    def rename(self, name):
        place = self.strings + self.offset(name)
        self.data[place] = ord("#")


def main():
    path, name = sys.argv[1:3]
    btf = Btf("/sys/kernel/btf/vmlinux")
    if "." in name:
        btf.rename_member(*name.split("."), (sys.argv[3:] + ["unsigned int"])[0])
    else:
        btf.rename(name)
    with open(path, "wb") as file:
        file.write(btf.data)


main()
