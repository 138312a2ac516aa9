import Server
import Wire

/// The rooms that the hub shows, in the owner's order, and the front room at "/". A hidden room works like the others,
/// but is not in the navigation, and has no parts on their pages.
public struct RoomChoice: Equatable, Sendable {
  public var shown: [String]
  public var front: String
  /// True once an owner has chosen; before, all rooms are shown.
  public var isChosen: Bool

  package init(shown: [String], front: String, isChosen: Bool = true) {
    self.shown = shown
    self.front = front
    self.isChosen = isChosen
  }

  /// Checks an owner's choice.
  /// - Parameter rooms: the ids of the existing rooms.
  /// - Throws: 400 unless it lists one or more of these, each once, with the front room among them.
  init(_ json: JSON, of rooms: [String]) throws(HTTPError) {
    let help = "Example: {\"rooms\": [\"\(rooms.joined(separator: "\", \""))\"], \"front\": \"\(rooms.first ?? "")\"}"
    func refusal(_ field: String, _ seen: String, _ accepted: String) -> HTTPError {
      HTTPError(.invalidField, "\(field): \(seen); \(accepted)", help: help)
    }
    guard let members = json.members else { throw refusal("body", json.kind, "an object is accepted.") }
    if let member = members.first(where: { $0.name != "rooms" && $0.name != "front" }) {
      throw refusal(member.name, "unknown", "rooms and front are accepted.")
    }
    let list = "a list of one or more of \(rooms.joined(separator: ", ")), each once, is accepted."
    guard let entries = json["rooms"]?.array else {
      throw refusal("rooms", json["rooms"]?.kind ?? "missing", list)
    }
    let shown = entries.compactMap(\.string)
    guard !entries.isEmpty, entries.count <= rooms.count, shown.count == entries.count,
      Set(shown).count == shown.count, shown.allSatisfy(rooms.contains)
    else { throw refusal("rooms", String(json["rooms"]?.text.prefix(200) ?? ""), list) }
    guard let front = json["front"]?.string, shown.contains(front) else {
      let seen = json["front"].map { $0.string.map { "\"\($0.prefix(40))\"" } ?? $0.kind } ?? "missing"
      throw refusal("front", seen, "one of the rooms that are shown is accepted.")
    }
    self.init(shown: shown, front: front)
  }

  /// The choice applied to the existing rooms: a chosen one may be switched off, or belong to another version. If none
  /// of those chosen is left, or nobody has chosen, all are shown and the first is the front room.
  package static func among(_ rooms: [String], kept: RoomChoice?) -> RoomChoice {
    let shown = kept?.shown.filter(rooms.contains) ?? []
    guard let kept, let first = shown.first else {
      return RoomChoice(shown: rooms, front: rooms.first ?? "", isChosen: kept != nil)
    }
    return RoomChoice(shown: shown, front: shown.contains(kept.front) ? kept.front : first)
  }

  /// - Parameter hidden: the hidden rooms; nil for callers who may not know them.
  func json(hidden: [String]?) -> JSON {
    var members: [JSON.Member] = [
      .init("rooms", .array(shown.map(JSON.string))), .init("front", .string(front)),
      .init("chosen", .bool(isChosen)),
    ]
    if let hidden { members.append(.init("hidden", .array(hidden.map(JSON.string)))) }
    return .object(members)
  }
}
