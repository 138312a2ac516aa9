#define _GNU_SOURCE
#include "cptrace.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

_Static_assert(cptrace_mark_calls == PTRACE_O_TRACESYSGOOD, "");
_Static_assert(cptrace_trace_clone == PTRACE_O_TRACECLONE, "");
_Static_assert(cptrace_exit_kill == PTRACE_O_EXITKILL, "");
_Static_assert(cptrace_event_stop == PTRACE_EVENT_STOP, "");
_Static_assert(cptrace_event_clone == PTRACE_EVENT_CLONE, "");

static int request(enum __ptrace_request name, pid_t thread, void *address, void *data) {
  return ptrace(name, thread, address, data) < 0 ? -errno : 0;
}

int cptrace_seize(pid_t thread, uint64_t options) { return request(PTRACE_SEIZE, thread, NULL, (void *)options); }
int cptrace_interrupt(pid_t thread) { return request(PTRACE_INTERRUPT, thread, NULL, NULL); }
int cptrace_continue(pid_t thread, int signal) {
  return request(PTRACE_CONT, thread, NULL, (void *)(intptr_t)signal);
}
int cptrace_continue_to_syscall(pid_t thread, int signal) {
  return request(PTRACE_SYSCALL, thread, NULL, (void *)(intptr_t)signal);
}
int cptrace_detach(pid_t thread, int signal) {
  return request(PTRACE_DETACH, thread, NULL, (void *)(intptr_t)signal);
}
int cptrace_set_options(pid_t thread, uint64_t options) {
  return request(PTRACE_SETOPTIONS, thread, NULL, (void *)options);
}
int cptrace_event_message(pid_t thread, uint64_t *message) {
  return request(PTRACE_GETEVENTMSG, thread, NULL, message);
}

int cptrace_get_registers(pid_t thread, struct user_regs_struct *registers) {
  struct iovec piece = {registers, sizeof *registers};
  return request(PTRACE_GETREGSET, thread, (void *)NT_PRSTATUS, &piece);
}
int cptrace_get_thread_pointer(pid_t thread, uint64_t *pointer) {
  struct iovec piece = {pointer, sizeof *pointer};
  return request(PTRACE_GETREGSET, thread, (void *)NT_ARM_TLS, &piece);
}
int cptrace_has_long_vectors(void) {
#ifdef __aarch64__
  return getauxval(AT_HWCAP) & HWCAP_SVE || getauxval(AT_HWCAP2) & HWCAP2_SME;
#else
  return 0;
#endif
}
int cptrace_set_registers(pid_t thread, const struct user_regs_struct *registers) {
  struct iovec piece = {(void *)registers, sizeof *registers};
  return request(PTRACE_SETREGSET, thread, (void *)NT_PRSTATUS, &piece);
}

static int64_t get_set(pid_t thread, int set, void *area, uint64_t size) {
  struct iovec piece = {area, size};
  int code = request(PTRACE_GETREGSET, thread, (void *)(intptr_t)set, &piece);
  return code < 0 ? code : (int64_t)piece.iov_len;
}
int64_t cptrace_get_vectors(pid_t thread, void *area, uint64_t size) {
#ifdef __x86_64__
  int64_t count = get_set(thread, NT_X86_XSTATE, area, size);
  if (count >= 0 || count == -ESRCH) return count;
#endif
  return get_set(thread, NT_PRFPREG, area, size);
}
uint32_t cptrace_vector_place(uint32_t component) {
#ifdef __x86_64__
  uint32_t size, place, flags, reserved;
  if (__get_cpuid_count(0xD, component, &size, &place, &flags, &reserved) && size) return place;
#else
  (void)component;
#endif
  return 0;
}

int cptrace_get_signal_mask(pid_t thread, uint64_t *mask) {
  return request(PTRACE_GETSIGMASK, thread, (void *)sizeof *mask, mask);
}
int cptrace_set_signal_mask(pid_t thread, uint64_t mask) {
  return request(PTRACE_SETSIGMASK, thread, (void *)sizeof mask, &mask);
}
int cptrace_write_word(pid_t thread, uint64_t address, uint64_t word) {
  return request(PTRACE_POKEDATA, thread, (void *)address, (void *)word);
}

int cptrace_poll(pid_t thread, int *status) {
  int found;
  do found = waitpid(thread, status, __WALL | WNOHANG);
  while (found < 0 && errno == EINTR);
  return found < 0 ? -errno : found;
}
int cptrace_is_stop(int status) { return WIFSTOPPED(status); }
int cptrace_stop_signal(int status) { return WSTOPSIG(status); }
int cptrace_event(int status) { return status >> 16; }

void cptrace_allow_any_tracer(void) { prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); }

/// The same from /proc/PID/mem, for a tracer whose filter of system calls (seccomp) lacks process_vm_readv(2).
static int64_t read_file(pid_t process, uint64_t address, void *bytes, uint64_t count) {
  char path[32];
  snprintf(path, sizeof path, "/proc/%d/mem", process);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno == ENOENT ? -ESRCH : -EPERM;
  ssize_t found = pread(file, bytes, count, (off_t)address);
  close(file);
  return found < 0 ? -EFAULT : found;
}

int64_t cptrace_read(pid_t process, uint64_t address, void *bytes, uint64_t count) {
  struct iovec here = {bytes, count}, there = {(void *)address, count};
  ssize_t found = process_vm_readv(process, &here, 1, &there, 1, 0);
  if (found >= 0) return found;
  return errno == EPERM || errno == ENOSYS ? read_file(process, address, bytes, count) : -errno;
}

__attribute__((noinline)) void cptrace_wipe_stack(void) {
  char stack[256 << 10];
  memset(stack, 0, sizeof stack);
  // Keeps the compiler from removing the writes.
  __asm__ volatile("" : : "r"(stack) : "memory");
}

// As in <linux/fs.h> since Linux 6.7.
struct scan {
  uint64_t size, flags, start, end, walk_end, runs, count, most_pages, inverted, all_of, any_of, told;
};
enum { page_is_file = 1 << 2, page_is_present = 1 << 3, page_is_swapped = 1 << 4, page_is_zero = 1 << 5 };

int cptrace_touched(int pagemap, uint64_t *start, uint64_t end, int is_own, struct cptrace_run *runs, int count) {
  // A page that was only read is the shared zero page.
  uint64_t never = page_is_zero | (is_own ? page_is_file : 0);
  struct scan scan = {
      .size = sizeof scan, .start = *start, .end = end, .runs = (uintptr_t)runs, .count = (uint64_t)count,
      .inverted = never, .all_of = never, .any_of = page_is_present | page_is_swapped};
  int found = ioctl(pagemap, _IOWR('f', 16, struct scan), &scan);
  if (found < 0) return -errno;
  *start = scan.walk_end;
  return found;
}
