/// The kinds of places that may hold an object, one case each, since the compiler lays each of them out differently.

protocol Instrument {}
/// Larger than an existential's inline buffer, so that it is put into a box.
struct Sextant: Instrument {
  var readings = (0, 0, 0)
  var navigator: Navigator
}
final class Navigator {
  var instrument: (any Instrument)?
}

final class Session {
  enum State {
    case idle
    case connected(Session, since: Int)
    case failed(any Error, retries: Int)
  }
  var state = State.idle
}

struct Refusal: Error {
  nonisolated(unsafe) var request: Request
  var reason = "no"
}
final class Request {
  var failure: (any Error)?
}

final class Club {
  var members: Set<Member> = []
}
final class Member: Hashable {
  let number: Int
  var club: Club?
  init(_ number: Int) { self.number = number }
  static func == (a: Member, b: Member) -> Bool { a.number == b.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

class Vessel {
  var name = "Aurora"
  var tender: Vessel?
}
final class Yacht: Vessel {
  var length = 12.5
}

final class Tree<Element> {
  indirect enum Branch {
    case leaf(Element)
    case fork(Branch, Branch, owner: Tree<Element>)
  }
  var root: Branch?
}

/// A registration refers to its listener weakly, and retains itself.
struct Registration {
  weak var listener: Listener?
}
final class Listener {
  var partner: Listener?
}
nonisolated(unsafe) var registrations: [Registration] = []

/// Refers to another object in several ways, once through an array that contains it twice.
final class Tangled {
  var other: Tangled?
  var option: AnyObject?
  var pair: (first: AnyObject?, number: Int) = (nil, 0)
  var array: [AnyObject] = []
}

/// A lighthouse holds a lamp, which was retained once too often.
final class Lamp {
  var range = 18.0
}
final class Lighthouse {
  var lamp: Lamp?
}
nonisolated(unsafe) var lighthouse = Lighthouse()

nonisolated(unsafe) let holders: [Trial] = [
  Trial(
    name: "existential", explanation: "A navigator keeps an instrument of any kind, whose box keeps the navigator.",
    expected: "one retain cycle, Navigator.instrument and the box, COUNT times",
    make: { count in for _ in 0..<count { makeExistential() } }),
  Trial(
    name: "enum", explanation: "A session keeps itself as the payload of one of its state's cases.",
    expected: "one retain cycle, Session.state, COUNT times",
    make: { count in for _ in 0..<count { makeSession() } }),
  Trial(
    name: "error", explanation: "A request keeps the error it has failed with, which names the request.",
    expected: "one retain cycle, Request.failure and the error's box, COUNT times",
    make: { count in for _ in 0..<count { makeRequest() } }),
  Trial(
    name: "set", explanation: "A club's set holds members, each of which keeps the club.",
    expected: "one retain cycle through the set's storage, Member.club; all members in one finding",
    make: { count in makeClub(members: count) }),
  Trial(
    name: "inherited", explanation: "A yacht keeps itself by a property that its superclass has.",
    expected: "one retain cycle, Yacht.tender, COUNT times",
    make: { count in for _ in 0..<count { makeYacht() } }),
  Trial(
    name: "indirect", explanation: "A generic tree keeps itself from inside of an indirect enumeration's box.",
    expected: "one retain cycle, Tree.root and the box, COUNT times",
    make: { count in for _ in 0..<count { makeTree() } }),
  Trial(
    name: "registered",
    explanation: "Listeners that keep each other, and that a registry knows weakly: it is no reason to live.",
    expected: "one retain cycle, Listener.partner, COUNT times",
    make: { count in for _ in 0..<count { makeListeners() } }),
  Trial(
    name: "tangled", explanation: "Two that keep each other, one of them in several ways.",
    expected: "one retain cycle, Tangled.other, COUNT times",
    make: { count in for _ in 0..<count { makeTangled() } }),
  Trial(
    name: "overretain", explanation: "A lighthouse holds a lamp that was retained once more by hand; drop lets it go.",
    expected: "no leak until drop, but an over-retained Lamp; then a root leak, the Lamp",
    make: { _ in makeLamp() },
    drop: {
      leaked(lighthouse.lamp!, "Lamp")
      lighthouse.lamp = nil
    }),
  Trial(
    name: "leftovers",
    explanation:
      "Navigators that keep themselves, and that stand in unused words of values of any type: in an array, in "
      + "a dictionary, and in an optional that is nil.",
    expected: "one retain cycle, Navigator.instrument and the box, 4 times COUNT times",
    make: { count in for _ in 0..<count { makeBridge() } }),
  Trial(
    name: "layouts",
    explanation:
      "Objects that keep themselves by a mutex, an atomic, a value that cannot be copied, an inline array, a "
      + "parameter pack's neighbour, lazy properties, a property wrapper, a buffer, an executor; drop lets go of them.",
    expected: "one retain cycle for each that is still reached, COUNT times; they leak when they are dropped",
    make: { count in for _ in 0..<count { Layouts.make() } }, drop: { Layouts.drop() }),
  Trial(
    name: "values", explanation: "A logbook whose texts, numbers and pictures can be read.", expected: "nothing",
    make: { _ in makeLogbook() }),
  Trial(
    name: "kinds", explanation: "A harbour that refers to pilots in every way there is.", expected: "nothing",
    make: { count in for _ in 0..<count { makeHarbour() } }),
]

@inline(never) func makeExistential() {
  let navigator = Navigator()
  navigator.instrument = Sextant(navigator: navigator)
  leaked(navigator, "Navigator")
}

@inline(never) func makeSession() {
  let session = Session()
  session.state = .connected(session, since: 7)
  leaked(session, "Session")
}

@inline(never) func makeRequest() {
  let request = Request()
  request.failure = Refusal(request: request)
  leaked(request, "Request")
}

@inline(never) func makeClub(members count: Int) {
  let club = Club()
  club.members.reserveCapacity(count)
  for number in 0..<count {
    let member = Member(number)
    member.club = club
    club.members.insert(member)
    leaked(member, "Member")
  }
  leaked(club, "Club")
}

@inline(never) func makeYacht() {
  let yacht = Yacht()
  yacht.tender = yacht
  leaked(yacht, "Yacht")
}

@inline(never) func makeTree() {
  let tree = Tree<Int>()
  tree.root = .fork(.leaf(1), .leaf(2), owner: tree)
  leaked(tree, "Tree<Int>")
}

@inline(never) func makeListeners() {
  let (first, second) = (Listener(), Listener())
  (first.partner, second.partner) = (second, first)
  registrations.append(Registration(listener: first))
  registrations.append(Registration(listener: second))
  leaked(first, "Listener")
  leaked(second, "Listener")
}

@inline(never) func makeTangled() {
  let (first, second) = (Tangled(), Tangled())
  first.other = second
  first.option = second
  first.pair = (second, 7)
  first.array = [second, second]
  second.other = first
  leaked(first, "Tangled")
  leaked(second, "Tangled")
}

@inline(never) func makeLamp() {
  let lamp = Lamp()
  _ = Unmanaged.passRetained(lamp)
  live(lamp, "retained once too often")
  lighthouse.lamp = lamp
}
