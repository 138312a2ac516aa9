#pragma once
// Where tracing is forbidden, the program makes its copy-on-write twin itself, and the twin sends its memory.
//
// The tool sends requests over a local socket that preserves messages (SOCK_SEQPACKET), with three words of 8 bytes:
// the kind, an address, and a count of bytes. Any other message, or the end, lets the program continue.
#include <stdint.h>
#include <sys/user.h>

enum {
  /// The answer is one word, the count of bytes that follow or a negative error number, and the bytes: fewer than
  /// requested at unreadable memory, and never more than `most_bytes`.
  request_read = 1,
  /// The answer is a `struct birth`, and the twin's socket (SCM_RIGHTS) if there is one.
  request_twin = 2,
  /// Like `request_read`; the twin also reads what the program may not (PROT_NONE).
  request_protected = 3,
  /// From now on the program answers when the tool calls it (SIGURG). No answer.
  request_calls = 4,
  most_bytes = 64 << 10,
};

struct birth {
  /// The twin's process, or a negative error number.
  int64_t process;
  /// The address of the threads in the twin's memory, as `struct standing`, their number, and the size of each.
  uint64_t threads, count, size;
  /// A thread that did not stop in time, or 0.
  uint64_t late;
  /// Nanoseconds for which the program was stopped when this was told.
  uint64_t stopped;
};

/// The system call in which a thread waits, as in /proc/PID/syscall.
struct call {
  int64_t number;
  uint64_t arguments[6], stack, next;
};

/// A stopped thread.
struct standing {
  uint64_t number, thread_pointer;
  /// The address of the vector registers in the signal's frame: on x86_64 an XSAVE area, on arm64 the 32 registers; 0
  /// if there are none, since the thread has called a function. The twin has the thread's stack, too.
  uint64_t vectors;
  struct user_regs_struct registers;
  /// The look for which it is to stop, and the look for which it has.
  _Atomic uint32_t look, stands;
  struct call call;
};

/// A descriptor of the shim. The program may close it, and open another one with its number.
struct own {
  int number;
  uint64_t device, inode;
};
__attribute__((visibility("hidden"))) struct own own(int number);
__attribute__((visibility("hidden"))) int is_own(const struct own *one);
/// Closes the descriptor if it is still the shim's.
__attribute__((visibility("hidden"))) void close_own(const struct own *one);

/// Answers the tool's requests until the program may continue. Signals are blocked meanwhile.
__attribute__((visibility("hidden"))) void serve(const struct own *line);
