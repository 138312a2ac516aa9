/// A local notification that is to appear: its id, its content, and its trigger (UNNotificationRequest). Without a
/// trigger it appears at once.
public struct Request: Equatable, Sendable {
  public let json: JSONValue
  public let trigger: Trigger?

  /// Reads {"id", "content", "trigger"}; the refusal has all that is wrong with it.
  public static func check(_ text: [UInt8]) -> Result<Request, Refusal> {
    .reading(text) { check($0) }
  }

  static func check(_ json: JSONValue) -> Result<Request, Refusal> {
    var faults = Faults()
    guard faults.isObject(json) else { return .failure(faults.refusal) }
    _ = faults.integer(json, Field([], "v"), 1...1)
    _ = faults.required(json, Field([], "id"), 1...NotificationLimits.identifierBytes)
    if json["content"] == nil { faults.refuse(Field([], "content"), nil, .words("an object is accepted")) }
    if let content = faults.object(json, Field([], "content")) {
      faults.check(content: content, at: utf8("content."))
    }
    var trigger: Trigger?
    if let object = faults.object(json, Field([], "trigger")) {
      trigger = Trigger(object, at: utf8("trigger."), &faults)
      if case .push? = trigger {
        faults.refuse(
          Field(utf8("trigger."), "type"), object["type"],
          .words("interval, calendar or location is accepted for a local request; push comes from the hub"))
      }
    }
    return faults.isEmpty ? .success(Request(json: json, trigger: trigger)) : .failure(faults.refusal)
  }
}
