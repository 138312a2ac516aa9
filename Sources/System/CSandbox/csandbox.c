#define _GNU_SOURCE
#include "csandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

// Debian 12's headers are older than the kernels that run with it: numbers of linux/landlock.h and linux/prctl.h.
enum {
  landlock_version = 1,
  landlock_path_beneath = 1,
  may_execute = 1 << 0,
  may_write = 1 << 1,
  may_read = 1 << 2,
  may_read_folder = 1 << 3,
  may_truncate = 1 << 14,
};
struct ruleset {
  uint64_t files, network, scoped;
};
struct rule {
  uint64_t allowed;
  int32_t parent;
} __attribute__((packed));

int csandbox_landlock_abi(void) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, landlock_version);
  return version < 0 ? 0 : (int)version;
}

int csandbox_keep_low(void) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL)) return -1;
  if (prctl(PR_SET_DUMPABLE, 0)) return -1;
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static int add_open(int rules, int file, uint64_t allowed) {
  struct rule rule = {allowed, file};
  return (int)syscall(SYS_landlock_add_rule, rules, landlock_path_beneath, &rule, 0);
}

// A file in memory alone (memfd_create) lies outside of what Landlock rules: it may be opened again without a rule.
static int add_given(int rules, int file, uint64_t allowed) {
  return file >= 0 && add_open(rules, file, allowed) && errno != EBADFD;
}

static int add_paths(int rules, const char *const *paths, uint64_t allowed, uint64_t of_folders) {
  for (; *paths; paths++) {
    int file = open(*paths, O_PATH | O_CLOEXEC);
    if (file < 0) continue; // What is not there needs no rule.
    int folder = open(*paths, O_PATH | O_CLOEXEC | O_DIRECTORY);
    if (folder >= 0) close(folder);
    int failed = add_open(rules, file, allowed | (folder >= 0 ? of_folders : 0));
    close(file);
    if (failed) return -1;
  }
  return 0;
}

int csandbox_close_files(const char *const *folders, const char *const *programs, int readable, int writable) {
  int version = csandbox_landlock_abi();
  if (version < 1) {
    errno = ENOSYS;
    return -1;
  }
  // 13 rights in version 1; later ones: refer, truncate, devices' ioctl. Then TCP, then signals and abstract sockets.
  int rights = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
  struct ruleset set = {(1u << rights) - 1, version >= 4 ? 3 : 0, version >= 6 ? 3 : 0};
  size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  int rules = (int)syscall(SYS_landlock_create_ruleset, &set, size, 0);
  if (rules < 0) return -1;
  uint64_t writing = may_read | may_write | (version >= 3 ? may_truncate : 0);
  int failed = add_paths(rules, folders, may_read, may_read_folder) ||
               add_paths(rules, programs, may_read | may_execute, 0) ||
               add_given(rules, readable, may_read) || add_given(rules, writable, writing) ||
               syscall(SYS_landlock_restrict_self, rules, 0);
  int number = errno;
  close(rules);
  errno = number;
  return failed ? -1 : 0;
}

#if defined(__x86_64__)
#define CSANDBOX_MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define CSANDBOX_MACHINE AUDIT_ARCH_AARCH64
#else
#error "seccomp: this machine's number is missing"
#endif

#define AT(field) (uint32_t) offsetof(struct seccomp_data, field)
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, AT(field))
#define EQUALS(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), yes, no)
#define HAS(bits, yes, no) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), yes, no)
#define END(answer) BPF_STMT(BPF_RET | BPF_K, (answer))
#define REFUSE END(SECCOMP_RET_ERRNO | EPERM)
#define ALLOW END(SECCOMP_RET_ALLOW)

static int set_filter(struct sock_filter *lines, unsigned short count) {
  struct sock_fprog program = {count, lines};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

// What decoding of JPEG, PNG, GIF, WebP, HEIC, AVIF and TIFF was seen to call, and what allocators and threads may.
static const int computing[] = {
    SYS_read, SYS_pread64, SYS_readv, SYS_write, SYS_writev, SYS_lseek, SYS_fstat, SYS_close, SYS_recvmsg, SYS_sendto,
    SYS_sendmsg, SYS_ppoll, SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_futex, SYS_sched_yield,
    SYS_sched_getaffinity, SYS_set_robust_list, SYS_rseq, SYS_rt_sigprocmask, SYS_rt_sigaction, SYS_rt_sigreturn,
    SYS_sigaltstack, SYS_getpid, SYS_gettid, SYS_clock_gettime, SYS_clock_nanosleep, SYS_gettimeofday, SYS_getrandom,
    SYS_exit, SYS_exit_group, SYS_restart_syscall, SYS_membarrier, SYS_dup,
#ifdef SYS_poll
    SYS_poll,
#endif
#ifdef SYS_time
    SYS_time,
#endif
};

int csandbox_allow_computing(void) {
  enum { most = 128 };
  struct sock_filter lines[most];
  unsigned short count = 0;
  const struct sock_filter head[] = {
      LOAD(arch), EQUALS(CSANDBOX_MACHINE, 1, 0), END(SECCOMP_RET_KILL_PROCESS), LOAD(nr),
      // glibc then uses clone, whose flags can be seen: threads only.
      EQUALS(SYS_clone3, 0, 1), END(SECCOMP_RET_ERRNO | ENOSYS),
      EQUALS(SYS_clone, 0, 4), LOAD(args[0]), HAS(CLONE_THREAD, 0, 1), ALLOW, REFUSE,
      // No memory that is executed.
      EQUALS(SYS_mmap, 1, 0), EQUALS(SYS_mprotect, 0, 4), LOAD(args[2]), HAS(PROT_EXEC, 1, 0), ALLOW, REFUSE,
      // Signals to itself, as abort() sends.
      EQUALS(SYS_tgkill, 0, 4), LOAD(args[0]), EQUALS((uint32_t)getpid(), 0, 1), ALLOW, REFUSE,
      // Names of threads.
      EQUALS(SYS_prctl, 0, 4), LOAD(args[0]), EQUALS(PR_SET_NAME, 0, 1), ALLOW, REFUSE,
  };
  for (size_t index = 0; index < sizeof head / sizeof *head; index++) lines[count++] = head[index];
  for (size_t index = 0; index < sizeof computing / sizeof *computing; index++) {
    lines[count++] = (struct sock_filter)EQUALS((uint32_t)computing[index], 0, 1);
    lines[count++] = (struct sock_filter)ALLOW;
  }
  lines[count++] = (struct sock_filter)REFUSE;
  return set_filter(lines, count);
}

static const int outside[] = {
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_ptrace,
    SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_open, SYS_pidfd_getfd, SYS_kcmp, SYS_mount, SYS_umount2,
    SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_bpf,
    SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_add_key,
    SYS_request_key, SYS_keyctl, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot,
    SYS_swapon, SYS_swapoff, SYS_sethostname, SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_quotactl,
    SYS_kill, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_pidfd_send_signal, SYS_process_madvise,
    SYS_migrate_pages, SYS_move_pages, SYS_sched_setaffinity, SYS_sched_setscheduler, SYS_sched_setparam,
    SYS_sched_setattr, SYS_ioprio_set, SYS_memfd_create, SYS_mq_open, SYS_shmget, SYS_msgget, SYS_semget, SYS_fchmod,
    SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_unlinkat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr,
    SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_utimensat,
    // Landlock rules it from version 3 on.
    SYS_truncate,
#ifdef SYS_chmod
    SYS_chmod, SYS_chown, SYS_lchown, SYS_unlink, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
};

// fchmodat2. It and all newer calls do to files what those above do, or were not looked at; programs that know them do
// without where a kernel has none. The second table of calls that x86-64 has (x32) lies above.
enum { first_closed = 452 };

int csandbox_refuse_outside(void) {
  enum { most = 256 };
  struct sock_filter lines[most];
  unsigned short count = 0;
  const struct sock_filter head[] = {
      LOAD(arch), EQUALS(CSANDBOX_MACHINE, 1, 0), END(SECCOMP_RET_KILL_PROCESS), LOAD(nr),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, first_closed, 0, 1), END(SECCOMP_RET_ERRNO | ENOSYS),
      // Threads only, as above.
      EQUALS(SYS_clone3, 0, 1), END(SECCOMP_RET_ERRNO | ENOSYS),
      EQUALS(SYS_clone, 0, 4), LOAD(args[0]), HAS(CLONE_THREAD, 0, 1), ALLOW, REFUSE,
      // Signals, limits and priority of itself alone. The number stays when another program takes the process over.
      EQUALS(SYS_tgkill, 0, 4), LOAD(args[0]), EQUALS((uint32_t)getpid(), 0, 1), ALLOW, REFUSE,
      EQUALS(SYS_prlimit64, 0, 5), LOAD(args[0]), EQUALS(0, 1, 0), EQUALS((uint32_t)getpid(), 0, 1), ALLOW, REFUSE,
      EQUALS(SYS_setpriority, 0, 6), LOAD(args[0]), EQUALS(PRIO_PROCESS, 0, 3), LOAD(args[1]), EQUALS(0, 0, 1), ALLOW,
      REFUSE,
#ifdef SYS_fork
      EQUALS(SYS_fork, 1, 0), EQUALS(SYS_vfork, 0, 1), REFUSE,
#endif
  };
  for (size_t index = 0; index < sizeof head / sizeof *head; index++) lines[count++] = head[index];
  for (size_t index = 0; index < sizeof outside / sizeof *outside; index++) {
    lines[count++] = (struct sock_filter)EQUALS((uint32_t)outside[index], 0, 1);
    lines[count++] = (struct sock_filter)REFUSE;
  }
  lines[count++] = (struct sock_filter)ALLOW;
  return set_filter(lines, count);
}

long csandbox_file_size(int file) {
  struct stat information;
  return syscall(SYS_fstat, file, &information) || !S_ISREG(information.st_mode) ? -1 : (long)information.st_size;
}

// MARK: Limits

static int limit(int kind, size_t most) {
  struct rlimit value = {most, most};
  return setrlimit((__rlimit_resource_t)kind, &value);
}
int csandbox_limit_memory(size_t bytes) { return limit(RLIMIT_AS, bytes); }
int csandbox_limit_file(size_t bytes) { return limit(RLIMIT_FSIZE, bytes); }
int csandbox_limit_seconds(size_t seconds) { return limit(RLIMIT_CPU, seconds); }
int csandbox_limit_descriptors(size_t count) { return limit(RLIMIT_NOFILE, count); }
void csandbox_step_back(int steps) { setpriority(PRIO_PROCESS, 0, steps); }
int csandbox_no_core(void) { return limit(RLIMIT_CORE, 0); }

// MARK: Attempts

int csandbox_try_open(const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  close(file);
  return 0;
}
int csandbox_try_socket(void) { return socket(AF_INET, SOCK_STREAM, 0) < 0 ? -1 : 0; }
int csandbox_try_trace(void) { return ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0 ? -1 : 0; }
int csandbox_try_execute(const char *path) {
  char *words[] = {(char *)path, NULL};
  return execve(path, words, words + 1);
}
int csandbox_try_fork(void) {
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) _exit(0);
  waitpid(child, NULL, 0);
  return 0;
}
int csandbox_try_kill_parent(void) { return kill(1, 0); }
int csandbox_try_thread_signal(int process) { return (int)syscall(SYS_tgkill, process, process, 0); }
int csandbox_try_queue_signal(void) {
  siginfo_t information = {.si_code = SI_QUEUE};
  return (int)syscall(SYS_rt_sigqueueinfo, getppid(), 0, &information);
}
int csandbox_try_queue_thread_signal(void) {
  siginfo_t information = {.si_code = SI_QUEUE};
  return (int)syscall(SYS_rt_tgsigqueueinfo, getppid(), getppid(), 0, &information);
}
int csandbox_try_descriptor_signal(void) { return (int)syscall(SYS_pidfd_send_signal, -1, 0, NULL, 0); }
int csandbox_try_limit(int process) {
  struct rlimit value;
  return (int)syscall(SYS_prlimit64, process, RLIMIT_CORE, NULL, &value);
}
int csandbox_try_times(void) { return (int)syscall(SYS_utimensat, -1, NULL, NULL, 0); }
int csandbox_try_newer_call(void) { return (int)syscall(first_closed, -1, "", 0, AT_EMPTY_PATH); }
int csandbox_try_slow_all(void) { return setpriority(PRIO_USER, 0, 19); }
int csandbox_try_executable_memory(void) {
  int all = PROT_READ | PROT_WRITE | PROT_EXEC;
  return mmap(NULL, 4096, all, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0;
}
int csandbox_try_read_process(void) {
  char byte;
  struct iovec here = {&byte, 1}, there = {&byte, 1};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) < 0 ? -1 : 0;
}
