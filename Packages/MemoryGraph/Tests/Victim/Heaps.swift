import Glibc

/// Heaps of programs with threads, much memory, or no room to grow.
enum Heaps {
  final class Node {
    var other: Node?
    var filler = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  }
  nonisolated(unsafe) static var kept: [[AnyObject]] = []
  nonisolated(unsafe) static var blocks: [UnsafeMutableRawPointer] = []

  /// In running threads: each has an arena of its own, with more than one heap of 64 MB.
  static func makeArenas(_ count: Int) {
    blockBreak()
    for number in 0..<4 {
      inThread(thenWait: true) {
        fill(count)
        // Larger than a heap, in pieces too small for a mapping of their own.
        var pieces: [UnsafeMutableRawPointer] = []
        for _ in 0..<(number == 0 ? 800 : 10) { pieces.append(malloc(100_000)!) }
        for (place, piece) in pieces.enumerated() {
          memset(piece, 0, 100_000)
          if place % 3 == 0 { free(piece) } else { keep(piece) }
        }
      }
    }
    fill(count)
    for _ in 0..<50 { keep(malloc(100_000)!) }
    for size in [200_000, 1_000_000, 40_000_000] { keep(malloc(size)!) }
  }

  /// In threads that have ended: their stacks are kept for new ones, with stale contents.
  static func makeInEndedThreads(_ count: Int) {
    for _ in 0..<count {
      inThread(thenWait: false) { makePair(thatLeaks: true) }
    }
  }

  private static func keep(_ block: UnsafeMutableRawPointer) {
    tell("LIVE 0x\(String(UInt(bitPattern: block), radix: 16)) block")
    blocks.append(block)
  }

  /// Objects of which some are freed, some live, and some have leaked.
  @inline(never) private static func fill(_ count: Int) {
    var nodes: [AnyObject] = []
    for number in 0..<count {
      if number % 100 == 0 { makePair(thatLeaks: true) }
      let node = Node()
      if number % 3 == 0 { nodes.append(node) }
      if number % 60 == 0 { live(node, "node") }
    }
    kept.append(nodes)
  }

  @inline(never) private static func makePair(thatLeaks: Bool) {
    let (first, second) = (Node(), Node())
    (first.other, second.other) = (second, first)
    leaked(first, "Heaps.Node")
    leaked(second, "Heaps.Node")
  }

  /// Maps the page behind the heap, so that the program break cannot grow and glibc maps more core elsewhere.
  private static func blockBreak() {
    let rest = UInt(sysconf(Int32(_SC_PAGESIZE))) - 1
    let end = UnsafeMutableRawPointer(bitPattern: (UInt(bitPattern: sbrk(0)) + rest) & ~rest)
    let page = mmap(end, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | Int32(MAP_FIXED_NOREPLACE), -1, 0)
    if page != end { Victim.fail("the program break could not be blocked") }
  }

  /// Runs a body in a thread, one after the other.
  private static func inThread(thenWait: Bool, _ body: @escaping () -> Void) {
    final class Work {
      let body: () -> Void
      let thenWait: Bool
      let isDone = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
      init(_ body: @escaping () -> Void, _ thenWait: Bool) {
        (self.body, self.thenWait) = (body, thenWait)
        sem_init(isDone, 0, 0)
      }
    }
    let work = Work(body, thenWait)
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { context in
        let work = Unmanaged<Work>.fromOpaque(context!).takeUnretainedValue()
        work.body()
        Victim.scrub(64)
        sem_post(work.isDone)
        if work.thenWait { while pause() != 0 {} }
        return nil
      }, Unmanaged.passRetained(work).toOpaque())
    while sem_wait(work.isDone) != 0 {}
    if !thenWait {
      pthread_join(thread, nil)
      work.isDone.deallocate()
      Unmanaged.passUnretained(work).release()
    }
  }
}
