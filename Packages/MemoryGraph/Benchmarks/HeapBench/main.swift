import Glibc

// A program with a large heap of many shapes: trees of classes, texts, arrays, dictionaries, sets, closures, boxes of
// existentials, indirect enumerations and C's blocks, in no uniform order. It makes COUNT blocks, prints a line such as
// `LEAK 0x7f… Vessel` for each object that has leaked, then "ready", and ends with its input.
//
//     heapbench COUNT

protocol Instrument { func measure() -> Double }
struct Log: Instrument {
  var values = (0.0, 1.0, 2.0, 3.0)
  var owner: Vessel
  func measure() -> Double { values.0 + Double(owner.number) }
}
final class Compass: Instrument {
  unowned let vessel: Vessel
  init(_ vessel: Vessel) { self.vessel = vessel }
  func measure() -> Double { Double(vessel.number) }
}

indirect enum Route {
  case harbour(Int)
  case leg(Route, Double)
}

class Person {
  let name: String
  weak var friend: Person?
  init(_ name: String) { self.name = name }
}
final class Sailor: Person {
  var watches: [Int] = []
  var papers: Set<String> = []
}
final class Guest: Person {
  var cabin: (deck: Int, number: Int)?
}

class Vessel {
  let number: Int
  let name: String
  var crew: [Person] = []
  var stores: [String: Store] = [:]
  var instruments: [any Instrument] = []
  var route = Route.harbour(0)
  var onArrival: (() -> Int)?
  var logbook: UnsafeMutablePointer<Entry>?
  /// How many blocks were made for it.
  var blocks = 0
  init(_ number: Int) {
    self.number = number
    name = "a vessel of the harbour, number \(number)"
  }
  deinit {
    while let entry = logbook {
      logbook = entry.pointee.next
      free(entry.pointee.text)
      free(entry)
    }
  }
}
final class Yacht: Vessel {
  var tender: Vessel?
}
final class Barge: Vessel {
  var cargo: Hold<[UInt8]>?
}
final class Store {
  var name: String
  var amount: Double?
  init(_ name: String, _ amount: Double?) { (self.name, self.amount) = (name, amount) }
}
final class Hold<Content> {
  var content: Content
  var below: Hold<Content>?
  init(_ content: Content) { self.content = content }
}

/// An entry of a list in C's manner.
struct Entry {
  var next: UnsafeMutablePointer<Entry>?
  var text: UnsafeMutablePointer<CChar>?
}

/// What lives, and the number of blocks made so far: one for each object, storage, text of more than fifteen bytes,
/// closure's context, box and block of C's.
final class Harbour {
  var vessels: [Int: Vessel] = [:]
  var blocks = 0

  @inline(never) func makeVessel(_ number: Int) -> Vessel {
    let vessel: Vessel
    let before = blocks
    switch number % 3 {
    case 0:
      let yacht = Yacht(number)
      yacht.tender = Vessel(number)
      (vessel, blocks) = (yacht, blocks + 2)
    case 1:
      let barge = Barge(number)
      let hold = Hold([UInt8](repeating: UInt8(number & 0xFF), count: 40 + number % 200))
      hold.below = Hold([])
      barge.cargo = hold
      (vessel, blocks) = (barge, blocks + 3)
    default: vessel = Vessel(number)
    }
    blocks += 2
    addCrew(vessel)
    addStores(vessel)
    addInstruments(vessel)
    addEntries(vessel)
    vessel.blocks = blocks - before
    return vessel
  }

  @inline(never) private func addCrew(_ vessel: Vessel) {
    vessel.crew.reserveCapacity(4)
    for place in 0..<4 {
      if place < 3 {
        let sailor = Sailor("a sailor of vessel \(vessel.number)")
        sailor.watches = [place, place + 4, place + 8]
        sailor.friend = vessel.crew.last
        if place == 0 { sailor.papers = ["a patent for coastal waters \(vessel.number)"] }
        blocks += place == 0 ? 5 : 4
        vessel.crew.append(sailor)
      } else {
        let guest = Guest("a guest of vessel \(vessel.number)")
        guest.cabin = (deck: 1, number: place)
        blocks += 2
        vessel.crew.append(guest)
      }
    }
    blocks += 1
  }

  @inline(never) private func addStores(_ vessel: Vessel) {
    for kind in ["water", "diesel", "bread"] {
      vessel.stores["\(kind) of vessel \(vessel.number), in the hold"] = Store(kind, vessel.number % 2 == 0 ? 1.5 : nil)
    }
    blocks += 7
  }

  @inline(never) private func addInstruments(_ vessel: Vessel) {
    vessel.instruments = [Compass(vessel)]
    for leg in 0..<3 { vessel.route = .leg(vessel.route, Double(leg)) }
    let number = vessel.number
    let text = "arrived \(number) times"
    vessel.onArrival = { number + text.count }
    blocks += 8
  }

  @inline(never) private func addEntries(_ vessel: Vessel) {
    for number in 0..<2 {
      let entry = malloc(MemoryLayout<Entry>.size).bindMemory(to: Entry.self, capacity: 1)
      entry.initialize(to: Entry(next: vessel.logbook, text: strdup("an entry of the logbook, \(number)")))
      vessel.logbook = entry
    }
    blocks += 4
  }

  /// Vessels that nobody can reach any more: of one the closure keeps it, of the other an instrument.
  @inline(never) func lose(_ count: Int) {
    for number in 0..<count {
      let vessel = makeVessel(number)
      if number % 2 == 0 {
        vessel.onArrival = { vessel.number + number }
      } else {
        vessel.instruments.append(Log(owner: vessel))
      }
      print("LEAK 0x\(String(UInt(bitPattern: Unmanaged.passUnretained(vessel).toOpaque()), radix: 16)) Vessel")
    }
  }
}

/// Overwrites what earlier calls have left on the stack.
@inline(never) @discardableResult func scrub(_ depth: Int) -> UInt64 {
  withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 128) { words in
    words.initialize(repeating: UInt64(depth))
    return depth > 0 ? scrub(depth - 1) &+ words[depth] : 0
  }
}

@inline(never) func fill(_ harbour: Harbour, _ count: Int) {
  harbour.lose(lost)
  var number = 0
  while harbour.blocks < count {
    number += 1
    harbour.vessels[number] = harbour.makeVessel(number)
    // So that there are free blocks between the others.
    if number % 7 == 0, let gone = harbour.vessels.removeValue(forKey: number - 3) { harbour.blocks -= gone.blocks }
  }
}

guard CommandLine.arguments.count == 2, let count = Int(CommandLine.arguments[1]) else {
  fatalError("heapbench COUNT")
}
let lost = 100
let harbour = Harbour()
fill(harbour, count)
scrub(64)
print("ready")
fflush(nil)
while readLine() != nil {}
withExtendedLifetime(harbour) {}
