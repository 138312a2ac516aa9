#pragma once
// Calls by which a process gives up rights for ever: Landlock, seccomp, limits. All return -1 with errno when they
// fail.
#include <stddef.h>

/// The version of Landlock that this kernel speaks; 0 if none.
int csandbox_landlock_abi(void);

/// Keeps this process and its children from gaining rights, and ends it when the thread that started it ends.
int csandbox_keep_low(void);

/// From now on no file can be opened, and as far as the kernel's Landlock goes no connection made, but for these.
/// - `folders`: what may be read, and NULL.
/// - `programs`: what may be read and executed, and NULL.
/// - `readable`, `writable`: open files that may be opened again; -1 for none.
int csandbox_close_files(const char *const *folders, const char *const *programs, int readable, int writable);

/// From now on only what computing needs: memory, threads, reading and writing of what is open. All else is refused
/// with EPERM, new processes and executable memory too.
int csandbox_allow_computing(void);

/// From now on no sockets, no mounts, no new namespaces, no keys, no tracing; of other processes neither a look into
/// one nor a signal, a limit or a priority for one; of files neither other rights nor owners, attributes or times.
int csandbox_refuse_outside(void);

/// A regular file's size; -1 if it is none. glibc's fstat may use a call that also takes paths, which is refused.
long csandbox_file_size(int file);

/// Sets a limit, soft and hard, that only root could raise again.
int csandbox_limit_memory(size_t bytes);
int csandbox_limit_file(size_t bytes);
int csandbox_limit_seconds(size_t seconds);
int csandbox_limit_descriptors(size_t count);
int csandbox_no_core(void);

/// Lets others go first on a busy machine, as nice(1) does.
void csandbox_step_back(int steps);

/// What must be refused afterwards; each returns 0 if it was done.
int csandbox_try_open(const char *path);
int csandbox_try_socket(void);
int csandbox_try_trace(void);
int csandbox_try_execute(const char *path);
int csandbox_try_fork(void);
int csandbox_try_kill_parent(void);
/// Of the thread that a process began with; signal 0, which does nothing.
int csandbox_try_thread_signal(int process);
/// To the process that started this one.
int csandbox_try_queue_signal(void);
int csandbox_try_queue_thread_signal(void);
int csandbox_try_descriptor_signal(void);
/// Reads a limit of a process; 0 for this one.
int csandbox_try_limit(int process);
/// Tries to set the times of a file. Like the next call it names one that does not exist, and so changes nothing.
int csandbox_try_times(void);
/// Tries to give a file other rights, by a call of newer kernels.
int csandbox_try_newer_call(void);
/// Makes all processes of this user slow.
int csandbox_try_slow_all(void);
int csandbox_try_executable_memory(void);
int csandbox_try_read_process(void);
