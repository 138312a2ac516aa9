import Synchronization

/// The events of private channels that wait for the check of their listeners' rights: a queue for each channel.
final class PrivateNews: Sendable {
  /// The most events that wait per channel. Past it they are dropped and the listeners disconnected, since clients
  /// fetch everything again when they reconnect.
  static let limit = 256

  struct Queue {
    /// Events to be sent after the check; empty where only the check is wanted.
    var news: [News] = []
    /// The holders to be checked; nil for all. Where many come at once, each is looked at once.
    var holders: Set<String>? = []
    /// True if more events came than may wait.
    var isOverrun = false
    fileprivate var isTaken = false
  }
  /// The queues of channels for which a task is running.
  private let queues = Mutex<[String: Queue]>([:])

  /// - Parameters:
  ///   - news: nil to have the listeners checked only.
  ///   - holder: the one to be checked; nil for all.
  /// - Returns: true if no task is running for the channel, so that the caller has to start it.
  func append(_ news: News?, afterCheckOf holder: String?, to channel: String) -> Bool {
    queues.withLock { queues in
      let isIdle = queues[channel] == nil
      var queue = queues[channel].flatMap { $0.isTaken ? nil : $0 } ?? Queue()
      if let holder { queue.holders?.insert(holder) } else { queue.holders = nil }
      if let news { queue.news.append(news) }
      if queue.news.count > Self.limit { queue.isOverrun = true }
      if queue.isOverrun { queue.news = [] }
      queues[channel] = queue
      return isIdle
    }
  }

  /// Everything waiting on the channel; nil if nothing does, after which the next `append` starts a new task.
  func next(of channel: String) -> Queue? {
    queues.withLock { queues in
      guard let queue = queues[channel], !queue.isTaken else {
        queues[channel] = nil
        return nil
      }
      queues[channel]?.isTaken = true
      return queue
    }
  }
}
