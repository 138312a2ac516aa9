import NATSClient
import Testing
import World

struct NATSParserTests {
  static let greeting = "INFO {\"max_payload\":100,\"tls_available\":true} \r\n"

  /// The events, and the reason why they ended.
  static func heard(_ pieces: [[UInt8]]) -> ([NATSParser.Event], String?) {
    var parser = NATSParser()
    var events: [NATSParser.Event] = []
    for piece in pieces {
      do throws(NATSParser.Fault) {
        try piece.withUnsafeBufferPointer { piece throws(NATSParser.Fault) in
          var position = 0
          while let event = try parser.next(piece, &position) { events.append(event) }
          #expect(position == piece.count)
        }
      } catch {
        return (events, error.message)
      }
    }
    return (events, nil)
  }

  @Test func `the events are the same however the bytes are cut`() {
    let bytes = Array(
      (Self.greeting + "PING\r\nMSG hub.wake 1 5\r\na\r\nbc\r\nMSG hub.wake 2 answers 0\r\n\r\nPONG\r\n+OK\r\n"
        + "-ERR 'Slow Consumer'\r\nINFO {\"max_payload\":9999999,\"tls_required\":true}\r\nMSG ä 18 1\r\n\0\r\n").utf8)
    for pieces in everyCut(of: bytes) {
      let (events, fault) = Self.heard(pieces)
      #expect(fault == nil)
      #expect(
        events == [
          .info(demandsTLS: false, offersTLS: true), .ping,
          .message(id: 1, subject: "hub.wake", payload: Array("a\r\nbc".utf8)),
          .message(id: 2, subject: "hub.wake", payload: []), .pong, .ok, .refusal("Slow Consumer"),
          .info(demandsTLS: true, offersTLS: false), .message(id: 18, subject: "ä", payload: [0]),
        ])
    }
  }

  @Test(arguments: [
    ("MSG a 1 101\r\n", "101 bytes; at most 100"), ("MSG a 1 99999999999999999999\r\n", "has not the form"),
    ("MSG a 1 -1\r\n", "has not the form"), ("MSG a b 1\r\n", "has not the form"), ("MSG a 1\r\n", "has not the form"),
    ("MSG a 1 b c 2\r\n", "has not the form"), ("MSG a 1 2\r\nabc\r\n", "2 bytes does not end"),
    ("HMSG a 1 12 14\r\n", "\"HMSG\""), ("PING now\r\n", "\"PING\""), ("ping\r\n", "\"ping\""), ("\r\n", "\"\""),
    ("PING\n", "CR LF"), ("-ERR '\u{1b}'\n", "CR LF"), ("INFO []\r\n", "no JSON object"),
    ("INFO {\"max_payload\":0}\r\n", "max_payload"), ("\u{1b}[2J\r\n", "\"?[2J\""),
    (String(repeating: "x", count: 4_097), "longer than 4096"),
    (String(repeating: "x", count: 4_095) + "\r\n", "longer than 4096"),
  ])
  func `anything else is an error, wherever the bytes are cut`(_ text: String, _ words: String) {
    let bytes = Array((Self.greeting + text).utf8)
    let cuts = bytes.count < 1_000 ? everyCut(of: bytes) : [[bytes], bytes.map { [$0] }]
    for pieces in cuts {
      let (events, fault) = Self.heard(pieces)
      #expect(events == [.info(demandsTLS: false, offersTLS: true)])
      #expect(fault?.contains(words) == true, "\(fault ?? "no fault")")
    }
  }

  @Test func `the first word is INFO`() {
    for pieces in everyCut(of: Array("HTTP/1.1 400 Bad Request\r\n".utf8)) {
      #expect(Self.heard(pieces).1 == "its first word is \"HTTP/1.1\"; a NATS server's is INFO")
    }
    #expect(Self.heard([Array("MSG a 1 0\r\n".utf8)]).1 != nil)
  }

  @Test func `a line may have 4096 bytes, a message what the server allows, and never more than a MiB`() {
    let line = "-ERR " + String(repeating: "x", count: 4_089) + "\r\n"
    #expect(Self.heard([Array((Self.greeting + line).utf8)]).1 == nil)
    let large = "MSG a 1 1048576\r\n" + String(repeating: "x", count: 1 << 20) + "\r\n"
    let text = "INFO {\"max_payload\":8000000}\r\n" + large + "MSG a 1 1048577\r\n"
    let (events, fault) = Self.heard([Array(text.utf8)])
    #expect(events.count == 2 && fault == "a message has 1048577 bytes; at most 1048576 are accepted")
  }
}
