// Live objects in places without detailed metadata: closures of generic functions, room after an object's properties,
// and bytes. Among them are some that have leaked.
import Dispatch
#if canImport(Glibc)
  import Glibc
#endif

final class Node {
  var other: AnyObject?
}
struct Four {
  var first: Node, second: Node, third: Node, fourth: Node
  var number = 0
}
protocol Carrier {}
struct Trio: Carrier {
  var first: Node, second: Node, third: Node
}
final class Buffer {}
final class Numbered {
  let number = 7
}
final class Owner {
  var call: (() -> Any)?
  var kept: Any?
}

nonisolated(unsafe) var calls: [() -> Any] = []
nonisolated(unsafe) var kept: [Any] = []
nonisolated(unsafe) var elsewhere: [Node] = []

func say(_ verdict: String, _ object: AnyObject, _ label: String) {
  print("\(verdict) 0x\(String(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), radix: 16)) \(label)")
}
@inline(never) func node(_ label: String, _ verdict: String = "LIVE") -> Node {
  let node = Node()
  say(verdict, node, label)
  return node
}
func four(_ label: String) -> Four {
  Four(
    first: node(label + " 1"), second: node(label + " 2"), third: node(label + " 3"), fourth: node(label + " 4"))
}
func retained(_ label: String) -> UnsafeMutableRawPointer { Unmanaged.passRetained(node(label)).toOpaque() }

// MARK: Closures of generic functions: each kind has one context's metadata, whatever it captures.

@inline(never) @_semantics("optimize.sil.specialize.generic.never")
func constant<T>(_ value: T) -> () -> Any { { value } }
@inline(never) @_semantics("optimize.sil.specialize.generic.never")
func unowned<T>(_ value: T, _ node: Node) -> () -> Any { { [unowned node] in (value, node) } }
@inline(never) @_semantics("optimize.sil.specialize.generic.never")
func weakly<T>(_ value: T, _ node: AnyObject) -> () -> Any { { [weak node] in (value, node as Any) } }
@inline(never) @_semantics("optimize.sil.specialize.generic.never")
func paired<T>(_ value: T, _ any: any Carrier) -> () -> Any { { (value, any) } }
@inline(never) @_semantics("optimize.sil.specialize.generic.never")
func counted<T>(_ value: T) -> () -> Any {
  var last = value
  return {
    let before = last
    last = value
    return before
  }
}

/// Its closures know its generic argument by the captured object.
final class Model<Value> {
  let value: Value
  init(_ value: Value) { self.value = value }
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func call<T>(_ other: T, _ owner: Owner) -> () -> Any { { [unowned owner] in (self.value, other, owner) } }
}

@inline(never) func makeModels() {
  let strings = Model("text")
  for number in 0..<2 {
    let owner = Owner()
    say("LIVE", owner, "unowned in its closure in a generic class")
    let other = Model(number)
    say("LIVE", other, "a generic object in its own closure")
    owner.call = number == 0 ? other.call(true, owner) : other.call(four("beside a generic object"), owner)
    kept.append(owner)
    calls.append(strings.call(node("beside a generic object"), owner))
  }
}

@inline(never) func makeClosures() {
  let other = node("held elsewhere")
  elsewhere.append(other)
  let trio = Trio(first: node("carried 1"), second: node("carried 2"), third: node("carried 3"))
  calls += [constant(true), constant(Int8(1)), constant(node("constant")), constant(four("constant"))]
  calls += [unowned(true, other), unowned(four("beside unowned"), other)]
  calls += [weakly(true, other), weakly(four("beside weak"), other)]
  let owner = Owner()
  say("LIVE", owner, "held weakly by its own generic closure")
  owner.call = weakly(four("beside its owner"), owner)
  kept.append(owner)
  calls += [paired(Int8(1), Trio(first: other, second: other, third: other)), paired(four("beside any"), trio)]
  calls += [counted(true), counted(node("variable")), counted(four("variable"))]
}

@inline(never) func leakClosures() {
  let strong = node("through a generic closure", "LEAK")
  let owner = Owner()
  say("LEAK", owner, "with a generic closure")
  strong.other = owner
  owner.call = constant(strong)
}

// MARK: Room after an object's properties

typealias Allocate = @convention(c) (UnsafeRawPointer, Int, Int) -> UnsafeMutableRawPointer
let allocate = unsafeBitCast(dlsym(nil, "swift_allocObject"), to: Allocate.self)

@inline(never) func extended(_ type: AnyObject.Type, at offset: Int, _ label: String) -> AnyObject {
  let object = allocate(unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self), 96, 15)
  memset(object + 16, 0, 80)
  object.storeBytes(of: retained(label), toByteOffset: offset, as: UnsafeMutableRawPointer.self)
  return Unmanaged<AnyObject>.fromOpaque(object).takeRetainedValue()
}

@inline(never) func makeRoom() {
  let four = ManagedBufferPointer<Node, Node>(bufferClass: Buffer.self, minimumCapacity: 4) { _, _ in
    node("a buffer's header")
  }
  four.withUnsafeMutablePointerToElements { elements in
    for number in 0..<4 { (elements + number).initialize(to: node("a buffer's element")) }
  }
  let none = ManagedBufferPointer<Node, Int8>(bufferClass: Buffer.self, minimumCapacity: 1) { _, _ in
    node("a small buffer's header")
  }
  kept += [four, none, extended(Buffer.self, at: 40, "behind a header")]
  kept.append(extended(Numbered.self, at: 88, "behind a property"))
}

// MARK: Bytes

final class Bytes {
  var inline = [24 of UInt8](repeating: 0)
  var tuple: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0, 0, 0, 0, 0)
  var halves: (UInt32, UInt32) = (0, 0)
  var mixed: (Bool, UInt8, UInt16, Float) = (false, 0, 0, 0)
}

@inline(never) func makeBytes() {
  let bytes = Bytes()
  func store<Value>(_ label: String, in value: inout Value, at offset: Int = 0) {
    withUnsafeMutableBytes(of: &value) {
      $0.storeBytes(of: retained(label), toByteOffset: offset, as: UnsafeMutableRawPointer.self)
    }
  }
  for word in 0..<3 { store("in an inline array", in: &bytes.inline, at: word * 8) }
  store("in a tuple of bytes", in: &bytes.tuple)
  store("in two halves", in: &bytes.halves)
  store("in a tuple of several sizes", in: &bytes.mixed)
  var element: (UInt32, UInt32) = (0, 0)
  store("in an array of halves", in: &element)
  kept += [bytes, [element, element]]
}

// After a field that does not fill its word come stale bytes: the object that they refer to has leaked all the same.
final class Flags {
  var isOn = true
  var number: UInt32 = 5
  var next: Node?
  var last: UInt8 = 1
}
let lastFlag = 32  // bytes from the object's start: header, two that share a word, a reference

@inline(never) func leakFlags() {
  let flags = Flags()
  say("LIVE", flags, "with room beside its flags")
  let ring = node("named beside a flag", "LEAK")
  ring.other = ring
  let place = Unmanaged.passUnretained(flags).toOpaque()
  let name = UInt(bitPattern: Unmanaged.passUnretained(ring).toOpaque())
  place.storeBytes(of: name, toByteOffset: lastFlag, as: UInt.self)
  kept.append(flags)
}

/// The storage of a string that is kept in a block of its own.
func storage(_ text: inout String) -> UnsafeMutableRawPointer {
  text.withUTF8 { UnsafeMutableRawPointer(mutating: $0.baseAddress!) - 32 }
}

// So has an object that is named in a string's spare room.
@inline(never) func leakText() {
  let ring = node("named behind a text", "LEAK")
  ring.other = ring
  var text = "short"
  text.reserveCapacity(200)
  let name = UInt(bitPattern: Unmanaged.passUnretained(ring).toOpaque())
  storage(&text).storeBytes(of: name, toByteOffset: 96, as: UInt.self)
  kept.append(text)
}

// After that room come the breadcrumbs for counting a long text's UTF-16.
@inline(never) func makeText() {
  var text = String(repeating: "ä", count: 1000)
  _ = text.utf16[text.utf16.index(text.utf16.startIndex, offsetBy: 500)]
  let storage = storage(&text)
  let room = storage.load(fromByteOffset: 16, as: UInt.self) & 0xFFFF_FFFF_FFFF
  let crumbs = storage.load(fromByteOffset: (32 + Int(room) + 7) & ~7, as: AnyObject.self)
  say("LIVE", crumbs, "behind a text")
  kept.append(text)
}

struct Wrapped<Value> {}
protocol Rare {}

/// Checks many types for a conformance, each of which the runtime has to make and to cache.
@inline(never) func ask<Value>(_ type: Value.Type, _ depth: Int) {
  if type is any Rare.Type || depth == 0 { return }
  ask(Wrapped<Value>.self, depth - 1)
}

// The runtime's tables have spare room, too: here, where freed blocks had the address of an object.
@inline(never) func leakTables() {
  let ring = node("named in the runtime's tables", "LEAK")
  ring.other = ring
  let name = UInt(bitPattern: Unmanaged.passUnretained(ring).toOpaque())
  let blocks = (0..<1000).map { number in
    let size = 4 + number / 2
    let block = UnsafeMutableBufferPointer<UInt>.allocate(capacity: size)
    block.initialize(repeating: name)
    return block
  }
  // The last one, above the others, keeps them from being returned to the system.
  for block in blocks.dropLast() { block.deallocate() }
  blocks.last!.update(repeating: 0)
  kept.append(blocks)  // or the tables are made where this array has lain
}

// MARK: Large tables

/// After more data than is copied as a whole, pages that refer to nothing are left out. Those with the bits of a large
/// table's buckets look so.
@inline(never) func makeCrowd() {
  for _ in 0..<2400 { kept.append([UInt8](repeating: 0x5A, count: 60_000)) }
  var table: [Int: Node] = [:]
  for number in 0..<60_000 {
    let node = Node()
    if number % 100 == 0 { say("LIVE", node, "in a large table") }
    table[number] = node
  }
  kept.append(table)
}

// MARK: Words that name an object and keep nothing

nonisolated(unsafe) var named: [ObjectIdentifier: Int] = [:]
final class Named {
  var id: ObjectIdentifier?
}

@inline(never) func leakIdentified() {
  let key = node("a key by its identity", "LEAK")
  key.other = key
  named[ObjectIdentifier(key)] = 1
  let field = node("named by its identity in a field", "LEAK")
  field.other = field
  let owner = Named()
  owner.id = ObjectIdentifier(field)
  say("LIVE", owner, "with an identity")
  kept.append(owner)
}

/// Tasks clean the stacks of the threads that have run the one that leaks.
@inline(never) func cleanThreads() {
  let done = DispatchSemaphore(value: 0)
  for _ in 0..<256 {
    Task.detached {
      scrub()
      usleep(200)
      done.signal()
    }
  }
  for _ in 0..<256 { done.wait() }
}

/// Names the memory of its functions, 256 bytes behind its beginning.
@inline(never) func leakTask() {
  let task = Task.detached { 7 }
  let address = unsafeBitCast(task, to: UInt.self)
  let place = UnsafePointer<UInt32>(bitPattern: address + 96)!
  while place.pointee & 0x2000 == 0 { usleep(1000) }
  print("LEAK 0x\(String(address, radix: 16)) a task that has ended")
  _ = Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(bitPattern: address)!).retain()
  let word = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
  word.initialize(to: address + 256)
  kept.append(word)
}

/// The address is left in the frame of a function that waits.
@inline(never) func waitWithLeftover(_ address: UInt) {
  withUnsafeTemporaryAllocation(of: UInt.self, capacity: 4) { words in
    words.initialize(repeating: address)
    wait()
  }
}

@inline(never) func leakBehindLeftover() -> UInt {
  let ring = node("named on the stack of the thread that waits", "LEAK")
  ring.other = ring
  return UInt(bitPattern: Unmanaged.passUnretained(ring).toOpaque())
}

/// A thread that waits with an object of its own.
@inline(never) func waitWithOwn() {
  let own = node("held by the thread that waits")
  let borrowed = node("borrowed from that")
  own.other = borrowed
  withExtendedLifetime(own) { waitWithLeftover(UInt(bitPattern: Unmanaged.passUnretained(borrowed).toOpaque())) }
}

@inline(never) func scrub() {
  withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { _ = memset($0.baseAddress!, 0, 1 << 16) }
}

// Not in main: its frame would keep the addresses of freed words, which an object may get afterwards.
@inline(never) func make(_ what: String) {
  switch what {
  case "closures":
    makeClosures()
    makeModels()
    leakClosures()
  case "room": makeRoom()
  case "tables":
    leakTables()
    ask(Int.self, 100)
  case "names":
    leakIdentified()
    leakTask()
    cleanThreads()
  case "crowd": makeCrowd()
  case "leftover", "own": break
  default:
    makeBytes()
    makeText()
    leakFlags()
    leakText()
  }
}

@inline(never) func makeWhatIsAsked() { make(CommandLine.arguments[1]) }

@inline(never) func wait() {
  scrub()
  print("ready")
  fflush(stdout)
  // Without a buffer, which would be allocated where another block was.
  withExtendedLifetime((calls, kept, elsewhere)) {
    var byte: UInt8 = 0
    _ = read(0, &byte, 1)
  }
}

makeWhatIsAsked()
switch CommandLine.arguments[1] {
case "leftover": waitWithLeftover(leakBehindLeftover())
case "own": waitWithOwn()
default: wait()
}
