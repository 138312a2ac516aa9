import Delivery
import Wire

/// A device as the gateway's protocol wants it, with a disk that survives its kills, and a note of what people saw and
/// heard, which is the truth that traces are compared with.
final class SimulatedDevice {
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
  /// True if it keeps its receipts until a pong says that the hub has written them.
  let isCareful: Bool
  var id = 0

  // On its disk.
  var records: [Int: Record] = [:]
  var responses: [Int: String] = [:]
  private var receipts: [JSON] = []

  // In its memory.
  private var pinged = 0

  // The truth.
  private(set) var rings: [Int: [(isRepeat: Bool, version: Int)]] = [:]
  private(set) var taken: [(id: Int, action: String, counts: Bool)] = []
  private(set) var answered: [Int: Set<String>] = [:]

  init(_ number: Int, person: Int?, isCareful: Bool) {
    secret = "secret \(number)"
    self.person = person
    self.isCareful = isCareful
  }

  var hello: JSON { ["do": "hello", "secret": .string(secret), "v": 1] }
  var unconfirmed: Int { receipts.count }
  var displayed: [Int] { records.filter(\.value.isDisplayed).map(\.key).sorted() }

  /// The process ends: what is in memory is gone.
  func kill() { pinged = 0 }

  /// - Parameter kill: asked at moments at which a kill would hurt most; true ends the process.
  /// - Returns: the messages to the hub; nil if the process was killed.
  func receive(_ message: JSON, now: Double, kill: () -> Bool) -> [JSON]? {
    guard let what = message["do"]?.string else { return [] }
    let id = message["id"]?.string.flatMap { Int($0) } ?? 0
    switch what {
    case "welcome":
      pinged = 0
      return receipts + responses.sorted { $0.key < $1.key }.map { Self.response($0.key, $0.value) } + ping()
    case "show": return show(message, id, now: now, kill: kill)
    case "withdraw":
      let version = message["version"]!.int!
      records[id] = Record(version: version, state: .withdrawn)
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

  private func show(_ message: JSON, _ id: Int, now: Double, kill: () -> Bool) -> [JSON]? {
    let version = message["version"]!.int!
    let known = records[id]
    if let known, known.version > version || known.version == version && known.state != .showing {
      return tell(id, version, known.state.rawValue)
    }
    var record = Record(
      version: version, state: .showing, title: message["content"]!["title"]!.string!,
      collapse: message["collapse_id"]?.string)
    if known?.state == .shown {
      // An update: it replaces the text and does not ring.
      record.state = .shown
      record.isDisplayed = known!.isDisplayed
      records[id] = record
      return tell(id, version, "shown")
    }
    records[id] = record
    if kill() { return nil }
    let isRepeat = known?.state == .showing
    rings[id, default: []].append((isRepeat, version))
    if kill() { return nil }
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
