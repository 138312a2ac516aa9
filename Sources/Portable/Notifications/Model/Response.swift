import CivilTime

/// A person's response to a notification (UNNotificationResponse).
public struct Response: Equatable, Sendable {
  public enum Kind: Sendable {
    /// A tap on it.
    case opened
    case dismissed
    /// One of its actions.
    case action
    /// One of its actions that takes text.
    case text
  }

  public let json: JSONValue
  public let kind: Kind
  /// The action of `.action` and `.text`.
  public let action: Action?

  /// Reads {"id", "action", "text", "at"}, an answer to a content with these actions. "default" is a tap, "dismiss" a
  /// dismissal.
  public static func check(_ text: [UInt8], actions: [Action]) -> Result<Response, Refusal> {
    .reading(text) { check($0, actions: actions) }
  }

  static func check(_ json: JSONValue, actions: [Action]) -> Result<Response, Refusal> {
    var faults = Faults()
    guard faults.isObject(json) else { return .failure(faults.refusal) }
    _ = faults.integer(json, Field([], "v"), 1...1)
    _ = faults.text(json, Field([], "id"), 1...NotificationLimits.identifierBytes)
    let id = faults.required(json, Field([], "action"), 1...NotificationLimits.identifierBytes)
    if let at = faults.text(json, Field([], "at"), 1...NotificationLimits.identifierBytes),
      parseTimestamp(utf8: at) == nil
    {
      faults.refuse(Field([], "at"), json["at"], .words("a time such as 2026-11-21T19:00:00Z is accepted"))
    }
    let action = actions.first { $0.idText == id }
    let kind: Kind =
      isEqual(id, "default")
      ? .opened : isEqual(id, "dismiss") ? .dismissed : action?.takesText == true ? .text : .action
    if action == nil, kind == .action, !id.isEmpty {
      faults.refuse(
        Field([], "action"), json["action"],
        .words("default, dismiss or an action of the notification is accepted"))
    }
    if kind == .text {
      _ = faults.required(json, Field([], "text"), 1...NotificationLimits.answerBytes)
    } else if json["text"] != nil {
      faults.refuse(Field([], "text"), json["text"], .words("text is accepted for an action with text_input alone"))
    }
    guard faults.isEmpty else { return .failure(faults.refusal) }
    return .success(Response(json: json, kind: kind, action: action))
  }

  /// The app comes to the front: after a tap, and for an action that says so.
  public var opensApp: Bool { kind == .opened || action?.opensApp == true }
  /// The device has to be unlocked, or its owner confirmed, before the response is passed on.
  public var needsAuthentication: Bool { action?.needsAuthentication == true }

  /// The app is told: of each response but a dismissal, and of that if the category asks for it.
  public func isTold(in category: Category?) -> Bool {
    kind != .dismissed || category?.options.contains(.customDismissAction) == true
  }
}
