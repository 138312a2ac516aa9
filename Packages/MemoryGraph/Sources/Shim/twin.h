#pragma once
// Where nobody may trace the program, it makes its copy-on-write twin itself, and the twin hands out its memory.
//
// The tool asks over a local socket that keeps messages apart (SOCK_SEQPACKET), with three words of 8 bytes: what it
// wants, an address, and a count of bytes. Any other message, or none, lets the program go on.
#include <stdint.h>
#include <sys/user.h>

enum {
  /// The answer is one word, how many bytes follow or a negative error number, and the bytes: fewer than asked for at
  /// what cannot be read, and never more than `most_bytes`.
  request_read = 1,
  /// The answer is a `struct birth`, and the twin's socket (SCM_RIGHTS) if there is one.
  request_twin = 2,
  /// Like `request_read`; the twin also reads what the program may not (PROT_NONE).
  request_protected = 3,
  /// From now on the program answers when the tool calls it (SIGURG). There is no answer.
  request_calls = 4,
  most_bytes = 64 << 10,
};

struct birth {
  /// The twin's process, or a negative error number.
  int64_t process;
  /// Where the threads stand in the twin's memory, one `struct standing` each, how many there are, and their size.
  uint64_t threads, count, size;
  /// A thread that did not stand still in time, or 0.
  uint64_t late;
  /// Nanoseconds that the program stood still.
  uint64_t stopped;
};

/// A system call in which a thread waits, as /proc/PID/syscall tells it.
struct call {
  int64_t number;
  uint64_t arguments[6], stack, next;
};

/// A thread that stands still.
struct standing {
  uint64_t number, thread_pointer;
  /// Where the signal's frame has the registers of the vector extensions: on x86_64 an XSAVE area, on arm64 the 32
  /// registers; 0 if there are none, since the thread has called a function. The twin has the thread's stack, too.
  uint64_t vectors;
  struct user_regs_struct registers;
  /// The look that it stands still for, and whether it does.
  _Atomic uint32_t look, stands;
  struct call call;
};

/// A descriptor of ours. The program may close what it does not know, and open something else under its number.
struct own {
  int number;
  uint64_t device, inode;
};
__attribute__((visibility("hidden"))) struct own own(int number);
__attribute__((visibility("hidden"))) int is_own(const struct own *one);
/// Closes it if it is still ours.
__attribute__((visibility("hidden"))) void close_own(const struct own *one);

/// Answers what the tool asks until it lets the program go on. Signals are held off meanwhile.
__attribute__((visibility("hidden"))) void serve(const struct own *line);
