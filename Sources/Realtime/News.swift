import Server
import Synchronization
import Wire

/// One event for all its listeners. It is encoded once, when the first listener is found.
final class News: Sendable {
  struct Encoded {
    let message: EncodedMessage
    let event: EncodedEvent
  }

  let channel: String
  /// The event's number, where the app keeps a history.
  let serial: Int?
  /// The connection that does not get it.
  let except: String?
  private let make: @Sendable () -> Encoded
  private let made = Mutex<Encoded?>(nil)

  /// - Parameter text: called once, and only if there is a listener.
  init(
    _ event: String, on channel: String, commit: Int? = nil, userID: String? = nil, serial: Int? = nil,
    except: String? = nil, text: @escaping @Sendable @autoclosure () -> String
  ) {
    self.channel = channel
    self.serial = serial
    self.except = except
    make = {
      let text = text()
      let message = PusherMessage.event(
        event, channel: channel, commit: commit, userID: userID, serial: serial, data: text)
      let streamed = ServerSentEvent(event: event, id: commit.map { "\($0)" }, data: text)
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
