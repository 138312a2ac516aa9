import Notifications
package import Wire

/// The answer that the command of `--exec` gives: the first line of its output is an action, or its whole output is
/// JSON with `action` and perhaps `text`.
package struct Answer: Equatable {
  package var action: String
  package var text: String?

  package init(action: String, text: String? = nil) {
    self.action = action
    self.text = text
  }

  package enum Reading: Equatable {
    case none
    case answer(Answer)
    /// Output that is no answer, such as a player's banner; the reason does not quote it.
    case ignored(String)
  }

  /// - Parameters:
  ///   - content: the notification's, which names its actions, or a category that does.
  ///   - rules: with the categories that the device knows, and whether it is locked.
  package static func read(_ output: [UInt8], of content: JSON, _ rules: DeviceRules) -> Reading {
    let text = String(decoding: output, as: UTF8.self)
    let start = text.drop { $0.isWhitespace }
    if start.isEmpty { return .none }
    var answer: Answer
    if start.hasPrefix("{") {
      guard let json = try? JSON(parsing: String(start)), let action = json["action"]?.string else {
        return .ignored("its answer is no JSON with an action: {\"action\": \"…\", \"text\": \"…\"} is accepted")
      }
      answer = Answer(action: action, text: json["text"]?.string)
    } else {
      let line = start.prefix { !$0.isNewline }
      answer = Answer(action: String(line.reversed().drop { $0.isWhitespace }.reversed()))
    }
    return answer.checked(content, rules)
  }

  private func checked(_ json: JSON, _ rules: DeviceRules) -> Reading {
    let bytes = text?.utf8.count ?? 0
    guard bytes <= NotificationLimits.answerBytes else {
      return .ignored("its text has \(bytes) bytes; at most \(NotificationLimits.answerBytes) are accepted")
    }
    let content = try? Content.check(json.bytes).get()
    let category = content.flatMap(rules.category)
    // The actions of a category that this device does not know, the hub may know.
    let isOpen = content?.category != nil && category == nil && json["actions"] == nil
    if isOpen, isIdentifier { return .answer(self) }
    var members: [JSON.Member] = [.init("action", .string(action))]
    if let text { members.append(.init("text", .string(text))) }
    let actions = content?.actions(of: category) ?? []
    switch Response.check(JSON.object(members).bytes, actions: actions) {
    case .success(let response):
      if response.needsAuthentication, rules.state.isLocked {
        return .ignored("its action is accepted on an unlocked device only, which settings.json says it is not")
      }
      return .answer(self)
    case .failure(let refusal):
      if refusal.faults.contains(where: { $0.field == "action" }) {
        let names = (["default", "dismiss"] + actions.map(\.id)).joined(separator: ", ")
        return .ignored("its answer is none of the notification's actions: \(names) are accepted")
      }
      return .ignored(refusal.faults.map { "its \($0.field): \($0.accepted)" }.joined(separator: "; "))
    }
  }

  private var isIdentifier: Bool {
    (1...NotificationLimits.identifierBytes).contains(action.utf8.count) && action.isAlphanumeric(or: "._-")
  }
}
