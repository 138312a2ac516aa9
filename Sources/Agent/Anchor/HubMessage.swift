import Wire

/// A silent notification that is a message of the hub to a part of the agent, in its user info.
struct HubMessage {
  var clock: JSON?
  var anchor: JSON?

  /// Nil for all other notifications.
  init?(_ content: JSON) {
    guard content["silent"]?.bool == true, let info = content["user_info"] else { return nil }
    func message(_ name: String) -> JSON? { info[name].flatMap { $0.members == nil ? nil : $0 } }
    (clock, anchor) = (message("clock"), message("anchor"))
    if clock == nil, anchor == nil { return nil }
  }

  var name: String { clock == nil ? "anchor" : "clock" }
}
