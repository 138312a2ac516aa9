#pragma once
// Linux calls that Swift's Glibc module lacks.
#include <semaphore.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

// Declared only: <sys/socket.h> belongs to Glibc, and a second module with it would hide its types from Swift.
struct sockaddr;

/// The program's name and arguments, byte by byte, and NULL. Swift takes them from /proc, which may be missing, and as
/// UTF-8, which they need not be.
char **clinux_arguments(void);

/// Writes all bytes, however long that takes. Returns 0 with errno when that fails, as when nobody reads any more.
int clinux_write_all(int file, const void *bytes, size_t count);

/// Forks a process that forwards bytes from `from[i]` to `to[i]` until all writers have closed it, or the reader has.
void clinux_leave_forwarder(const int *from, const int *to, int count);

/// Names the calling thread for ps and gdb; at most 15 bytes.
void clinux_name_thread(const char *name);

/// Accepts a connection as non-blocking and close-on-exec; -1 with errno like accept4(2).
int clinux_accept(int listener, struct sockaddr *address, unsigned int *size);

/// Has root become another user, who owns what the process makes from then on; it still reads and writes everybody's
/// files, and gives them away. Called before there are other threads, which inherit that right. -1 with errno.
int clinux_become(unsigned int user, unsigned int group);

/// The process that connected to a local socket (SO_PEERCRED); -1 when unknown.
int clinux_peer(int socket);

/// Receives a message and the descriptor that may come with it (SCM_RIGHTS), close-on-exec; -1 if there is none.
/// Returns -1 with errno like recvmsg(2).
long clinux_receive(int socket, void *bytes, size_t count, int *descriptor);

/// Sends bytes to a local socket, and a descriptor with the first of them (SCM_RIGHTS); -1 for none. A reader that is
/// gone is EPIPE, without a signal. Returns -1 with errno like sendmsg(2).
long clinux_send(int socket, const void *bytes, size_t count, int descriptor);

/// Two connected local sockets, close-on-exec: socketpair(2).
int clinux_socket_pair(int sockets[2]);

/// Two ends of a pipe, close-on-exec: pipe2(2).
int clinux_pipe(int ends[2]);

/// A file in memory with these bytes, close-on-exec: memfd_create(2). -1 with errno.
int clinux_memory_file(const void *bytes, size_t count);

/// Starts a program that gets three descriptors and no other, in a process group of its own and in the root folder;
/// -1 stands for /dev/null. The number of the process; negative: the reason, as errno has it.
int clinux_spawn(const char *program, char *const words[], char *const environment[], const int descriptors[3]);

/// Sends a part of a file without copying it through the program; advances `offset`. -1 with errno like sendfile(2).
long clinux_sendfile(int socket, int file, long *offset, size_t count);

/// The device number of a path's file system (statfs(2)); 0 when unknown.
long clinux_file_system(const char *path);

/// True if the kernel considers its clock synchronised (adjtimex(2)).
int clinux_clock_is_synchronised(void);

/// Returns the allocator's free memory to the system; takes up to some milliseconds.
void clinux_release_memory(void);

/// Unmaps the code and constants of the program and its libraries, which the next use maps again, some 64 KB at a time:
/// what only the start needed does not count as the program's any more, and the kernel may drop it first.
void clinux_release_code(void);

/// Has blocks of 256 KB and more returned to the system whenever they are freed.
void clinux_keep_no_large_blocks(void);

/// The number of cores that this process may use, by its affinity mask; at least 1.
int clinux_usable_cores(void);

/// True if all of this part of a file is in the page cache, so that reading it does not wait for the disk. `offset` is
/// rounded down to a page. 0 if not, or if unknown.
int clinux_is_cached(int file, long offset, size_t count);

/// Has the system begin to write this part of a file to the disk, and returns at once: sync_file_range(2).
void clinux_begin_writing(int file, long offset, long count);

/// Waits until a time of the monotonic clock, which nobody can set: sem_clockwait(3).
int clinux_wait_until(sem_t *semaphore, const struct timespec *deadline);

/// A timer of the wall clock as a descriptor, which also becomes readable when that clock is set: timerfd_create(2).
/// -1 with errno.
int clinux_wall_timer(void);

/// Has the timer ring once, at a time of the wall clock. Reading it answers ECANCELED if the clock was set since; then
/// it has to be set again. -1 with errno.
int clinux_set_wall_timer(int timer, const struct timespec *moment);
