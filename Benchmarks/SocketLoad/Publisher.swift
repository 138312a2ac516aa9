/// One persistent connection, over which one message after the other is posted.
struct Publisher {
  let descriptor: Int32
  private(set) var isWaiting = false
  private let head: String
  private var answer: [UInt8] = []

  init(port: UInt16, path: String, token: String?) {
    descriptor = connected(to: port)
    let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    head = "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(authorization)Content-Length: "
  }

  mutating func publish(_ body: [UInt8]) {
    isWaiting = true
    send(Array("\(head)\(body.count)\r\n\r\n".utf8) + body, to: descriptor)
  }

  /// True once the answer is complete; one without success ends the program.
  mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    answer += bytes
    let text = String(decoding: answer, as: UTF8.self)
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return false }
    let lines = parts[0].split(separator: "\r\n")
    guard lines[0].hasPrefix("HTTP/1.1 2") else { stop("a message was refused: \(text)") }
    let lengths = lines.filter { $0.lowercased().hasPrefix("content-length: ") }
    guard let length = lengths.first.flatMap({ Int($0.dropFirst(16)) }) else { stop("no length: \(parts[0])") }
    guard parts[1].utf8.count >= length else { return false }
    answer = []
    isWaiting = false
    return true
  }
}
