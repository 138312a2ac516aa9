import Wire

/// A client's side with requests under way, each of which ends once, whatever the server says.
final class HTTP2Asker {
  private(set) var said = ""
  var isAlive: Bool { !session.isFinished }
  private let session = HTTP2ClientSession()
  private var open: Set<Int> = []

  /// A request without a body, one with a small one, and one with more than a window holds.
  init() { [0, 3, 70_000].forEach(ask) }

  func receive(_ bytes: UnsafeBufferPointer<UInt8>) {
    session.receive(bytes)
    // Requests go out once the server has begun to speak.
    drain()
    take()
  }

  /// Goes on in a way selected by `choice`.
  func goOn(_ choice: Int) {
    switch choice % 6 {
    case 0: ask(choice)
    case 1: open.min().map { session.cancel($0, "cancelled") }
    case 2: session.ping()
    case 3: if session.isAccepting { require(session.streamLimit <= WireLimits.clientStreams) }
    default: break
    }
    if choice == 255 { session.goAway() }
    drain()
    take()
  }

  /// The connection is over: nothing is left.
  func end() {
    session.close("over")
    take()
    require(open.isEmpty && session.count == 0 && session.isFinished, "\(open) have not ended")
    session.receive(UnsafeBufferPointer(start: nil, count: 0))
    require(session.nextOutput().isEmpty && session.takeEvents().isEmpty)
  }

  private func ask(_ bytes: Int) {
    let body = [UInt8](repeating: 7, count: bytes)
    let number = session.submit(
      HTTP2Request(path: "/", authority: "a", fields: [("content-type", "text/plain")], body: body))
    require(open.insert(number).inserted, "two requests have the number \(number)")
  }

  private func drain() { while !session.nextOutput().isEmpty {} }

  private func take() {
    for event in session.takeEvents() {
      said += "\(event)"
      guard case .ended(let number, let ending) = event else { continue }
      require(open.remove(number) != nil, "\(number) ended twice")
      guard case .answered(let answer) = ending else { continue }
      require(
        (200...999).contains(answer.status) && answer.body.count <= WireLimits.answerBodyBytes, "\(answer.status)")
      _ = answer["content-type"]
    }
    require(session.count == open.count, "\(session.count) requests are left, not \(open.count)")
  }
}
