import Crypto
package import Delivery
public import EventLoop
import Lifecycle
public import Observe
import Synchronization
import TCPClient

/// Sends messages to Apple's push service, each account by connections and tokens of its own.
public final class AppleService: Sendable {
  private final class Sender: Sendable {
    let line: ServiceLine
    /// Has nothing for a certificate.
    let tokens: Mutex<TokenMaker?>

    init(_ line: ServiceLine, _ tokens: TokenMaker?) {
      self.line = line
      self.tokens = Mutex(tokens)
    }
  }

  /// The outcome of one message.
  package enum Sending: Equatable, Sendable {
    case answered(AppleAnswer)
    case unanswered(String)
    case unreachable(String, retryAfter: Double?)
  }

  private let loop: EventLoop
  private let log: Log
  private let names: Names
  private let senders = Mutex<[AppleAccount: Sender]>([:])

  /// The look-up of names, which is confined to the loop.
  private struct Names: @unchecked Sendable {
    let lookup: NameLookup
  }

  public init(loop: EventLoop, log: Log) {
    self.loop = loop
    self.log = log
    names = Names(lookup: NameLookup(loop: loop))
  }

  /// Sends one message; once more if the service wants a newer token of the hub.
  /// - Throws: when the task is cancelled; the service may have got the message.
  package func send(
    _ push: ApplePush, id: String, to registration: AppleRegistration, by account: AppleAccount
  ) async throws(CancellationError) -> Sending {
    guard let sender = sender(of: account) else { return .unreachable("the key cannot be used", retryAfter: nil) }
    var token = sender.tokens.withLock { $0?.token(now: loop.time.now) }
    var isFirst = true
    while true {
      let request = push.request(id: id, to: registration, authority: account.authority, token: token)
      switch try await sender.line.send(request) {
      case .answered(let raw):
        let answer = AppleAnswer(raw, now: loop.time.now)
        guard isFirst, answer.wantsNewToken, let old = token else { return .answered(answer) }
        token = sender.tokens.withLock { $0?.token(afterExpired: old, now: loop.time.now) }
        guard token != nil else { return .answered(answer) }
        isFirst = false
      case .unanswered(let reason): return .unanswered(reason)
      case .unreachable(let reason, let pause): return .unreachable(reason, retryAfter: pause)
      }
    }
  }

  /// Drops all connections.
  public func close() {
    for sender in senders.withLock({ Array($0.values) }) { sender.line.close() }
  }

  private func sender(of account: AppleAccount) -> Sender? {
    senders.withLock { senders in
      if let found = senders[account] { return found }
      // It was changed by a command; the one before it is of no use any more.
      for (old, sender) in senders where old.id == account.id {
        sender.line.close()
        senders[old] = nil
      }
      guard let made = make(account) else { return nil }
      senders[account] = made
      return made
    }
  }

  private func make(_ account: AppleAccount) -> Sender? {
    var (tokens, identity): (TokenMaker?, ClientIdentity?) = (nil, nil)
    switch account.proof {
    case .key(let id, let bytes):
      guard let key = P256PrivateKey(bytes) else { return nil }
      tokens = TokenMaker(team: account.team, keyID: id, key: key)
    case .certificate(let shown): identity = shown
    }
    let (host, port, authorities) = (account.host, account.port, account.authorities)
    let line = ServiceLine(loop: loop, names: names.lookup, log: log) {
      TLSTrust(http2: authorities, identity: identity).map { ServiceLine.Target(host: host, port: port, trust: $0) }
    }
    return Sender(line, tokens)
  }
}

extension AppleService.Sending {
  /// The outcome in the words of traces.
  package func outcome(isCut: Bool) -> Outcome {
    switch self {
    case .answered(let answer): answer.outcome(isCut: isCut)
    case .unanswered(let reason): .retry(.unanswered, detail: reason)
    case .unreachable(let reason, let pause): .retry(after: pause, .unreachable, detail: reason)
    }
  }
}
