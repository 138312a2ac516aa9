import Glibc

/// Live objects that resemble leaks: each is reached in a way that is easily overlooked.
enum Controls {
  nonisolated(unsafe) static var kept: [AnyObject] = []
  nonisolated(unsafe) static var choices: [Choice] = []
  nonisolated(unsafe) static var opaque: UnsafeMutableRawPointer?
  nonisolated(unsafe) static var interior: UnsafeMutableRawPointer?
  nonisolated(unsafe) static var anything: Any?
  nonisolated(unsafe) static var work: (() -> Void)?
  nonisolated(unsafe) static var failure: (any Error)?
  nonisolated(unsafe) static var table: [String: [Node]] = [:]

  final class Node {
    var other: Node?
    weak var parent: Node?
    unowned var owner: Node?
    var name = "a text that is too long to stand inside of its string"
  }
  /// An enumeration whose cases are distinguished by bits of the pointer.
  enum Choice {
    case left(Node)
    case right(Node)
    case neither
  }
  struct Failure: Error {
    nonisolated(unsafe) var node: Node
  }

  @inline(never) static func make() {
    makeFamilies()
    let (left, right) = (Node(), Node())
    choices = [.left(left), .right(right), .neither]
    live(left, "payload of the first case")
    live(right, "payload of the second case")

    let unmanaged = Node()
    live(unmanaged, "held by Unmanaged alone")
    opaque = Unmanaged.passRetained(unmanaged).toOpaque()

    // A pointer into the middle of a block keeps it alive, as in C programs.
    let block = malloc(400)!
    memset(block, 0, 400)
    interior = block + 200
    tell("LIVE 0x\(String(UInt(bitPattern: block), radix: 16)) pointed into")

    // Referred to from within a mapping far larger than the machine's memory.
    let far = Node()
    var vast: UnsafeMutableRawPointer?
    live(far, "in a page of a vast mapping")
    // valgrind has no room for it: there, a smaller one has to do.
    let size = [64 << 30, 1 << 30].first { size in
      vast = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | Int32(MAP_NORESERVE), -1, 0)
      return vast != MAP_FAILED
    }
    guard let vast, let size else { Victim.fail("There is no room for a vast mapping.") }
    (vast + size / 4).storeBytes(of: Unmanaged.passRetained(far).toOpaque(), as: UnsafeMutableRawPointer.self)

    makeImpostors()

    makeSurvivors()

    makeDelegates()

    let captured = Node()
    live(captured, "captured by a closure")
    work = { captured.name = "called" }

    let (weakly, unownedly) = (Ticker(), Ticker())
    live(weakly, "captured weakly by its own closure")
    live(unownedly, "captured without ownership by its own closure")
    weakly.onTick = { [weak weakly] in weakly?.ticks += 1 }
    unownedly.onTick = { [unowned unownedly] in unownedly.ticks += 1 }
    kept += [weakly, unownedly]

    let boxed = Node()
    live(boxed, "in an existential")
    anything = (1, 2, 3, boxed)

    let carried = Node()
    live(carried, "in an error")
    failure = Failure(node: carried)

    let entry = Node()
    live(entry, "in an array in a dictionary")
    table["key"] = [Node(), entry]

    startThreads()
    scatter()
  }

  /// Parents and children with weak and unowned references back, and a ring that is still held.
  @inline(never) static func makeFamilies() {
    let (parent, child) = (Node(), Node())
    parent.other = child
    child.parent = parent
    child.owner = parent
    live(parent, "parent with a weak way back")
    live(child, "child")
    let (first, second) = (Node(), Node())
    first.other = second
    second.other = first
    live(first, "ring that is still held")
    live(second, "its second half")
    kept += [parent, first]
  }

  final class Employer: WorkerDelegate {
    var employee: Employee?
  }
  final class Employee {
    unowned let unownedly: any WorkerDelegate
    weak var weakly: (any WorkerDelegate)?
    unowned var perhaps: (any WorkerDelegate)?
    init(_ employer: Employer) {
      unownedly = employer
      weakly = employer
      perhaps = employer
    }
  }

  /// References back without a count, to a delegate whose class is not known.
  @inline(never) static func makeDelegates() {
    let employer = Employer()
    employer.employee = Employee(employer)
    live(employer, "weak and unowned delegate")
    kept.append(employer)
  }

  final class Mortal {
    var filler = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  }
  final class Mourner {
    weak var weakly: Mortal?
    unowned var unownedly: Mortal?
  }

  /// The remains of deallocated objects: the side table of one with a weak reference, and the block of one with an
  /// unowned reference.
  @inline(never) static func makeSurvivors() {
    let mourner = Mourner()
    let mortal = Mortal()
    mourner.weakly = mortal
    withExtendedLifetime(mortal) {}
    live(mourner, "weak reference to an object that has died")
    kept.append(mourner)
    let unowned = Mortal()
    live(unowned, "unowned after its death")
    mourner.unownedly = unowned
    withExtendedLifetime(unowned) {}
  }

  /// C blocks whose words resemble metadata and counts, but are invalid.
  @inline(never) static func makeImpostors() {
    let code: @convention(c) (UnsafeMutableRawPointer?) -> Void = free
    let metadata = UnsafeMutablePointer<UInt>.allocate(capacity: 16)
    metadata.initialize(repeating: 0, count: 16)
    // Before it a function, as in class metadata; after it an instance size of 32 bytes, and a class size of 4.
    metadata[4] = unsafeBitCast(code, to: UInt.self)
    metadata[6 + 3] = 32
    metadata[6 + 4] = 4
    let counted = UnsafeMutablePointer<UInt>.allocate(capacity: 16)
    counted.initialize(repeating: .max, count: 16)
    counted[0] = unsafeBitCast(Node.self as AnyObject.Type, to: UInt.self)
    let instance = UnsafeMutablePointer<UInt>.allocate(capacity: 4)
    instance.initialize(repeating: 0, count: 4)
    instance[0] = UInt(bitPattern: metadata + 6)
    for block in [metadata, counted, instance] {
      tell("LIVE 0x\(String(UInt(bitPattern: block), radix: 16)) impostor")
      blocks.append(UnsafeMutableRawPointer(block))
    }
  }

  /// Threads that hold an object on their stack, in a thread-local variable, and as their argument, while they wait.
  static func startThreads() {
    for _ in 0..<3 {
      let node = Node()
      live(node, "on a thread's stack")
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { context in
          let node = Unmanaged<Node>.fromOpaque(context!).takeRetainedValue()
          withExtendedLifetime(node) { _ = pause() }
          return nil
        }, Unmanaged.passRetained(node).toOpaque())
    }
    let specific = Node()
    live(specific, "in a thread's own variable")
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    pthread_setspecific(key, Unmanaged.passRetained(specific).toOpaque())
  }

  /// Many objects of many sizes, some of them freed: free lists must not be taken for live blocks, nor live ones for
  /// free.
  @inline(never) static func scatter() {
    var nodes: [Node] = []
    for number in 0..<500 {
      let node = Node()
      if number % 3 == 0 { nodes.append(node) }
    }
    for node in nodes.prefix(100) { live(node, "among freed ones") }
    kept += nodes as [AnyObject]
    for size in [16, 24, 100, 1_000, 10_000, 200_000, 3_000_000] {
      let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      memset(block, 0, size)
      tell("LIVE 0x\(String(UInt(bitPattern: block), radix: 16)) of \(size) bytes")
      blocks.append(block)
    }
  }
  nonisolated(unsafe) static var blocks: [UnsafeMutableRawPointer] = []
}
