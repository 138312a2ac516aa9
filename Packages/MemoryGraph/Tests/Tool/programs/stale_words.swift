// Values that leave a part of a word free, in memory where an earlier block had the address of an object: the free part
// still has it, but for its lowest byte.
#if canImport(Glibc)
  import Glibc
#endif

final class Ring {
  var own: Ring?
  init() { own = self }
}
final class Server {
  var slot: AnyObject?
  var request: Any?
  var count = 0
}
protocol Part {}
struct Pair: Hashable, Part {
  var number: Int?
  var other = 7
}
struct Flagged {
  var flag: Bool
  var number: Int
}
struct Bounds {
  var range: Range<Int>?
  var number = 7
}
enum Choice {
  case number(Int), none
}
enum Choices {
  case number(Int), other(Double), none
}
struct Failure: Error {
  var number: Int?
  var other = 7
}
indirect enum Tree {
  case leaf(Bool, Int)
}
/// The free room is behind the value, and before the next property.
final class Holder<Value> {
  var value: Value
  var after = 5
  init(_ value: Value) { self.value = value }
}
actor Counter {
  var number: Int?
  var after = 5
}
final class Lazily {
  lazy var number = 5
  var after = 5
}

nonisolated(unsafe) var kept: [Any] = []
nonisolated(unsafe) var objects: [AnyObject] = []
nonisolated(unsafe) var calls: [() -> Int] = []
nonisolated(unsafe) var failures: [any Error] = []
nonisolated(unsafe) var parts: [any Part] = []
nonisolated(unsafe) var trees: [Tree] = []
nonisolated(unsafe) var parked: [AnyObject] = []

func address(_ object: AnyObject) -> UInt { UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()) }
func say(_ verdict: String, _ object: AnyObject, _ label: String) {
  print("\(verdict) 0x\(String(address(object), radix: 16)) \(label)")
}
/// An object whose address has a lowest byte of 0, which a tag or a truth value may change.
@inline(never) func placed<Object: AnyObject>(_ make: () -> Object, unlike forget: (Object) -> Void = { _ in })
  -> Object
{
  while true {
    let object = make()
    if address(object) & 0xFF == 0 { return object }
    forget(object)
    parked.append(object)
    // Of another size, since objects of 32 bytes alone might all begin 16 bytes beside such an address.
    if parked.count & 15 == 0 { parked.append(Holder(three())) }
  }
}
/// Leaves a word in the blocks that the next objects will have.
@inline(never) @_optimize(none) func leave(_ word: UInt) {
  for size in stride(from: 24, through: 24 + 16 * 20, by: 16) {
    let blocks = (0..<4).map { _ in malloc(size)! }
    for block in blocks {
      for offset in stride(from: 0, to: size & ~7, by: 8) {
        block.storeBytes(of: word, toByteOffset: offset, as: UInt.self)
      }
    }
    blocks.forEach { free($0) }
  }
}
@inline(never) @_optimize(none) func lost(_ label: String) -> UInt {
  let ring = placed({ Ring() }, unlike: { $0.own = nil })
  say("LEAK", ring, label)
  return address(ring)
}
@inline(never) @_optimize(none) func hide(_ label: String, _ make: () -> Void) {
  leave(lost(label))
  make()
}
@inline(never) func hold<Value>(_ label: String, _ value: Value) { hide(label) { objects.append(Holder(value)) } }
@inline(never) @_optimize(none) func three() -> Int { 3 }

@inline(never) func makeHolders() {
  hold("optional number", Int?.none)
  hold("optional number with a value", Int?.some(3))
  hold("optional optional", Int??.some(nil))
  hold("optional double", Double?.none)
  hold("optional range", Range<Int>?.none)
  hold("optional duration", Duration?.none)
  hold("optional wide number", Int128?.none)
  hold("structure", Pair())
  hold("optional structure", Pair?.none)
  hold("structure with a range", Bounds())
  hold("tuple", (Int?.none, 3))
  hold("enumeration", Choice.none)
  hold("enumeration with several payloads", Choices.none)
  hide("actor") { objects.append(Counter()) }
  hide("lazy") { objects.append(Lazily()) }
}
@inline(never) func makeElements() {
  hide("array of optionals") { kept.append([nil, three(), nil] as [Int?]) }
  hide("array of structures") { kept.append([Pair(), Pair(number: three())]) }
  hide("array of flags") { kept.append([Flagged(flag: true, number: three()), Flagged(flag: false, number: 3)]) }
  hide("array of tuples") { kept.append([(true, three()), (false, 4)]) }
  hide("long array of tuples") { kept.append((0..<17).map { ($0 == 3, three()) }) }
  hide("dictionary of optionals") { kept.append([1: nil, three(): 4] as [Int: Int?]) }
  hide("dictionary of flags") {
    kept.append([1: Flagged(flag: true, number: 2), three(): Flagged(flag: true, number: 3)])
  }
  hide("set") { kept.append(Set([Pair(number: nil, other: 2), Pair(number: 3, other: three())])) }
}
@inline(never) func makeBoxes() {
  hide("error") { failures.append(Failure()) }
  hide("value of any type") { kept.append((Pair(), Pair())) }
  hide("behind a value of any type") { kept.append("a text that is long enough for a block"[...].dropFirst(three())) }
  hide("indirect case") { trees.append(.leaf(true, three())) }
  hide("captured optional") {
    let (number, other) = (three() == 4 ? 1 : nil, three())
    calls.append { number ?? other }
  }
  hide("captured variable") {
    var number: Int? = three() == 4 ? 1 : nil
    calls.append {
      number = number.map { $0 + 1 }
      return number ?? 2
    }
  }
}

/// A server whose slot has its address in a free part: the main thread alone holds it.
@inline(never) @_optimize(none) func makeServer(_ number: Int) -> Server {
  let server = placed { Server() }
  say("LIVE", server, "held by the main thread")
  leave(address(server))
  switch number {
  case 0: server.slot = Holder(Int?.none)
  case 1: server.slot = Holder(Pair?.none)
  // So long that its index has a word behind it, and another word is free.
  case 2: server.request = String(repeating: "twenty-three characters", count: three())
  default: server.request = "a text that is long enough for a block"[...].dropFirst(three())
  }
  return server
}
@inline(never) @_optimize(none) func scrub(_ depth: Int = 400) -> Int {
  var room = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  room.3 = depth
  return depth == 0 ? 0 : scrub(depth - 1) + room.3
}
@inline(never) @_optimize(none) func stand(with servers: (Server, Server, Server, Server)?) {
  _ = scrub()
  print("ready")
  fflush(stdout)
  var byte: UInt8 = 0
  _ = read(0, &byte, 1)
  if let servers { print(servers.0.count, servers.1.count, servers.2.count, servers.3.count) }
}

// Room for all, so that none of them takes the memory that is meant for a value.
kept.reserveCapacity(64)
objects.reserveCapacity(64)
calls.reserveCapacity(64)
failures.reserveCapacity(64)
trees.reserveCapacity(64)
parked.reserveCapacity(1 << 14)
if CommandLine.arguments[1] == "living" {
  stand(with: (makeServer(0), makeServer(1), makeServer(2), makeServer(3)))
} else {
  makeHolders()
  makeElements()
  makeBoxes()
  stand(with: nil)
}
