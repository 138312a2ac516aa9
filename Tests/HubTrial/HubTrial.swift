import Crypto
import Glibc
import HubWorld
import Server

/// The program for tests that kill a hub and fill its disk in the middle of a history: changes that ring or are
/// refused, and two outbox receivers who fail now and then. Time advances only when a step says so.
///
///     hubtrial run DIR SEED STEP…    lives through the steps; ends in order behind the last
///       make:N      makes thing N, which rings; says "made N NUMBER" once it is acknowledged, "failed N" if it was not
///       refuse:N    the same, but refuses behind what it has written; says "refused N"
///       crowd:N:M   makes N to M at once, of which it refuses every third
///       listen      from now on the receivers are told
///       pass        a minute passes, after which they are told again what they did not take
///     hubtrial tell DIR              tells the receivers, who take everything now, until nothing waits
@main
struct HubTrial {
  static func main() async {
    OpenSSL.staysToTheEnd()
    let words = CommandLine.arguments.dropFirst()
    guard words.count >= 2, let command = words.first else { fail("hubtrial COMMAND DIR …") }
    let rest = Array(words.dropFirst())
    do {
      mkdir(rest[0], 0o700)
      let history = try await History(folder: rest[0])
      switch command {
      case "run":
        guard rest.count > 1, let seed = UInt64(rest[1]) else { fail("hubtrial run DIR SEED STEP…") }
        for step in rest.dropFirst(2) { try await history.live(step, seed: seed) }
      case "tell": try await history.tellAll()
      default: fail("unknown command \(command)")
      }
      await history.test.end()
    } catch {
      fail("\(error)")
    }
  }

  static func fail(_ message: String) -> Never {
    say(message, to: STDERR_FILENO)
    exit(1)
  }

  /// Writes one line in one call, so that it is out whatever comes next.
  static func say(_ line: String, to file: Int32 = STDOUT_FILENO) {
    let bytes = Array((line + "\n").utf8)
    _ = write(file, bytes, bytes.count)
  }
}
