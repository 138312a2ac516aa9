import Testing
import Wire
import World

struct EventStreamTests {
  @Test func `the stream of section 9·2·6 is written as it stands there`() {
    let bytes =
      ServerSentEvent.comment("test stream") + ServerSentEvent(id: "1", data: "first event").bytes
      + ServerSentEvent(id: "", data: "second event").bytes
    let text = ": test stream\n\nid: 1\ndata: first event\n\nid: \ndata: second event\n\n"
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }

  @Test(arguments: [
    ("", ""), ("one", "one"), (" led by a space", " led by a space"), ("two\nlines", "two\nlines"),
    ("two\r\nlines", "two\nlines"), ("two\rlines", "two\nlines"), ("\n", "\n"), ("\r\n", "\n"), ("\r", "\n"),
    ("\n\n", "\n\n"), ("\r\n\r\n", "\n\n"), ("a\r\r\nb", "a\n\nb"), ("\n\r", "\n\n"), ("ends\n", "ends\n"),
    ("data: x\n\nevent: evil", "data: x\n\nevent: evil"), (":", ":"), ("ä\u{2028}ö", "ä\u{2028}ö"),
    ("\u{feff}", "\u{feff}"),
  ])
  func `data arrives as it was, with its lines`(data: String, arrives: String) {
    let stream = EventStream(ServerSentEvent(event: "sign", id: "7", retry: 3000, data: data).bytes)
    #expect(stream.events == [.init(type: "sign", data: arrives, lastID: "7")])
    #expect(stream.retry == 3000)
  }

  @Test func `nothing breaks out of its field`() {
    let event = ServerSentEvent(event: "a\ndata: evil\r\n\r\n", id: "1\r\0\n2", data: "x")
    let stream = EventStream(event.bytes + ServerSentEvent.comment("a\n\ndata: evil\n\n"))
    #expect(stream.events == [.init(type: "adata: evil", data: "x", lastID: "12")])
    #expect(stream.comments == ["a", "", "data: evil", "", ""])
  }

  @Test func `without data nothing is told, but kept`() {
    let stream = EventStream(ServerSentEvent(event: "a", id: "9", retry: 1).bytes + ServerSentEvent.comment())
    #expect(stream.events.isEmpty)
    #expect(stream.lastID == "9")
    #expect(stream.retry == 1)
    #expect(stream.comments == [""])
  }
}
