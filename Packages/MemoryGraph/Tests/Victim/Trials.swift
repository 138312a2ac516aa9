import Dispatch
import Glibc

/// An element of a list, with a reference to the next one.
final class DummyObject {
  var next: DummyObject?
  var data: [UInt8]?
}

/// The owner of the first element; its button releases it.
final class ViewController {
  var listOfObjects: DummyObject?
}
nonisolated(unsafe) var controller = ViewController()

protocol WorkerDelegate: AnyObject {}
final class Worker {
  var delegate: (any WorkerDelegate)?
}
final class Boss: WorkerDelegate {
  var worker: Worker?
}

final class Ticker {
  var onTick: (() -> Void)?
  var ticks = 0
}

final class Document {
  var pages: [Page] = []
}
final class Page {
  var owner: Document?
  init(owner: Document) { self.owner = owner }
}

struct Link {
  var weight = 1.5
  var target: Box<Int>?
}
class Box<Value> {
  var value: Value
  var link = Link()
  init(_ value: Value) { self.value = value }
}

final class Registry {
  var entries: [String: Entry] = [:]
}
final class Entry {
  var registry: Registry?
}

final class Handle {
  var number = 7
}

/// All cases, in the order of the list.
nonisolated(unsafe) let trials = basics + holders + waiting + handlers + borrowers + mixtures

nonisolated(unsafe) let basics: [Trial] = [
  Trial(
    name: "ring",
    explanation: "The article's ring: COUNT objects, each with the next, the last with the first; drop lets it go.",
    expected: "nothing leaks until drop; then one retain cycle through DummyObject.next",
    make: { count in controller.listOfObjects = makeRing(count) },
    drop: {
      var next = controller.listOfObjects
      let first = next
      repeat {
        leaked(next!, "DummyObject")
        next = next!.next
      } while next !== first
      controller.listOfObjects = nil
    }),
  Trial(
    name: "delegate", explanation: "A worker keeps its delegate strongly, which keeps the worker.",
    expected: "one retain cycle, Boss.worker and Worker.delegate, COUNT times",
    make: { count in for _ in 0..<count { makeDelegate() } }),
  Trial(
    name: "closure", explanation: "A ticker's closure captures the ticker.",
    expected: "one retain cycle, Ticker.onTick and the closure, COUNT times",
    make: { count in for _ in 0..<count { makeClosure() } }),
  Trial(
    name: "captures", explanation: "A ticker's closure captures the ticker and a variable.",
    expected: "one retain cycle, Ticker.onTick and what the closure has captured, COUNT times",
    make: { count in for _ in 0..<count { makeCaptures() } }),
  Trial(
    name: "queue", explanation: "Pairs that leak in blocks that a queue has run, with what they were called with.",
    expected: "one retain cycle, Boss.worker and Worker.delegate, COUNT times",
    make: { count in makeOnQueue(count) }),
  Trial(
    name: "array", explanation: "A document keeps its pages in an array; each page keeps its document.",
    expected: "one retain cycle through the array's storage, Page.owner; all pages in one finding",
    make: { count in makeDocument(pages: count) }),
  Trial(
    name: "generic", explanation: "A generic object refers to itself through a structure's field.",
    expected: "one retain cycle through Box.link.target, COUNT times",
    make: { count in for _ in 0..<count { makeBox() } }),
  Trial(
    name: "dictionary", explanation: "A registry's dictionary holds an entry that keeps the registry.",
    expected: "one retain cycle through the dictionary's storage, COUNT times",
    make: { count in for _ in 0..<count { makeRegistry() } }),
  Trial(
    name: "unmanaged", explanation: "An object is retained by hand and never released.",
    expected: "root leaks, Handle objects, COUNT of them",
    make: { count in for _ in 0..<count { makeHandle() } }),
  Trial(
    name: "retained", explanation: "Objects in an array, half of them retained once more by hand.",
    expected: "no leak; COUNT objects of type Ticket are over-retained",
    make: { count in OverRetained.make(count) }),
  Trial(
    name: "busy", explanation: "Four threads move COUNT living objects each, without a rest.",
    expected: "nothing, though a single look may find some of them on their way",
    make: { count in Busy.make(count) }),
  Trial(
    name: "malloc", explanation: "Blocks of C's allocator are lost.",
    expected: "root leaks, untyped blocks, COUNT of them",
    make: { count in for number in 0..<count { makeBlock(100 + number % 3 * 200) } }),
  Trial(
    name: "arenas",
    explanation: "Four threads and the main one each make COUNT objects, free two thirds of them and leak a few; one "
      + "needs more than one heap, and the program break cannot grow.",
    expected: "one retain cycle, Heaps.Node.other, once for every 100 objects",
    make: { count in Heaps.makeArenas(count) }),
  Trial(
    name: "ended", explanation: "Pairs that leak in threads that have ended, whose stacks still name them.",
    expected: "one retain cycle, Heaps.Node.other, COUNT times",
    make: { count in Heaps.makeInEndedThreads(count) }),
]

nonisolated(unsafe) let mixtures: [Trial] = [
  Trial(
    name: "controls", explanation: "Living objects that resemble leaks.", expected: "nothing",
    make: { _ in Controls.make() }),
  Trial(
    name: "likenesses",
    explanation: "Living objects with one link that is weak, or with somebody who still holds them.",
    expected: "nothing", make: { _ in Likenesses.make() }),
  Trial(
    name: "everything", explanation: "All of the above at once, the ring dropped, among COUNT living objects.",
    expected: "each of the above",
    make: { count in makeEverything(living: count) }),
  Trial(
    name: "heap", explanation: "COUNT living objects in a list, and a ring of 10 that has leaked.",
    expected: "one retain cycle of 10",
    make: { count in makeHeap(count) }),
]

// MARK: Making cases

@inline(never) func makeRing(_ count: Int) -> DummyObject {
  let first = DummyObject()
  var last = first
  for _ in 1..<max(count, 1) {
    let next = DummyObject()
    last.next = next
    last = next
  }
  last.next = first
  return first
}

@inline(never) func makeDelegate() {
  let (boss, worker) = (Boss(), Worker())
  boss.worker = worker
  worker.delegate = boss
  leaked(boss, "Boss")
  leaked(worker, "Worker")
}

@inline(never) func makeClosure() {
  let ticker = Ticker()
  ticker.onTick = { ticker.ticks += 1 }
  leaked(ticker, "Ticker")
}

@inline(never) func makeCaptures() {
  let ticker = Ticker()
  var calls = 0
  ticker.onTick = {
    ticker.ticks += 1
    calls += 1
  }
  ticker.onTick?()
  leaked(ticker, "Ticker")
}

@inline(never) func makeOnQueue(_ count: Int) {
  let group = DispatchGroup()
  for _ in 0..<count {
    nonisolated(unsafe) let (boss, worker) = (Boss(), Worker())
    leaked(boss, "Boss")
    leaked(worker, "Worker")
    DispatchQueue.global().async(group: group) {
      boss.worker = worker
      worker.delegate = boss
      Victim.scrub(64)
    }
  }
  group.wait()
}

@inline(never) func makeDocument(pages count: Int) {
  let document = Document()
  // Growing would leave old storage behind, and whoever reuses that memory may keep its words.
  document.pages.reserveCapacity(count)
  for _ in 0..<count { document.pages.append(Page(owner: document)) }
  leaked(document, "Document")
  for page in document.pages { leaked(page, "Page") }
}

@inline(never) func makeBox() {
  let box = Box(7)
  box.link.target = box
  leaked(box, "Box<Int>")
}

@inline(never) func makeRegistry() {
  let (registry, entry) = (Registry(), Entry())
  registry.entries["first"] = entry
  entry.registry = registry
  leaked(registry, "Registry")
  leaked(entry, "Entry")
}

@inline(never) func makeHandle() {
  let handle = Handle()
  leaked(handle, "Handle")
  _ = Unmanaged.passRetained(handle)
}

@inline(never) func makeBlock(_ size: Int) {
  let block = malloc(size)!
  memset(block, 0x5A, size)
  tell("LEAK 0x\(String(UInt(bitPattern: block), radix: 16)) malloc")
}

/// The leaks come first, those that need no other thread before the others: a thread's stack keeps words of what it has
/// freed, and a block that got such an address afterwards would be held by that word.
@inline(never) func makeEverything(living: Int) {
  makeHandle()
  makeBlock(100)
  for _ in 0..<3 { makeDelegate() }
  for _ in 0..<3 { makeClosure() }
  makeDocument(pages: 5)
  makeBox()
  makeRegistry()
  makeExistential()
  makeSession()
  makeRequest()
  makeClub(members: 5)
  makeYacht()
  makeTree()
  makeListeners()
  makeHeap(living)
  makeTimer()
  makeDownload()
  makeReply()
  makeLedger()
  Controls.make()
  Likenesses.make()
}

nonisolated(unsafe) var living: DummyObject?

@inline(never) func makeHeap(_ count: Int) {
  for _ in 0..<count {
    let object = DummyObject()
    object.next = living
    living = object
  }
  let ring = makeRing(10)
  var next = ring
  repeat {
    leaked(next, "DummyObject")
    next = next.next!
  } while next !== ring
}
