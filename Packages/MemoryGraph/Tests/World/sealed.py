"""An environment where tracing is forbidden, as in a container without SYS_PTRACE."""

import ctypes
import struct

# System calls of x86_64: ptrace, process_vm_readv, process_vm_writev.
FORBIDDEN = (101, 310, 311)
# <linux/seccomp.h>, <linux/filter.h>, <linux/prctl.h>
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
LOAD, JUMP_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, ERROR, EPERM = 0x7FFF0000, 0x00050000, 1


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def seal():
    """Forbids tracing to this process and its children: to be run between fork and exec."""
    lines = [(LOAD, 0, 0, 0)]
    for place, number in enumerate(FORBIDDEN):
        lines.append((JUMP_EQUAL, len(FORBIDDEN) - place, 0, number))
    lines += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, ERROR | EPERM)]
    room = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in lines))
    library = ctypes.CDLL(None, use_errno=True)
    program = Program(len(lines), ctypes.addressof(room))
    seccomp = (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0)
    for words in ((PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), seccomp):
        if library.prctl(*words) != 0:
            raise OSError(ctypes.get_errno(), "prctl")
