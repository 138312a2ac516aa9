import Observe
import Synchronization
import Testing
import Wire
import World

struct LogTests {
  final class Lines: Sendable {
    private let text = Mutex("")
    var all: String { text.withLock { $0 } }
    func take(_ line: String) { text.withLock { $0 += line } }
  }

  let lines = Lines()

  func log(_ threshold: Log.Level = .info, _ format: Log.Format = .text, at now: Double = 1_795_200_000) -> Log {
    Log(time: VirtualTime(now), threshold: threshold, format: format, sink: lines.take)
  }

  @Test func `a line has the time in UTC, the level, the message and its fields`() {
    log(at: 1_795_200_000.1239).info("the sign was turned", ["open": "true", "by": "Ada L"])
    #expect(lines.all == "2026-11-20T18:40:00.123Z info the sign was turned open=true by=\"Ada L\"\n")
  }

  @Test func `a line of JSON is one object, whatever its values hold`() throws {
    log(.info, .json).warning("it failed", ["reason": "a \"b\"\nc\u{1}\u{7f}ü", "by": ""])
    #expect(lines.all.hasSuffix("}\n"))
    #expect(lines.all.split(separator: "\n").count == 1)
    let json = try JSON(parsing: lines.all)
    #expect(json["time"]?.string == "2026-11-20T18:40:00.000Z")
    #expect(json["level"]?.string == "warning")
    #expect(json["message"]?.string == "it failed")
    #expect(json["reason"]?.string == "a \"b\"\nc\u{1}\u{7f}ü")
    #expect(json["by"]?.string == "")
  }

  @Test func `a value cannot break a line of text apart`() {
    log().info("asked", ["path": "/\n2026 info forged", "empty": "", "quote": "a\"b"])
    #expect(lines.all.split(separator: "\n").count == 1)
    #expect(lines.all.hasSuffix(#"asked path="/\n2026 info forged" empty="" quote="a\"b""# + "\n"))
  }

  @Test(arguments: [(Log.Level.debug, 4), (.info, 3), (.warning, 2), (.error, 1)])
  func `what lies below the level is not written`(level: Log.Level, count: Int) {
    let log = log(level)
    log.debug("one")
    log.info("two")
    log.warning("three")
    log.error("four")
    #expect(lines.all.split(separator: "\n").count == count)
  }
}
