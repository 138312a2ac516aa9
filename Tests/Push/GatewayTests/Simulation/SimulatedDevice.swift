import Delivery
import Wire

/// Something that is rung.
protocol SimulatedReceiver: AnyObject {
  var id: Int { get }
  var person: Int? { get }
  var zone: String? { get }
}

/// A device as the gateway's protocol wants it, with a disk that survives its kills, and a note of what people saw and
/// heard, which is the truth that traces are compared with.
final class SimulatedDevice: SimulatedReceiver {
  enum State: String {
    case showing, shown, withdrawn, failed
  }
  struct Record {
    var version: Int
    var state: State
    var title = ""
    var collapse: String?
    /// False once another one took its place.
    var isDisplayed = false
  }

  let secret: String
  let person: Int?
  /// The zone that it has told; nil for none.
  let zone: String?
  /// True if it keeps its receipts until a pong says that the hub has written them.
  let isCareful: Bool
  /// True if it says that something has arrived, and shows it some time later.
  let isSlow: Bool
  var id = 0

  // On its disk.
  var records: [Int: Record] = [:]
  var responses: [Int: String] = [:]
  private var receipts: [JSON] = []

  // In its memory.
  private var pinged = 0
  private var waiting: [(id: Int, message: JSON)] = []

  // The truth.
  private(set) var rings: [Int: [(isRepeat: Bool, version: Int, isAgain: Bool)]] = [:]
  /// Notifications that rang just before a kill, so that the device itself does not know.
  private(set) var untold: Set<Int> = []
  private(set) var taken: [(id: Int, action: String, counts: Bool)] = []
  private(set) var answered: [Int: Set<String>] = [:]

  init(_ number: Int, person: Int?, zone: String?, isCareful: Bool, isSlow: Bool) {
    secret = "secret \(number)"
    self.person = person
    self.zone = zone
    self.isCareful = isCareful
    self.isSlow = isSlow
  }

  var hello: JSON { ["do": "hello", "secret": .string(secret), "v": 1] }
  var unconfirmed: Int { receipts.count }
  var displayed: [Int] { records.filter(\.value.isDisplayed).map(\.key).sorted() }

  /// The process ends: what is in memory is gone.
  func kill() {
    pinged = 0
    waiting = []
  }

  var isWaiting: Bool { !waiting.isEmpty }

  /// Shows the next one that waits.
  func present(kill: () -> Bool) -> [JSON]? {
    if waiting.isEmpty { return [] }
    let next = waiting.removeFirst()
    return show(next.message, next.id, kill: kill)
  }

  /// - Parameter kill: asked at moments at which a kill would hurt most; true ends the process.
  /// - Returns: the messages to the hub; nil if the process was killed.
  func receive(_ message: JSON, kill: () -> Bool) -> [JSON]? {
    guard let what = message["do"]?.string else { return [] }
    let id = message["id"]?.string.flatMap { Int($0) } ?? 0
    switch what {
    case "welcome":
      pinged = 0
      return receipts + responses.sorted { $0.key < $1.key }.map { Self.response($0.key, $0.value) } + ping()
    case "show": return isSlow ? keep(message, id) : show(message, id, kill: kill)
    case "withdraw":
      waiting.removeAll { $0.id == id }
      let version = message["version"]!.int!
      records[id] = Record(version: version, state: .withdrawn)
      if let collapse = message["collapse_id"]?.string {
        for other in records.keys where other < id && records[other]!.collapse == collapse {
          records[other]!.isDisplayed = false
        }
      }
      return tell(id, version, "withdrawn")
    case "taken":
      taken.append((id, message["action"]!.string!, message["counts"]!.bool!))
      responses[id] = nil
      return []
    case "pong":
      receipts.removeFirst(min(pinged, receipts.count))
      pinged = 0
      return ping()
    default: return []
    }
  }

  /// Keeps it in memory to be shown later.
  private func keep(_ message: JSON, _ id: Int) -> [JSON] {
    let version = message["version"]!.int!
    if let known = records[id], known.version > version || known.version == version && known.state != .showing {
      return tell(id, version, known.state.rawValue)
    }
    waiting.removeAll { $0.id == id }
    waiting.append((id, message))
    return tell(id, version, "delivered")
  }

  private func show(_ message: JSON, _ id: Int, kill: () -> Bool) -> [JSON]? {
    let version = message["version"]!.int!
    let known = records[id]
    if let known, known.version > version || known.version == version && known.state != .showing {
      return tell(id, version, known.state.rawValue)
    }
    var record = Record(
      version: version, state: .showing, title: message["content"]!["title"]!.string!,
      collapse: message["collapse_id"]?.string)
    let isAgain = message["again"]?.bool == true
    if known?.state == .shown, !isAgain || answered[id] != nil {
      // An update: it replaces the text and does not ring; nor does what its person has answered here.
      record.state = .shown
      record.isDisplayed = known!.isDisplayed
      records[id] = record
      return tell(id, version, "shown")
    }
    records[id] = record
    if kill() { return nil }
    let isRepeat = known?.state == .showing
    rings[id, default: []].append((isRepeat, version, isAgain))
    if kill() {
      untold.insert(id)
      return nil
    }
    untold.remove(id)
    if let collapse = record.collapse {
      for other in records.keys where records[other]!.collapse == collapse { records[other]!.isDisplayed = false }
    }
    record.state = .shown
    record.isDisplayed = true
    records[id] = record
    return tell(id, version, "shown", isRepeat: isRepeat)
  }

  /// The person answers.
  func respond(_ id: Int, _ action: String) -> [JSON] {
    records[id]!.isDisplayed = false
    responses[id] = action
    answered[id, default: []].insert(action)
    return [Self.response(id, action)]
  }

  private static func response(_ id: Int, _ action: String) -> JSON {
    ["do": "respond", "id": .string("\(id)"), "action": .string(action)]
  }

  private func tell(_ id: Int, _ version: Int, _ what: String, isRepeat: Bool = false) -> [JSON] {
    let receipt: JSON = [
      "do": "ack", "id": .string("\(id)"), "version": .int(version), "what": .string(what), "repeat": .bool(isRepeat),
    ]
    guard isCareful else { return [receipt] }
    receipts.append(receipt)
    return [receipt] + ping()
  }

  /// One ping at a time, for all receipts so far.
  private func ping() -> [JSON] {
    guard isCareful, pinged == 0, !receipts.isEmpty else { return [] }
    pinged = receipts.count
    return [["do": "ping"]]
  }
}
