// A C program with known blocks: prints "LEAK ADDRESS block" or "LIVE ADDRESS block" for each, then "ready", and waits
// for the end of its input. Its argument selects the kind of heap or process.
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

// Not static: the compiler would see that it is never read.
void *kept[5000];
static int count;

static void leak(size_t size) {
  void *block = malloc(size);
  memset(block, 0, size);
  printf("LEAK %p block\n", block);
}

static void *live(size_t size) {
  void *block = malloc(size);
  memset(block, 0, size);
  printf("LIVE %p block\n", block);
  return block;
}

static void keep(size_t size) { kept[count++] = live(size); }

// Overwrites stale words on the stack, among them addresses of leaks.
static __attribute__((noinline)) void scrub(void) {
  volatile char room[16384];
  for (size_t i = 0; i < sizeof room; i++) room[i] = 0;
}

// Leaked, live and freed blocks, of sizes for all kinds of lists.
static __attribute__((noinline)) void mix(int rounds) {
  for (int i = 0; i < rounds; i++) {
    if (i % 3 == 0) leak(40 + i % 900);
    else keep(40 + i % 900);
    free(malloc(100 + i));
  }
}

// Other code moves the program break, so that foreign memory is between parts of the heap.
static void foreign_break(void) {
  for (int round = 0; round < 3; round++) {
    memset(sbrk(5000 + round * 16), 0x5a, 5000);
    for (int i = 0; i < 600; i++) {
      if (i % 10 == 0) leak(200);
      else if (i % 10 == 1) keep(300);
      else free(malloc(200 + i));
    }
  }
}

static void *in_thread(void *unused) {
  (void)unused;
  mix(300);
  scrub();
  for (;;) pause();
  return NULL;
}

// An arena for each thread.
static void threads(void) {
  for (int i = 0; i < 3; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, in_thread, NULL);
    // One after the other, since they share `kept` and the output.
    for (int before = -1; before != count;) {
      before = count;
      usleep(100000);
    }
  }
}

// Blocks referred to only from memory with certain properties.
static void held(int advice, int protection) {
  void **memory = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (advice) madvise(memory, 1 << 16, advice);
  for (int i = 0; i < 100; i++) memory[i] = live(64 + i);
  if (protection) mprotect(memory, 1 << 16, protection);
}

// Data of a connection that only the kernel refers to.
static void events(void) {
  int poller = epoll_create1(EPOLL_CLOEXEC), ends[2];
  for (int i = 0; i < 5; i++) {
    struct epoll_event event = {EPOLLIN, {.ptr = live(300 + i)}};
    if (pipe(ends) || epoll_ctl(poller, EPOLL_CTL_ADD, ends[0], &event)) exit(3);
  }
}

// Addresses with a counter in their upper bits, as in lock-free lists.
uintptr_t counted[100];
static void count_addresses(void) {
  for (uintptr_t i = 0; i < 100; i++) counted[i] = (uintptr_t)live(64) | (i + 7) << 48;
}

// A thread's own list, which begins with the thread's number: it resembles libdispatch's.
struct node {
  long first, second;
  struct node *next;
  void *payload;
};
static __thread struct {
  pid_t thread;
  long first, second;
  struct node *nodes;
} own;
static void keep_own(void) {
  own.thread = (pid_t)syscall(SYS_gettid);
  for (int i = 0; i < 3; i++) {
    struct node *node = live(sizeof *node);
    *node = (struct node){0, 0, own.nodes, live(200)};
    own.nodes = node;
  }
}

// Two stacks in one mapping: one is suspended for ever, the other one runs.
static ucontext_t first, fibers[2];
static void fiber(int number) {
  void *volatile job = live(1000);
  volatile char room[8192];
  for (size_t i = 0; i < sizeof room; i++) room[i] = 0;
  if (number == 0) swapcontext(&fibers[0], &fibers[1]);
  printf("ready\n");
  fflush(stdout);
  while (job) pause();
}
static void run_fibers(void) {
  const size_t size = 1 << 16;
  char *stacks = mmap(NULL, 4096 + 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(stacks, 4096, PROT_NONE);
  for (int i = 0; i < 2; i++) {
    getcontext(&fibers[i]);
    fibers[i].uc_stack.ss_sp = stacks + 4096 + i * size;
    fibers[i].uc_stack.ss_size = size;
    makecontext(&fibers[i], (void (*)(void))fiber, 1, i);
  }
  scrub();
  swapcontext(&first, &fibers[0]);
}

static __attribute__((noinline)) void allocate_and_free(void) {
  void *blocks[5];
  for (int i = 0; i < 5; i++) blocks[i] = malloc(200);
  for (int i = 0; i < 5; i++) free(blocks[i]);
}

// A thread frees blocks to its cache, and stays.
static void *fill_cache(void *filled) {
  allocate_and_free();
  scrub();
  pthread_barrier_wait(filled);
  pause();
  return filled;
}

// A thread whose cache (of 640 bytes) is in a chunk 16 bytes larger than needed: malloc gives away a rest that would be
// no chunk by itself. The first seven blocks fill this thread's own cache, so the last three go back to the heap.
static void odd_cache(void) {
  static char *blocks[10];
  static pthread_barrier_t filled;
  mallopt(M_ARENA_MAX, 1);
  for (int i = 0; i < 10; i++) {
    blocks[i] = malloc(664);
    keep(24);
  }
  leak(100);
  for (int i = 0; i < 10; i++) free(blocks[i]);
  pthread_t thread;
  pthread_barrier_init(&filled, NULL, 2);
  pthread_create(&thread, NULL, fill_cache, &filled);
  pthread_barrier_wait(&filled);
  int caches = 0;
  for (int i = 7; i < 10; i++) {
    // A chunk of that size that is in use again, as the chunk behind it says.
    size_t size = ((size_t *)blocks[i])[-1] & ~(size_t)7;
    caches += size == 672 && ((size_t *)(blocks[i] + size))[-1] & 1;
  }
  if (caches == 0) exit(3);
}

// Blocks with a mapping of their own.
static void large(void) {
  for (size_t size = 200000; size < 9000000; size *= 2) {
    leak(size);
    keep(size);
  }
}

// Changes some pages, so that the kernel splits their mapping.
static void change(char *from, char *to, const char *how) {
  char *start = (char *)((uintptr_t)from & ~(uintptr_t)4095);
  size_t size = ((size_t)(to - start) + 4095) & ~(size_t)4095;
  int error = -1;
  if (!strcmp(how, "locked")) error = mlock(start, size);
  if (!strcmp(how, "readable")) error = mprotect(start, size, PROT_READ);
  if (!strcmp(how, "untouchable")) error = mprotect(start, size, PROT_NONE);
  if (!strcmp(how, "unforked")) error = madvise(start, size, MADV_DONTFORK);
  if (!strcmp(how, "huge")) error = madvise(start, size, MADV_HUGEPAGE);
  if (!strcmp(how, "undumped")) error = madvise(start, size, MADV_DONTDUMP);
  if (error) exit(3);
}

// Blocks that refer to another one each, in pages that are changed, with their neighbours and chunk headers.
static void split(const char *how) {
  enum { count_of_sizes = 5 };
  const size_t sizes[count_of_sizes] = {4000, 16384, 65528, 300000, 400000};
  char *blocks[count_of_sizes];
  mix(300);
  for (int i = 0; i < count_of_sizes; i++) {
    int is_mapped = sizes[i] >= 300000;
    leak(48);
    void *block = NULL;
    if (is_mapped) block = malloc(sizes[i]);
    else if (posix_memalign(&block, 4096, sizes[i])) exit(3);
    memset(block, 0, sizes[i]);
    printf("LIVE %p block\n", block);
    blocks[i] = kept[count++] = block;
    *(void **)(void *)(blocks[i] + sizes[i] / 16 * 8) = live(200);
    mix(60);
  }
  leak(500000);
  // No more allocations from here on, since the heap's own lists may not be writable any more.
  change(blocks[0], blocks[0] + sizes[0], how);
  change(blocks[1] - 4096, blocks[1] + sizes[1], how);
  change(blocks[2], blocks[2] + 40960, how);
  change(blocks[3], blocks[3] + 160000, how);
  change(blocks[4] + 160000, blocks[4] + sizes[4], how);
  scrub();
}

static int is_split;
// A part of the heap is excluded from children, and changes all the time.
static void churn(void) {
  enum { all = 4000 };
  static void *blocks[all];
  for (int i = 0; i < all; i++) blocks[i] = malloc(2000);
  for (int i = 1000; i < 3000; i += 200) change(blocks[i], (char *)blocks[i] + 100000, "unforked");
  scrub();
  printf("ready\n");
  fflush(stdout);
  for (unsigned i = 1;; i = i * 1664525 + 1013904223) {
    void **block = &blocks[(i >> 8) % all];
    free(*block);
    *block = malloc(1100 + (i >> 20));
    if (i >> 24 == 0) usleep(1);  // who waits until it is quiet need not wait long
  }
}

static void *split_in_thread(void *how) {
  split(how);
  __atomic_store_n(&is_split, 1, __ATOMIC_SEQ_CST);
  for (;;) pause();
  return NULL;
}

// A thread's arena first, then the program's own heap.
static void split_both(char *how) {
  pthread_t thread;
  pthread_create(&thread, NULL, split_in_thread, how);
  while (!__atomic_load_n(&is_split, __ATOMIC_SEQ_CST)) usleep(1000);
  split(how);
}

// Blocks without apparent addresses, 640 MB together, with a reference in the middle of every fourth; and one of 2 GB
// that was never touched.
static void plain(void) {
  const size_t words = (16 << 20) / sizeof(uint64_t);
  uint64_t noise = 1;
  for (int i = 0; i < 40; i++) {
    uint64_t *block = malloc(words * sizeof *block);
    for (size_t word = 0; word < words; word++) {
      noise = noise * 6364136223846793005u + 1442695040888963407u;
      block[word] = noise | (uint64_t)1 << 47;  // no address has this bit
    }
    printf("%s %p block\n", i % 8 == 1 ? "LEAK" : "LIVE", (void *)block);
    if (i % 8 != 1) kept[count++] = block;
    if (i % 4 == 0) block[words / 2 + i * 1000] = (uint64_t)(uintptr_t)live(200);
    leak(300);
  }
  kept[count++] = malloc((size_t)2 << 30);
  printf("LIVE %p block\n", kept[count - 1]);
}

// A write past the end of a block: the next chunk's size is invalid.
static void damage(void) {
  char *first = malloc(100), *second = malloc(100);
  // Volatile, so that the compiler does not notice the overflow.
  for (volatile int i = 0; i < 112; i++) first[i] = (char)0xff;
  kept[count++] = first;
  kept[count++] = second;
}

// A write past the end of the last block; when the program break cannot grow, the heap goes on elsewhere.
static void damage_top(size_t size, int is_elsewhere) {
  static char input[100];
  setvbuf(stdin, input, _IOFBF, sizeof input);  // nothing is allocated from here on
  char *end = (char *)(((uintptr_t)sbrk(0) + 4095) & ~(uintptr_t)4095);
  if (is_elsewhere && mmap(end, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != end) exit(3);
  do keep(is_elsewhere ? 1000 : 5000);
  while (is_elsewhere && (char *)kept[count - 1] < end);
  char *volatile last = kept[count - 1];
  *(size_t *)(void *)(last + malloc_usable_size(last)) = size;
}

// A write into a freed block: the list of freed blocks leads nowhere.
static void damage_list(void) {
  static uintptr_t volatile blocks[6];
  for (int i = 0; i < 6; i++) blocks[i] = (uintptr_t)malloc(1000);
  for (int i = 0; i < 6; i++) free((void *)blocks[i]);
  *(size_t volatile *)blocks[4] = 0x4141414141414141;
  for (int i = 0; i < 6; i++) blocks[i] = 0;
}

// The same as `damage`, but repaired after the first look: the wait, which the kernel never repeats, ends with that.
static void damage_until_seen(void) {
  char *first = malloc(100), *second = malloc(100);
  size_t *volatile size = (size_t *)(void *)(second - sizeof(size_t)), right = *size;
  kept[count++] = first;
  kept[count++] = second;
  *size = ~(size_t)0;
  struct epoll_event event;
  int poller = epoll_create1(EPOLL_CLOEXEC);
  printf("ready\n");
  fflush(stdout);
  while (epoll_wait(poller, &event, 1, -1) >= 0 || errno != EINTR) {}
  *size = right;
}

// From now on a thread that calls clone is killed, and the process with it.
static void filter(void) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) exit(3);
}

// Code of a file that is mapped shared: writes to it change the file.
static void shared_code(const char *path) {
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0 || mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0) == MAP_FAILED) exit(3);
}

// The program's header in memory says of its code that it ends with the last of all addresses.
static void lie(void) {
  extern char __ehdr_start[] __attribute__((visibility("hidden")));
  Elf64_Ehdr *header = (Elf64_Ehdr *)(void *)__ehdr_start;
  Elf64_Phdr *part = (Elf64_Phdr *)(void *)(__ehdr_start + header->e_phoff);
  if (mprotect(header, 4096, PROT_READ | PROT_WRITE)) exit(3);
  for (int i = 0; i < header->e_phnum; i++)
    if (part[i].p_type == PT_LOAD && part[i].p_flags & PF_X)
      part[i].p_filesz = ~(uint64_t)0 - ((uintptr_t)__ehdr_start + part[i].p_vaddr);
}

// A thread that waits in the kernel for its child, and cannot be stopped meanwhile.
static void wait_for_child(void) {
  printf("ready\n");
  fflush(stdout);
  if (vfork() == 0) {
    char letter;
    while (read(0, &letter, 1) > 0 && letter != '\n') {}
    _exit(0);
  }
}

int main(int words, char **word) {
  const char *kind = words > 1 ? word[1] : "";
  static char buffer[1 << 20];
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  mix(300);
  if (!strcmp(kind, "break")) foreign_break();
  if (!strcmp(kind, "threads")) threads();
  if (!strcmp(kind, "large")) large();
  if (!strcmp(kind, "unforked")) held(MADV_DONTFORK, 0);
  if (!strcmp(kind, "protected")) held(0, PROT_READ);
  if (!strcmp(kind, "events")) events();
  if (!strcmp(kind, "counted")) count_addresses();
  if (!strcmp(kind, "own")) keep_own();
  if (!strcmp(kind, "fibers")) run_fibers();
  if (!strcmp(kind, "cache")) odd_cache();
  if (!strcmp(kind, "split")) split_both(word[2]);
  if (!strcmp(kind, "churning")) churn();
  if (!strcmp(kind, "plain")) plain();
  if (!strcmp(kind, "damaged")) damage();
  if (!strcmp(kind, "top")) damage_top(strtoull(word[2], NULL, 16), 1);
  if (!strcmp(kind, "end")) damage_top(strtoull(word[2], NULL, 16), 0);
  if (!strcmp(kind, "list")) damage_list();
  if (!strcmp(kind, "passing")) damage_until_seen();
  if (!strcmp(kind, "filtered")) filter();
  if (!strcmp(kind, "shared")) shared_code(word[2]);
  if (!strcmp(kind, "lying")) lie();
  if (!strcmp(kind, "waiting")) wait_for_child();
  scrub();
  printf("ready\n");
  fflush(stdout);
  for (char line[100]; fgets(line, sizeof line, stdin);) {}
}
