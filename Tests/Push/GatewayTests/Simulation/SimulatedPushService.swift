import Client
import WebPush
import Wire

/// A push service with all that such do: it is busy, fails, does not answer, forgets, is late, delivers twice and in
/// another order, and ends subscriptions. What became of each message is the truth that traces are compared with.
final class SimulatedPushService {
  enum Mood {
    case well
    /// 429 and 503.
    case busy, failing
    /// No answer comes; with `taken` it has the message all the same.
    case silent(taken: Bool)
  }
  struct Message {
    let id: Int
    let version: Int
    let json: JSON
    let topic: String?
    let expiresAt: Double

    var collapse: String? { json["collapse_id"]?.string }
    /// Its place among those with its collapse id.
    var place: Int { json["sequence"]?.int ?? id }
  }
  struct Key: Hashable {
    var device: Int
    var id: Int
    var version: Int
  }
  /// Stands among the answers for one that did not come.
  static let none = "none"

  /// By endpoint; only of subscriptions that there are.
  private var waiting: [String: [Message]] = [:]
  private var answers: [Int: Set<String>] = [:]
  private(set) var accepted: Set<Key> = []
  /// Forgotten, expired, or replaced by a newer one with the same topic.
  private var lost: Set<Key> = []

  func subscribe(_ endpoint: String) { waiting[endpoint] = [] }

  func end(_ endpoint: String, of device: Int) {
    for one in waiting.removeValue(forKey: endpoint) ?? [] { lose(one, device) }
  }

  func hasLost(_ id: Int, of device: Int) -> Bool { lost.contains { $0.device == device && $0.id == id } }
  /// The statuses with which it has refused something for a device.
  func answers(for device: Int) -> Set<String> { answers[device] ?? [] }
  func count(at endpoint: String) -> Int { waiting[endpoint]?.count ?? 0 }

  /// - Parameter copies: 0 if it forgets the message, 2 if it delivers it twice.
  func take(
    _ push: PushMessage, for device: Int, at endpoint: String, _ mood: Mood, copies: Int, now: Double
  ) throws -> PushOutcome {
    guard waiting[endpoint] != nil else { return PushOutcome(status: 410, retryAfter: nil, now: now) }
    switch mood {
    case .busy: return refuse(429, device, retryAfter: "120", now)
    case .failing: return refuse(503, device, retryAfter: nil, now)
    case .silent(taken: false): return silence(device)
    default: break
    }
    guard let seconds = push.timeToLive(now: now) else { return .failed(.expired) }
    let json = try JSON(parsing: push.payload)
    let message = Message(
      id: Int(json["id"]!.string!)!, version: json["version"]!.int!, json: json, topic: push.topic,
      expiresAt: now + Double(seconds))
    if let topic = push.topic {
      for old in waiting[endpoint]! where old.topic == topic { lose(old, device) }
      waiting[endpoint]!.removeAll { $0.topic == topic }
    }
    accepted.insert(Key(device: device, id: message.id, version: message.version))
    if copies == 0 { lose(message, device) }
    waiting[endpoint]! += Array(repeating: message, count: copies)
    if case .silent = mood { return silence(device) }
    return PushOutcome(status: 201, retryAfter: nil, now: now)
  }

  private func refuse(_ status: Int, _ device: Int, retryAfter: String?, _ now: Double) -> PushOutcome {
    answers[device, default: []].insert("\(status)")
    return PushOutcome(status: status, retryAfter: retryAfter, now: now)
  }

  private func silence(_ device: Int) -> PushOutcome {
    answers[device, default: []].insert(Self.none)
    return PushOutcome(.timeout(seconds: 30))
  }

  private func lose(_ message: Message, _ device: Int) {
    lost.insert(Key(device: device, id: message.id, version: message.version))
  }

  /// One of those that wait for a browser; nil if it was too late.
  func deliver(_ choice: Int, at endpoint: String, of device: Int, now: Double) -> Message? {
    guard let queue = waiting[endpoint], !queue.isEmpty else { return nil }
    let message = waiting[endpoint]!.remove(at: choice % queue.count)
    if message.expiresAt > now { return message }
    lose(message, device)
    return nil
  }
}
