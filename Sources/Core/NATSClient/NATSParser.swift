import Wire

/// Takes apart what a NATS server sends (docs.nats.io, "Client Protocol"). It has no socket, and gives the same events
/// however the bytes are cut. Messages with headers (HMSG) come only to clients that ask for them, which we do not.
package struct NATSParser: Sendable {
  package enum Event: Equatable, Sendable {
    /// What the server says of itself, at the beginning of a connection and when that changes.
    case info(demandsTLS: Bool, offersTLS: Bool)
    /// - id: the subscription's.
    case message(id: Int, subject: String, payload: [UInt8])
    case ping, pong, ok
    /// -ERR, with its words.
    case refusal(String)
  }

  /// The reason why the connection must be closed, as the end of a sentence.
  package struct Fault: Error, Equatable, Sendable {
    package var message: String
  }

  /// The bytes of the largest message that both sides take.
  package private(set) var payloadLimit = NATSLimits.payloadBytes
  private var isGreeted = false
  private var line: [UInt8] = []
  /// The message whose payload comes.
  private var message = (id: 0, subject: "")
  private var payload: [UInt8] = []
  /// Bytes of the payload still to come, with the two of its end.
  private var left = 0

  package init() {}

  /// The next event; nil when all of the input is used up without one.
  package mutating func next(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int) throws(Fault) -> Event? {
    while position < input.count {
      let rest = input[position...]
      if left > 0 {
        let piece = rest.prefix(left)
        payload += piece
        left -= piece.count
        position += piece.count
        if left == 0 { return try endMessage() }
        continue
      }
      let end = rest.firstIndex(of: 10)
      let piece = rest[..<(end.map { $0 + 1 } ?? rest.endIndex)]
      guard line.count + piece.count <= NATSLimits.lineBytes else {
        throw Fault(message: "a line is longer than \(NATSLimits.lineBytes) bytes, which are accepted")
      }
      line += piece
      position += piece.count
      if end != nil, let event = try endLine() { return event }
    }
    return nil
  }

  private mutating func endMessage() throws(Fault) -> Event {
    guard payload.suffix(2).elementsEqual([13, 10]) else {
      throw Fault(message: "a message of \(payload.count - 2) bytes does not end there")
    }
    payload.removeLast(2)
    defer { payload = [] }
    return .message(id: message.id, subject: message.subject, payload: payload)
  }

  /// - Returns: nil for the first line of a message.
  private mutating func endLine() throws(Fault) -> Event? {
    defer { line.removeAll(keepingCapacity: true) }
    guard line.suffix(2).elementsEqual([13, 10]), let text = String(validating: line.dropLast(2), as: UTF8.self) else {
      throw Fault(message: "a line is no UTF-8 that ends with CR LF")
    }
    let words = text.split(separator: " ", maxSplits: 1)
    let (word, rest) = (words.first ?? "", words.count > 1 ? words[1] : "")
    guard isGreeted || word == "INFO" else {
      throw Fault(message: "its first word is \"\(Self.shown(word, 20))\"; a NATS server's is INFO")
    }
    switch (word, rest) {
    case ("INFO", _): return try info(rest)
    case ("MSG", _): try beginMessage(rest.split(separator: " "))
    case ("PING", ""): return .ping
    case ("PONG", ""): return .pong
    case ("+OK", ""): return .ok
    case ("-ERR", _):
      let isQuoted = rest.count > 1 && rest.first == "'" && rest.last == "'"
      return .refusal(Self.shown(isQuoted ? rest.dropFirst().dropLast() : rest, 200))
    default:
      throw Fault(
        message: "a line begins with \"\(Self.shown(word, 20))\"; INFO, MSG, PING, PONG, +OK and -ERR are accepted")
    }
    return nil
  }

  private mutating func info(_ text: Substring) throws(Fault) -> Event {
    guard let json = try? JSON(parsing: String(text)), let bytes = json["max_payload"]?.int, bytes > 0 else {
      throw Fault(message: "its INFO is no JSON object with a max_payload above 0")
    }
    isGreeted = true
    payloadLimit = min(bytes, NATSLimits.payloadBytes)
    return .info(
      demandsTLS: json["tls_required"]?.bool ?? false, offersTLS: json["tls_available"]?.bool ?? false)
  }

  /// - Parameter words: subject, subscription, perhaps a subject for answers, bytes.
  private mutating func beginMessage(_ words: [Substring]) throws(Fault) {
    guard (3...4).contains(words.count), let id = Self.number(words[1]), let count = Self.number(words.last!) else {
      throw Fault(message: "a MSG has not the form SUBJECT SUBSCRIPTION BYTES")
    }
    guard count <= payloadLimit else {
      throw Fault(message: "a message has \(count) bytes; at most \(payloadLimit) are accepted")
    }
    message = (id, String(words[0]))
    left = count + 2
    payload.reserveCapacity(left)
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
  }

  /// The beginning of what a server wrote, fit for a log.
  private static func shown(_ text: Substring, _ count: Int) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(count) {
      shown.append(scalar.value < 32 || scalar.value == 127 ? "?" : scalar)
    }
    return String(shown)
  }
}
