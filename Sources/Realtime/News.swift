import Server
import Synchronization
import Wire

/// One event on its way to all its listeners. It is encoded when the first of them is found, and once for all.
final class News: Sendable {
  struct Encoded {
    let message: EncodedMessage
    let event: EncodedEvent
  }

  let channel: String
  private let make: @Sendable () -> Encoded
  private let made = Mutex<Encoded?>(nil)

  init(_ event: String, on channel: String, commit: Int?, _ data: @escaping @Sendable () -> JSON) {
    self.channel = channel
    make = {
      let data = data()
      let message = PusherSession.event(event, channel: channel, commit: commit, data: data)
      let streamed = ServerSentEvent(event: event, id: commit.map { "\($0)" }, data: data.text)
      return Encoded(message: EncodedMessage(text: message.bytes), event: EncodedEvent(streamed))
    }
  }

  var encoded: Encoded {
    made.withLock { made in
      if let made { return made }
      let encoded = make()
      made = encoded
      return encoded
    }
  }
}

/// The events of private channels that wait until the hub has said who may still listen: a queue for each channel.
final class PrivateNews: Sendable {
  /// Events of one channel that may wait. Past it they are dropped, and its listeners are made to reconnect, since
  /// whoever reconnects fetches everything anew.
  static let limit = 256

  struct Queue {
    /// To be told once the listeners were checked; none where only the check is wanted.
    var news: [News] = []
    /// Whether there was more than may wait.
    var isOverrun = false
    fileprivate var isTaken = false
  }
  /// Channels whose queues somebody works off.
  private let queues = Mutex<[String: Queue]>([:])

  /// - Parameter news: nil to have the listeners checked.
  /// - Returns: whether nobody works the channel's queue off yet, so that the caller has to.
  func append(_ news: News?, to channel: String) -> Bool {
    queues.withLock { queues in
      let isIdle = queues[channel] == nil
      var queue = queues[channel].flatMap { $0.isTaken ? nil : $0 } ?? Queue()
      if let news { queue.news.append(news) }
      if queue.news.count > Self.limit { queue.isOverrun = true }
      if queue.isOverrun { queue.news = [] }
      queues[channel] = queue
      return isIdle
    }
  }

  /// All that waits on the channel; nil once nothing does, and then somebody else has to work off what comes next.
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
