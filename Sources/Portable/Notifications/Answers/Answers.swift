import CivilTime

/// The module's interface in JSON, for pages, service workers and the test vectors. A question is an object whose "ask"
/// names a rule; the answer is the rule's, or {"faults": […]}.
///
/// | ask | with | answer |
/// |---|---|---|
/// | content | content | `{"content"}` |
/// | patch | content, patch | `{"content"}` |
/// | fit | content, bytes | `{"content"}`, or null if it is too long without its body too |
/// | category, request | category, request | the same |
/// | localized | content, language | `{"content"}` |
/// | response | response, content, category | `{"kind", "opens_app", "needs_authentication", "is_told"}` |
/// | actions | content, category, buttons | `{"banner": [ids], "all": [actions]}`, each action with its `meaning` |
/// | attachment | prefix (hexadecimal), size, type | `{"type"}` |
/// | present | content, category, settings, state | as `Presentation` |
/// | next | trigger, added, after, zone | `{"at"}` |
/// | queue | zone, steps | a list with an answer for each step |
///
/// Times are seconds since 1970. A zone is `{"offset", "transitions": [[instant, offset], …]}`, in seconds.
public func answer(_ question: [UInt8]) -> [UInt8] {
  var faults = Faults()
  do throws(JSONFault) {
    guard question.count <= NotificationLimits.questionBytes else {
      throw JSONFault(position: NotificationLimits.questionBytes, accepted: "at most 262144 bytes are accepted")
    }
    // The questions have some values more than a content.
    let question = try JSONReader.read(question, values: 4 * NotificationLimits.values)
    let answer = Answers.answer(question, &faults)
    return faults.isEmpty ? answer.text : faults.json.text
  } catch {
    faults.refuse(error)
    return faults.json.text
  }
}

extension Faults {
  var json: JSONValue { refusal.json }
}

extension Refusal {
  var json: JSONValue { .object([JSONMember("faults", .array(faults.map { $0.json }))]) }
}

enum Answers {
  static func answer(_ question: JSONValue, _ faults: inout Faults) -> JSONValue {
    let ask = faults.required(question, Field([], "ask"), 1...NotificationLimits.identifierBytes)
    let content = question["content"] ?? .null
    if isEqual(ask, "content") { return said(Content.check(content)) }
    if isEqual(ask, "patch") {
      return with(Content.check(content)) { said($0.patched(with: (question["patch"] ?? .null).text)) }
    }
    if isEqual(ask, "fit") {
      let bytes = faults.integer(question, Field([], "bytes"), 0...NotificationLimits.contentBytes) ?? 0
      return with(Content.check(content)) { content in
        guard let text = content.text(bytes: bytes), let json = try? JSONReader.read(text) else { return .null }
        return .object([JSONMember("content", json)])
      }
    }
    if isEqual(ask, "category") {
      return with(Category.check(question["category"] ?? .null)) { .object([JSONMember("category", $0.json)]) }
    }
    if isEqual(ask, "request") {
      return with(Request.check(question["request"] ?? .null)) { .object([JSONMember("request", $0.json)]) }
    }
    if isEqual(ask, "attachment") { return attachment(question, &faults) }
    if isEqual(ask, "next") { return next(question, &faults) }
    if isEqual(ask, "queue") { return queue(question, &faults) }
    return with(Content.check(content)) { content in
      guard let json = question["category"] else { return answer(ask, question, content, nil) }
      return with(Category.check(json)) { answer(ask, question, content, $0) }
    }
  }

  /// Questions about a content and its category.
  private static func answer(
    _ ask: [UInt8], _ question: JSONValue, _ content: Content, _ category: Category?
  ) -> JSONValue {
    var faults = Faults()
    if isEqual(ask, "localized") {
      return .object([JSONMember("content", content.localized(in: question["language"]?.utf8Text ?? []).json)])
    }
    if isEqual(ask, "actions") {
      let room = question["buttons"]?.integer ?? Int64(NotificationLimits.bannerActions)
      let all = content.actions(of: category)
      let banner = all.prefix(Int(min(max(room, 0), Int64(all.count))))
      return .object([
        JSONMember("banner", .array(banner.map { .string($0.idText) })),
        JSONMember("all", .array(all.map { $0.meant })),
      ])
    }
    if isEqual(ask, "present") {
      let settings = DeviceSettings(question["settings"] ?? .object([]), at: utf8("settings."), &faults)
      let state = DeviceState(question["state"] ?? .object([]), at: utf8("state."), &faults)
      guard faults.isEmpty else { return faults.json }
      return Presentation(content, of: category, settings: settings, state: state).json
    }
    if isEqual(ask, "response") {
      let answered = Response.check(question["response"] ?? .null, actions: content.actions(of: category))
      return with(answered) { response in
        return .object([
          JSONMember("kind", JSONValue(response.kind.word)), JSONMember("opens_app", .bool(response.opensApp)),
          JSONMember("needs_authentication", .bool(response.needsAuthentication)),
          JSONMember("is_told", .bool(response.isTold(in: category))),
        ])
      }
    }
    faults.refuse(utf8("ask"), seen: ask, .words("a question that stands in Answers.swift is accepted"))
    return faults.json
  }

  private static func said(_ content: Result<Content, Refusal>) -> JSONValue {
    with(content) { .object([JSONMember("content", $0.json)]) }
  }

  private static func with<Value>(_ result: Result<Value, Refusal>, _ body: (Value) -> JSONValue) -> JSONValue {
    switch result {
    case .success(let value): body(value)
    case .failure(let refusal): refusal.json
    }
  }

  private static func attachment(_ question: JSONValue, _ faults: inout Faults) -> JSONValue {
    var (prefix, half): ([UInt8], UInt8?) = ([], nil)
    for byte in question["prefix"]?.utf8Text ?? [] {
      guard let value = hexadecimal(byte) else {
        faults.refuse(Field([], "prefix"), nil, .words("hexadecimal digits are accepted"))
        return .null
      }
      if let first = half {
        prefix.append(first << 4 | value)
        half = nil
      } else {
        half = value
      }
    }
    let size = question["size"]?.integer ?? Int64(prefix.count)
    return with(Attachment.check(prefix: prefix, size: size, hint: question["type"])) {
      .object([JSONMember("type", JSONValue($0.mime))])
    }
  }

  // MARK: Time

  private static func next(_ question: JSONValue, _ faults: inout Faults) -> JSONValue {
    let zone = zone(question, &faults)
    let added = seconds(question, "added")
    guard let object = faults.object(question, Field([], "trigger")),
      let trigger = Trigger(object, at: utf8("trigger."), &faults)
    else { return .null }
    let after = question["after"] == nil ? added : seconds(question, "after")
    let at = trigger.next(after: after, added: added, in: zone)
    return .object([JSONMember("at", at.map { JSONValue($0) } ?? .null)])
  }

  /// A time of the years that the dates of this module reach; 0 if there is none.
  private static func seconds(_ object: JSONValue, _ name: StaticString) -> EpochSeconds {
    let most: Int64 = 250_000_000_000
    return EpochSeconds(min(max(object[name]?.integer ?? 0, -most), most))
  }

  private static func zone(_ question: JSONValue, _ faults: inout Faults) -> Zone {
    guard let json = question["zone"] else { return .utc }
    let range = -secondsPerDay...secondsPerDay
    let offset = faults.integer(json, Field(utf8("zone."), "offset"), range) ?? 0
    var transitions: [Zone.Transition] = []
    for pair in json["transitions"]?.list ?? [] {
      guard let values = pair.list, values.count == 2, let instant = values[0].integer, let offset = values[1].integer,
        range.contains(Int(truncatingIfNeeded: offset)), instant.magnitude < 1 << 40
      else {
        faults.refuse(
          Field(utf8("zone."), "transitions"), pair, .words("pairs of an instant and an offset are accepted"))
        return .utc
      }
      transitions.append(Zone.Transition(instant: EpochSeconds(instant), offset: Int(offset)))
    }
    return Zone(name: "", transitions: transitions, initialOffset: offset)
  }

  /// Each step is one of {"add": request}, {"remove": id}, {"fire": true}, {"fix": {…}}, {"clock": seconds},
  /// {"zone": {…}} and {"armed": most}, with "at", the time.
  private static func queue(_ question: JSONValue, _ faults: inout Faults) -> JSONValue {
    var queue = PendingQueue()
    var zone = zone(question, &faults)
    var answers: [JSONValue] = []
    for step in question["steps"]?.list ?? [] {
      let now = seconds(step, "at")
      let zones: PendingQueue.Zones = { [zone] _ in zone }
      if let json = step["add"] {
        let added = with(Request.check(json)) { request in
          queue.add(request, now: now, zones: zones)?.json ?? .bool(true)
        }
        answers.append(added)
      } else if let id = step["remove"]?.utf8Text {
        answers.append(.bool(queue.remove(id)))
      } else if step["fire"] != nil {
        answers.append(said(queue.fire(now: now, zones: zones)))
      } else if let fix = step["fix"] {
        let place = Fix(
          latitude: fix["latitude"]?.double ?? 0, longitude: fix["longitude"]?.double ?? 0,
          accuracy: fix["accuracy"]?.double ?? 0)
        answers.append(said(queue.moved(to: place, now: now)))
      } else if step["clock"] != nil {
        queue.clockWasSet(by: seconds(step, "clock"), zones: zones)
        answers.append(queue.next.map { JSONValue($0) } ?? .null)
      } else if step["zone"] != nil {
        zone = Self.zone(step, &faults)
        let changed = zone
        queue.zoneChanged { _ in changed }
        answers.append(queue.next.map { JSONValue($0) } ?? .null)
      } else {
        let armed = queue.armed.map { JSONValue.array([.string($0.idText), $0.due.map { JSONValue($0) } ?? .null]) }
        answers.append(
          .object([
            JSONMember("pending", JSONValue(EpochSeconds(queue.count))),
            JSONMember("armed", JSONValue(EpochSeconds(armed.count))),
            JSONMember("soonest", .array(Array(armed.prefix(Int(step["soonest"]?.integer ?? 3))))),
          ]))
      }
    }
    return .array(answers)
  }

  private static func said(_ firings: [PendingQueue.Firing]) -> JSONValue {
    .array(
      firings.map { firing in
        .object([
          JSONMember("id", .string(firing.idText)), JSONMember("due", JSONValue(firing.due)),
          JSONMember("stays", .bool(firing.staysPending)),
        ])
      })
  }
}

extension Response.Kind {
  fileprivate var word: StaticString {
    switch self {
    case .opened: "opened"
    case .dismissed: "dismissed"
    case .action: "action"
    case .text: "text"
    }
  }
}

extension Action {
  /// The action as it came, and what pressing it means.
  fileprivate var meant: JSONValue {
    let meaning = JSONValue.object([
      JSONMember("kind", JSONValue((takesText ? Response.Kind.text : .action).word)),
      JSONMember("opens_app", .bool(opensApp)), JSONMember("needs_authentication", .bool(needsAuthentication)),
      JSONMember("asks_first", .bool(asksFirst)), JSONMember("is_destructive", .bool(isDestructive)),
    ])
    return json.replacing(members: .object([JSONMember("meaning", meaning)]))
  }
}
