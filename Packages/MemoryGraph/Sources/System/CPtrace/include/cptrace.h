#pragma once
// ptrace(2), whose requests are variadic, and reading another process' memory. Every function returns 0 (or a count) or
// a negative error number.
#include <signal.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

enum {
  /// Marks stops at system calls as `cptrace_call_stop`. Without it, a tracee whose tracer is killed then would get a
  /// SIGTRAP, and die of it.
  cptrace_mark_calls = 1,
  cptrace_call_stop = 5 | 0x80,
  /// A clone(2) of the tracee stops it, and its child is traced from birth.
  cptrace_trace_clone = 1 << 3,
  /// The tracee is killed when its tracer ends. Never set on the process under examination.
  cptrace_exit_kill = 1 << 20,
  /// The event of a stop caused by PTRACE_INTERRUPT or by the start of a traced child.
  cptrace_event_stop = 128,
  cptrace_event_clone = 3,
};

int cptrace_seize(pid_t thread, uint64_t options);
int cptrace_interrupt(pid_t thread);
/// Continues a stopped thread until its next event; `signal` is delivered to it.
int cptrace_continue(pid_t thread, int signal);
/// The same, until it enters or leaves a system call.
int cptrace_continue_to_syscall(pid_t thread, int signal);
int cptrace_detach(pid_t thread, int signal);
int cptrace_set_options(pid_t thread, uint64_t options);
int cptrace_event_message(pid_t thread, uint64_t *message);
int cptrace_get_registers(pid_t thread, struct user_regs_struct *registers);
/// The thread pointer, on processors with a register set of its own for it.
int cptrace_get_thread_pointer(pid_t thread, uint64_t *pointer);
/// True if the processor has registers that a system call does not preserve: SVE's and SME's of arm64.
int cptrace_has_long_vectors(void);
int cptrace_set_registers(pid_t thread, const struct user_regs_struct *registers);
/// The vector registers, in the kernel's layout: on x86_64 an XSAVE area in the standard format, of which the kernel
/// may have the first 512 bytes only; on arm64 a `struct user_fpsimd_state`. Returns how many of `size` bytes are
/// there, or a negative error number.
int64_t cptrace_get_vectors(pid_t thread, void *area, uint64_t size);
/// The offset of a component of the state in an XSAVE area (CPUID leaf 0xD); 0 if this processor lacks it.
uint32_t cptrace_vector_place(uint32_t component);
int cptrace_get_signal_mask(pid_t thread, uint64_t *mask);
int cptrace_set_signal_mask(pid_t thread, uint64_t mask);
/// Writes one word, also where the program itself may not write.
int cptrace_write_word(pid_t thread, uint64_t address, uint64_t word);

/// Polls a traced thread: returns its number, or 0 when nothing has happened.
int cptrace_poll(pid_t thread, int *status);
int cptrace_is_stop(int status);
int cptrace_stop_signal(int status);
int cptrace_event(int status);

/// Lets any process of the same user trace this one, where Yama would let only its parents (prctl(2), PR_SET_PTRACER).
void cptrace_allow_any_tracer(void);

/// Zeroes the 256 KB of stack below the caller, whose stale words would look like references.
void cptrace_wipe_stack(void);

/// Reads another process' memory (process_vm_readv(2)) and returns the count; it ends early at unmapped memory.
int64_t cptrace_read(pid_t process, uint64_t address, void *bytes, uint64_t count);

/// From one address to another one, exclusive.
struct cptrace_run {
  uint64_t start, end, categories;
};

/// The touched parts of an address space from `*start` to `end` (/proc/PID/pagemap, PAGEMAP_SCAN, since Linux 6.7), as
/// many as there is room for; moves `start` to where to continue. `is_own` leaves out pages that are unchanged from
/// their file.
int cptrace_touched(int pagemap, uint64_t *start, uint64_t end, int is_own, struct cptrace_run *runs, int count);
