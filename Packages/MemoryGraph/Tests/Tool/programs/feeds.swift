// A server that reads feeds with Foundation: dates, patterns, dictionaries, observers, operations. One mistake: the
// operation that renews a feed is kept by the feed, and its block keeps the feed. It matters for feeds that are taken
// out before they were renewed. Another thing that only looks like a leak: the observers of feeds that are gone, which
// the centre keeps.
import Foundation

final class Article {
  let title: String
  let date: Date
  init(_ title: String, _ date: Date) { (self.title, self.date) = (title, date) }
}

final class Feed {
  let address: URL
  var articles: [Article] = []
  var renewal: BlockOperation?
  var notes: [String: Any] = [:]
  init(_ address: URL) { self.address = address }

  @inline(never) func prepare() {
    renewal = BlockOperation { self.read("<item>new</item>") }
  }
  func read(_ text: String) {
    let pattern = try! NSRegularExpression(pattern: "<item>(.*?)</item>")
    for found in pattern.matches(in: text, range: NSRange(text.startIndex..., in: text)) {
      articles.append(Article(String(text[Range(found.range(at: 1), in: text)!]), Date()))
    }
    notes["renewed"] = ISO8601DateFormatter().string(from: Date())
  }
}

final class Watcher {
  var seen = 0
}

extension Notification.Name { static let renewed = Notification.Name("renewed") }

final class Reader {
  var feeds: [String: Feed] = [:]
  let queue = OperationQueue()

  @inline(never) func add(_ number: Int) {
    let feed = Feed(URL(string: "https://feeds.example/\(number).xml")!)
    feed.read("<rss><item>one</item><item>two</item></rss>")
    feed.prepare()
    let watcher = Watcher()
    _ = NotificationCenter.default.addObserver(forName: .renewed, object: nil, queue: nil) { _ in watcher.seen += 1 }
    feeds["\(number)"] = feed
  }
  func renew(_ number: Int) {
    guard let operation = feeds["\(number)"]?.renewal else { return }
    queue.addOperation(operation)
    queue.waitUntilAllOperationsAreFinished()
    feeds["\(number)"]?.renewal = nil
  }
}

nonisolated(unsafe) let reader = Reader()
for number in 0..<40 { reader.add(number) }
for number in 0..<40 where number % 8 != 3 { reader.renew(number) }
for number in 0..<40 { reader.feeds["\(number)"] = nil }
NotificationCenter.default.post(name: .renewed, object: nil)
print("ready: \(reader.feeds.count) feeds")
fflush(nil)
_ = readLine()
