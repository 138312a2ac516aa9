package import Wire

/// One client's state in Parse's live query protocol: messages in, actions out. It has no socket, checks no keys and
/// asks no store; whoever performs an action tells the outcome, and hands in no further message until then.
package struct LiveQuerySession {
  package enum Action: Equatable {
    case send(JSON)
    /// Keys and a session that have to be checked.
    case connect(LiveMessage.Connect)
    /// A subscription whose query and session have to be checked. It takes the place of one with the same request id.
    case subscribe(LiveMessage.Subscribe)
    case unsubscribe(Int)
  }

  package let clientID: String
  package private(set) var isConnected = false
  package private(set) var subscribed: Set<Int> = []

  package init(clientID: String) { self.clientID = clientID }

  package mutating func receive(_ text: String) -> [Action] {
    do throws(LiveMessage.Fault) {
      return take(try LiveMessage(text))
    } catch {
      return [.send(Self.error(error.code, error.message, requestID: error.requestID))]
    }
  }

  private mutating func take(_ message: LiveMessage) -> [Action] {
    switch message {
    case .connect(let wish):
      return isConnected ? [.send(Self.error(1, "The connection is connected already."))] : [.connect(wish)]
    case .subscribe(let wish), .update(let wish):
      let id = wish.requestID
      guard isConnected else { return [.send(Self.notConnected(id))] }
      if case .update = message, !subscribed.contains(id) { return [.send(Self.noSubscription(id))] }
      guard subscribed.contains(id) || subscribed.count < LiveQueryLimits.subscriptions else {
        let words = "The connection has \(LiveQueryLimits.subscriptions) subscriptions; no more are accepted."
        return [.send(Self.error(155, words, requestID: id))]
      }
      return [.subscribe(wish)]
    case .unsubscribe(let id):
      guard isConnected else { return [.send(Self.notConnected(id))] }
      guard subscribed.remove(id) != nil else { return [.send(Self.noSubscription(id))] }
      return [.unsubscribe(id), .send(tell("unsubscribed", id))]
    }
  }

  // MARK: Outcomes

  /// The answer to a client whose keys are right.
  package mutating func connected() -> JSON {
    isConnected = true
    return ["op": "connected", "clientId": .string(clientID)]
  }

  package mutating func subscribed(_ id: Int) -> JSON {
    subscribed.insert(id)
    return tell("subscribed", id)
  }

  /// The answer where a subscription was refused, or has ended. One that was to be replaced has ended too.
  package mutating func ended(_ id: Int, _ error: ObjectError) -> JSON {
    subscribed.remove(id)
    return Self.error(error.code, error.message, requestID: id)
  }

  private func tell(_ operation: String, _ id: Int) -> JSON {
    ["op": .string(operation), "clientId": .string(clientID), "requestId": .int(id)]
  }

  // MARK: Errors

  /// - Parameter requestID: the subscription that it is about; nil for the connection.
  package static func error(_ code: Int, _ message: String, requestID: Int? = nil) -> JSON {
    var members: [JSON.Member] = [
      .init("op", "error"), .init("code", .int(code)), .init("error", .string(message)),
      // Clients would connect again at once, to be refused again.
      .init("reconnect", false),
    ]
    if let requestID { members.append(.init("requestId", .int(requestID))) }
    return .object(members)
  }

  private static func notConnected(_ id: Int) -> JSON {
    error(2, "There is no connection yet; \"connect\" comes first.", requestID: id)
  }

  private static func noSubscription(_ id: Int) -> JSON {
    error(2, "There is no subscription with the requestId \(id).", requestID: id)
  }
}
