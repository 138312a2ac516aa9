#pragma once
// What Swift's Glibc module leaves out of Linux.
#include <semaphore.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

// Only named: <sys/socket.h> belongs to Glibc, and a second owner would hide its types from Swift.
struct sockaddr;

/// What this program was started with, byte by byte: its name and its arguments, and NULL. Swift reads them from /proc,
/// which need not be there, and its strings are UTF-8, which they need not be.
char **clinux_arguments(void);

/// Forks a process that passes on what comes from `from[i]` to `to[i]` until everybody has closed it, or nobody reads
/// it.
void clinux_leave_forwarder(const int *from, const int *to, int count);

/// Names the calling thread for ps and gdb; at most 15 bytes.
void clinux_name_thread(const char *name);

/// Accepts a connection that does not block and is closed on exec; -1 with errno like accept4(2).
int clinux_accept(int listener, struct sockaddr *address, unsigned int *size);

/// The process at the other end of a local socket (SO_PEERCRED), the one that connected; -1 when it cannot be told.
int clinux_peer(int socket);

/// Receives a message and the descriptor that may come with it (SCM_RIGHTS), which is -1 if there is none, and closed
/// on exec. -1 with errno like recvmsg(2).
long clinux_receive(int socket, void *bytes, size_t count, int *descriptor);

/// Sends a part of a file without copying it through the program; moves `offset`. -1 with errno like sendfile(2).
long clinux_sendfile(int socket, int file, long *offset, size_t count);

/// The number of the file system that a path lies on (statfs(2)); 0 when it cannot be told.
long clinux_file_system(const char *path);

/// Whether the kernel says that something keeps its clock in time (adjtimex(2)).
int clinux_clock_is_synchronised(void);

/// Gives the system back what the allocator keeps free; takes up to some milliseconds.
void clinux_release_memory(void);

/// Has blocks of 256 KB and more given back to the system whenever they are freed.
void clinux_keep_no_large_blocks(void);

/// How many cores this process may use, by its affinity mask; at least 1.
int clinux_usable_cores(void);

/// Whether all of this part of a file lies in the page cache, so that reading it waits for no disk. `offset` is rounded
/// down to a page. 0 when it does not, or cannot be told.
int clinux_is_cached(int file, long offset, size_t count);

/// Waits until a moment of the monotonic clock, which nobody sets: sem_clockwait(3).
int clinux_wait_until(sem_t *semaphore, const struct timespec *deadline);
