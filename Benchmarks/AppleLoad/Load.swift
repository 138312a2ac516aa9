import APNsSender
import Crypto
import Delivery
import EventLoop
import Lifecycle
import Observe
import Synchronization
import TCPClient
import Wire

/// Sends pushes over one connection, so many at a time.
final class Load: Sendable {
  private struct Names: @unchecked Sendable {
    let lookup: NameLookup
  }
  private let loop: EventLoop
  private let line: ServiceLine
  private let authority: String
  private let registrations: [AppleRegistration]
  private let isEmpty: Bool
  private let isAlike: Bool
  private let maker: Mutex<TokenMaker>
  private let next = Mutex(0)
  private let answers = Mutex<[String: Int]>([:])

  /// What h2load sends with each push.
  private static let id = "ab2cb5fb-99b4-41ef-a476-b898dd12e49f"
  private static let content = #"{"title":"Open","body":"Ada has opened. There is tea.","sound":"default"}"#

  init(
    _ loop: EventLoop, host: String, port: UInt16, authorities: [UInt8], tokens: TokenMaker,
    registrations: [AppleRegistration], isEmpty: Bool, isAlike: Bool
  ) {
    self.loop = loop
    self.registrations = registrations
    self.isEmpty = isEmpty
    self.isAlike = isAlike
    authority = "\(host):\(port)"
    maker = Mutex(tokens)
    let names = Names(lookup: NameLookup(loop: loop))
    line = ServiceLine(loop: loop, names: names.lookup, log: Log(time: loop.time, sink: { _ in })) {
      TLSTrust(http2: authorities, identity: nil).map { ServiceLine.Target(host: host, port: port, trust: $0) }
    }
  }

  /// - Returns: the seconds that it took, and how often each answer came.
  func run(_ count: Int, streams: Int) async throws -> JSON {
    let since = loop.time.uptime
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<streams {
        group.addTask(executorPreference: loop) { [self] in
          while let number = take(count) {
            let answer = try await send(number)
            answers.withLock { $0[answer, default: 0] += 1 }
          }
        }
      }
      try await group.waitForAll()
    }
    let seconds = loop.time.uptime - since
    let told = answers.withLock { $0 }.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .int($0.value)) }
    return .object([.init("seconds", .double(seconds)), .init("answers", .object(told))])
  }

  private func take(_ count: Int) -> Int? {
    next.withLock { next in
      guard next < count else { return nil }
      next += 1
      return next
    }
  }

  private func send(_ number: Int) async throws -> String {
    let registration = registrations[number % registrations.count]
    let now = loop.time.now
    let message = Outgoing(
      id: isAlike ? 7 : number, version: 1, work: .show(content: Self.content), expiresAt: now + 3_600, sentAt: now)
    guard let push = ApplePush(message, unread: nil, isChange: false, now: now) else { return "too large" }
    let id = ApplePush.id(message, to: registration)
    // The work for it is done in either case.
    let sent = isAlike ? Self.id : id
    let token = maker.withLock { $0.token(now: now) }
    var request = push.request(id: sent, to: registration, authority: authority, token: token)
    if isEmpty { request.body = Array("{}".utf8) + [UInt8](repeating: 32, count: request.body.count - 2) }
    switch try await line.send(request) {
    case .answered(let answer): return "\(answer.status)"
    case .unanswered: return "unanswered"
    case .unreachable(let reason, _): return reason
    }
  }
}
