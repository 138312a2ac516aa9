import CWebFiles
import Wire

/// A room's page, with the data that bin/pack-web took from `Web/room.js`. It is served at "/" and the room's id; that
/// of the front room also at "/".
public struct RoomPage: Sendable {
  public let id: String
  /// A line about it, for those who are offered to install the page.
  public let about: String
  /// True if it has a part of the owner's form, at /settings/ID.
  public let hasSettings: Bool

  /// Its name and the line about it in German.
  public let german: (name: String, about: String)
  /// Its name in English.
  public let name: String
  /// Its page for pictures that a phone's share sheet hands over.
  public let share: String?
  /// True if only those with a right of its own see it.
  public let isForFew: Bool

  /// All pages in this program, in the default order of the rooms.
  public static let all = (0..<webfiles_room_count).map { index in
    let room = webfiles_rooms[index]
    let share = String(cString: room.share)
    return RoomPage(
      id: String(cString: room.id), about: String(cString: room.about), hasSettings: room.has_settings != 0,
      german: (String(cString: room.name_german), String(cString: room.about_german)),
      name: String(cString: room.name), share: share.isEmpty ? nil : share, isForFew: room.is_for_few != 0)
  }

  var path: String { "/\(id)" }

  /// A page, or the service worker, without the lines that bin/pack-web added for rooms that are switched off; it gets
  /// a list of these rooms.
  static func without(_ off: [String], _ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      !off.contains { line.contains(" data-of=\"\($0)\"") }
    }
    return lines.map { line in
      if line.hasPrefix("<html ") { return "<html data-off=\"\(off.joined(separator: " "))\" \(line.dropFirst(6))" }
      if line == "const OFF = [];" { return "const OFF = \(JSON.array(off.map(JSON.string)).text);" }
      return String(line)
    }.joined(separator: "\n")
  }

  /// A page that names the rooms that are shown, for browsers that do not know the owner's choice yet.
  static func showing(_ shown: [String], _ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { line in
      line.hasPrefix("<html ") ? "<html data-rooms=\"\(shown.joined(separator: " "))\" \(line.dropFirst(6))" : line
    }.joined(separator: "\n")
  }
}
