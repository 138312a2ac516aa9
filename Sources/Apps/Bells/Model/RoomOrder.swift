import Wire

/// An order by which a room of the hub tells an agent's clock or anchor watch something (`SilentBell`): an object under
/// one of these names in the user info of a silent content. An agent obeys whoever sends it, so nobody else may.
enum RoomOrder {
  static let names = ["clock", "anchor"]

  /// The name of the order that an agent would find in a content; nil if there is none.
  static func name(in content: JSON) -> String? {
    guard content["silent"]?.bool == true, let info = content["user_info"] else { return nil }
    return names.first { info[$0]?.members != nil }
  }

  /// The content of another protocol's push: what an agent would obey becomes text, so that the app still gets it.
  static func disarmed(_ content: JSON) -> JSON {
    guard name(in: content) != nil, let info = content["user_info"] else { return content }
    let others = (content.members ?? []).filter { $0.name != "user_info" }
    return .object(others + [.init("user_info", ["payload": .string(info.text)])])
  }
}
