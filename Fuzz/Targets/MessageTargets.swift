import CivilTime
import Delivery
import Gateway
import Lifecycle
import Notifications
import Ntfy
import Realtime
import Wire

/// Messages of devices, programs and pages, whose members are read one by one.
nonisolated(unsafe) let messageTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "gateway": { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    // After a hello, and as the first message of all.
    var (session, stranger) = (GatewaySession(), GatewaySession())
    _ = session.received(#"{"do":"hello","secret":"s"}"#)
    _ = session.authenticated(PushDevice(id: 1, name: "boat", kind: .agent, channels: [.gateway], createdAt: now))
    require(session.isOpen)
    for action in session.received(text) {
      switch action {
      case .record(let receipt): check(receipt)
      case .send, .close: break
      default: fatalError("an open connection asks for \(action)")
      }
    }
    for action in stranger.received(text) {
      guard case .look(_, let zone) = action else { continue }
      require(zone.map(isZoneName) ?? true, zone ?? "")
    }
    require(!stranger.isOpen)
  },
  // Lines of fields, of which those that begin with "?" are parameters; an empty line, and the body.
  "ntfy": { bytes in
    let all = Array(bytes)
    let end = all.indices.first { all[$0] == 10 && $0 + 1 < all.count && all[$0 + 1] == 10 } ?? all.count
    var (fields, query): ([(name: String, value: String)], [String: String]) = ([], [:])
    for line in all[..<end].split(separator: 10) {
      let parts = line.split(separator: 58, maxSplits: 1, omittingEmptySubsequences: false)
      let (name, value) = (String(decoding: parts[0], as: UTF8.self), String(decoding: parts.last!, as: UTF8.self))
      if name.hasPrefix("?") { query[String(name.dropFirst())] = value } else { fields.append((name, value)) }
    }
    let body = Array(all[min(end + 2, all.count)...])
    let parameters = NtfyParameters(headers: fields, query: query)
    let type = fields.first { $0.name.lowercased() == "content-type" }?.value
    for message in [
      try? NtfyMessage(topic: "t", parameters, body: body, contentType: type, now: now, zone: .utc),
      try? NtfyMessage(json: body, parameters, now: now, zone: .utc),
    ] {
      if let message { check(message) }
    }
    _ = try? NtfyFilter(parameters)
    _ = try? NtfySince(parameters["since", "si"], isPoll: false, now: now)
    _ = NtfyCredential(header: parameters["authorization"], query: parameters["auth"])
    for name in (try? TopicNames.list(parameters["topics"] ?? "")) ?? [] { require(TopicNames.isName(name)) }
  },
  // Lines of a client; signatures are right by turns.
  "pusher": { bytes in
    for options in [nil, RealtimeOptions()] { listen(bytes, options) }
    // The same text as an event that a program triggers.
    guard let json = try? JSON(parsing: Array(bytes)), let event = try? PusherEvent("", { json[$0] }) else { return }
    require(!event.name.isEmpty)
    require(!event.channels.isEmpty && Set(event.channels).count == event.channels.count)
  },
]

private let now = 1_795_262_400.0

private func check(_ receipt: Receipt) {
  require(receipt.at?.isFinite ?? true)
  guard case .acted(let action, let text) = receipt.what else { return }
  require((1...NotificationLimits.identifierBytes).contains(action.utf8.count))
  require(text?.utf8.count ?? 0 <= NotificationLimits.answerBytes)
}

/// A message that is accepted stays what it is on its way through a notification to a subscriber.
private func check(_ message: NtfyMessage) {
  require(TopicNames.isName(message.topic) && message.tags.count <= NtfyLimits.tags, message.topic)
  require(!message.message.isEmpty && (message.priority.map { (1...5).contains($0) } ?? true))
  require(message.at.map { $0 > now && $0 <= now + NtfyLimits.delaySeconds } ?? true, "\(message.at!)")
  // The rules of devices and pages, which the hub asks before it takes the message.
  guard case .success = checkContent(message.content.bytes) else { return }
  let request = message.request { timestamp(EpochSeconds($0), in: .utc) }
  guard let content = (try? JSON(parsing: request.bytes))?["content"],
    let event = NtfyEvent(
      id: 1, at: now, topic: message.topic, content: content, collapseID: request["collapse_id"]?.string, base: nil)
  else { fatalError("nothing to show: \(request.text)") }
  require(event.message == message.message && event.title == message.title, request.text)
  require(event.priority == message.priority && event.tags == message.tags, request.text)
  require(event.json["sequence_id"]?.string == message.sequenceID, request.text)
}

private func listen(_ bytes: UnsafeBufferPointer<UInt8>, _ options: RealtimeOptions?) {
  var session = PusherSession(socketID: "1.2")
  for (turn, line) in bytes.split(separator: 10).prefix(40).enumerated() {
    let text = String(decoding: line, as: UTF8.self)
    var actions = session.receive(text, options: options, uptime: Double(turn))[...]
    while let action = actions.popFirst() {
      switch action {
      case .authenticate(let subscription):
        require(ChannelName(subscription.channel).needsSignature, subscription.channel)
        actions += session.authenticated(subscription, isRight: turn % 3 != 2, help: "")
      case .authenticateUser(_, let data):
        require(options != nil)
        actions += session.userAuthenticated(data, isRight: turn % 3 != 2, help: "")
      case .join(let subscription):
        let name = ChannelName(subscription.channel)
        require(session.subscribed.contains(subscription.channel))
        require(name.user == nil || name.user == session.user?.id, subscription.channel)
        require(!name.isPresence || subscription.member != nil, subscription.channel)
      case .leave(let channel): require(!session.subscribed.contains(channel), channel)
      case .tell(let event):
        require(options != nil && session.subscribed.contains(event.channel), event.channel)
        require(ChannelName(event.channel).takesClientEvents && event.event.hasPrefix("client-"), event.event)
      case .signedIn(let user): require(!user.id.isEmpty && user.watchlist.count <= RealtimeLimits.watchlist)
      case .send, .refuse, .close: break
      }
    }
    require(session.subscribed.count <= RealtimeLimits.channelsOfConnection)
    require(Set(session.subscribed).count == session.subscribed.count)
  }
}
