import Synchronization

/// Existentials whose value changes to a smaller type: the words that only the former value used still have the address
/// of an object that has leaked since.
struct Lookout: Instrument {
  var first: Navigator
  var second: Navigator
}
struct Telescope: Instrument { var navigator: Navigator }
final class Bridge {
  var instruments: [any Instrument] = []
  var byName: [String: any Instrument] = [:]
  var spare: (any Instrument)?
}
nonisolated(unsafe) var bridges: [Bridge] = []

@inline(never) func makeBridge() {
  let (bridge, captain) = (Bridge(), Navigator())
  live(bridge, "Bridge")
  live(captain, "in an element that is an existential")
  bridge.instruments.append(Lookout(first: captain, second: makeLost()))
  bridge.byName["bow"] = Lookout(first: captain, second: makeLost())
  bridge.spare = Lookout(first: makeLost(), second: makeLost())
  replace(&bridge.instruments[0], Telescope(navigator: captain))
  replace(&bridge.byName["bow"]!, Telescope(navigator: captain))
  replace(&bridge.spare, nil)
  bridges.append(bridge)
}

@inline(never) private func replace<Value>(_ place: inout Value, _ value: Value) { place = value }

@inline(never) private func makeLost() -> Navigator {
  let navigator = Navigator()
  navigator.instrument = Sextant(navigator: navigator)
  leaked(navigator, "Navigator")
  return navigator
}

/// Classes whose properties have special layouts; each retains itself through one of them.
enum Layouts {
  final class Locked: Sendable {
    struct State: @unchecked Sendable { var owner: Locked? }
    let state = Mutex(State())
    let count = 7
  }
  final class Once: Sendable { let owner = AtomicLazyReference<Once>() }
  /// A non-copyable structure with a deinitialiser.
  struct Claim: ~Copyable {
    var owner: Claimant
    deinit { owner.claims -= 1 }
  }
  final class Claimant {
    var claim: Claim?
    var claims = 0
  }
  final class Rack { var places: [4 of Rack?] = [nil, nil, nil, nil] }
  final class Bundle<each Part> {
    var parts: (repeat each Part)
    var owner: AnyObject?
    init(_ parts: repeat each Part) { self.parts = (repeat each parts) }
  }
  final class Idler {
    lazy var later: Idler = self
    lazy var doing: () -> Void = { [self] in done += 1 }
    var done = 0
  }
  @propertyWrapper struct Marked<Value> {
    var wrappedValue: Value
    var mark = 0
    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  }
  final class Marker { @Marked var owner: Marker? = nil }
  final class Shelf: ManagedBuffer<Int, Librarian?> {
    deinit { _ = withUnsafeMutablePointers { count, first in first.deinitialize(count: count.pointee) } }
  }
  final class Librarian { var shelf: ManagedBuffer<Int, Librarian?>? }
  /// Its closure captures two objects, of which only one is held by the other.
  final class Twin {
    var work: (() -> Void)?
    var done = 0
  }
  final class Executor: SerialExecutor {
    nonisolated(unsafe) var owner: AnyObject?
    func enqueue(_ job: consuming ExecutorJob) {
      UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
    }
  }
  actor Isolated {
    nonisolated let executor = Executor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  }

  nonisolated(unsafe) static var kept: [AnyObject] = []
  nonisolated(unsafe) static var twins: [Twin] = []

  private static func keep(_ object: AnyObject) {
    live(object, "keeps itself")
    kept.append(object)
  }

  @inline(never) static func make() {
    makeInPlace()
    makeByHand()
    let (first, second) = (Twin(), Twin())
    first.work = { (first.done, second.done) = (first.done + 1, second.done + 1) }
    second.work = { [weak first, unowned second] in first?.done += second.done }
    keep(first)
    live(second, "keeps nobody")
    twins.append(second)
  }

  @inline(never) private static func makeInPlace() {
    let locked = Locked()
    locked.state.withLock { $0.owner = locked }
    let claimant = Claimant()
    claimant.claim = Claim(owner: claimant)
    let rack = Rack()
    rack.places[2] = rack
    let bundle = Bundle(1, "two", Handle())
    bundle.owner = bundle
    let (idler, busy) = (Idler(), Idler())
    _ = (idler.later, busy.doing)
    let marker = Marker()
    marker.owner = marker
    for object in [locked, claimant, rack, bundle, idler, busy, marker] as [AnyObject] { keep(object) }
  }

  @inline(never) private static func makeByHand() {
    let once = Once()
    _ = once.owner.storeIfNil(once)
    let librarian = Librarian()
    let shelf = Shelf.create(minimumCapacity: 4) { _ in 4 }
    shelf.withUnsafeMutablePointers { _, first in
      first.initialize(repeating: nil, count: 4)
      first[2] = librarian
    }
    librarian.shelf = shelf
    let isolated = Isolated()
    isolated.executor.owner = isolated
    for object in [once, librarian, isolated] as [AnyObject] { keep(object) }
  }

  @inline(never) static func drop() {
    for object in kept {
      // "Bundle<Pack{Int, String, Handle}>" is reported without generic arguments.
      leaked(object, "Layouts.\("\(type(of: object))".prefix { $0 != "<" })")
    }
    kept = []
  }
}
