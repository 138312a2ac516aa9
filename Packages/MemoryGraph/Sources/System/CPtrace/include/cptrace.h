#pragma once
// ptrace(2), whose requests are variadic, and reading another process's memory. Every function answers 0 (or what it
// counts) or a negative error number.
#include <signal.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

enum {
  /// Stops at system calls are told with `cptrace_call_stop`. Without this a tracee whose tracer is killed meanwhile
  /// would get a SIGTRAP of its own, and die of it.
  cptrace_mark_calls = 1,
  cptrace_call_stop = 5 | 0x80,
  /// A clone(2) of the tracee stops it, and its child is traced from birth.
  cptrace_trace_clone = 1 << 3,
  /// The tracee is killed when its tracer ends. Never to be set on the process that is looked at.
  cptrace_exit_kill = 1 << 20,
  /// The event of a stop that PTRACE_INTERRUPT or a birth under trace has caused.
  cptrace_event_stop = 128,
  cptrace_event_clone = 3,
};

int cptrace_seize(pid_t thread, uint64_t options);
int cptrace_interrupt(pid_t thread);
/// Lets a stopped thread run on until its next event; `signal` is delivered to it.
int cptrace_continue(pid_t thread, int signal);
/// The same, until it enters or leaves a system call.
int cptrace_continue_to_syscall(pid_t thread, int signal);
int cptrace_detach(pid_t thread, int signal);
int cptrace_set_options(pid_t thread, uint64_t options);
int cptrace_event_message(pid_t thread, uint64_t *message);
int cptrace_get_registers(pid_t thread, struct user_regs_struct *registers);
/// Where the C library keeps what belongs to the thread, on processors that have a register set of its own for it.
int cptrace_get_thread_pointer(pid_t thread, uint64_t *pointer);
/// Whether the processor has registers that a system call does not keep: SVE's and SME's of arm64.
int cptrace_has_long_vectors(void);
int cptrace_set_registers(pid_t thread, const struct user_regs_struct *registers);
/// The registers of the vector extensions, as the kernel lays them out: on x86_64 an XSAVE area in the standard format,
/// of which the kernel may know the first 512 bytes only; on arm64 a `struct user_fpsimd_state`. Answers how many of
/// `size` bytes are there, or a negative error number.
int64_t cptrace_get_vectors(pid_t thread, void *area, uint64_t size);
/// Where a component of the state stands in an XSAVE area (CPUID leaf 0xD); 0 when this processor does not have it.
uint32_t cptrace_vector_place(uint32_t component);
int cptrace_get_signal_mask(pid_t thread, uint64_t *mask);
int cptrace_set_signal_mask(pid_t thread, uint64_t mask);
/// Writes one word, also where the program itself may not write.
int cptrace_write_word(pid_t thread, uint64_t address, uint64_t word);

/// What a thread under trace did, without waiting: its number, 0 when nothing has happened.
int cptrace_poll(pid_t thread, int *status);
int cptrace_is_stop(int status);
int cptrace_stop_signal(int status);
int cptrace_event(int status);

/// Lets any process of the same user trace this one, where Yama would let only its parents (prctl(2), PR_SET_PTRACER).
void cptrace_allow_any_tracer(void);

/// Writes zeros over the 256 KB of stack below the caller: what earlier calls have left there looks like references.
void cptrace_wipe_stack(void);

/// Bytes read from another process's memory (process_vm_readv(2)); it ends early at what is not mapped.
int64_t cptrace_read(pid_t process, uint64_t address, void *bytes, uint64_t count);

/// From one address to before another one.
struct cptrace_run {
  uint64_t start, end, categories;
};

/// The touched parts of an address space from `*start` to `end` (/proc/PID/pagemap, PAGEMAP_SCAN, since Linux 6.7), as
/// many as there is room for; moves `start` to where it goes on. `is_own` leaves out what is still as in a file.
int cptrace_touched(int pagemap, uint64_t *start, uint64_t end, int is_own, struct cptrace_run *runs, int count);
