import CWebFiles
import Wire

/// A room's page, with the data that bin/pack-web took from `Web/room.js`. It is served at "/" and the room's id; that
/// of the front room also at "/".
public struct RoomPage: Equatable, Sendable {
  public let id: String
  /// A line about it, for those who are offered to install the page.
  public let about: String

  public init(id: String, about: String) {
    self.id = id
    self.about = about
  }

  /// All pages in this program, in the default order of the rooms.
  public static let all = (0..<webfiles_room_count).map { index in
    RoomPage(id: String(cString: webfiles_rooms[index].id), about: String(cString: webfiles_rooms[index].about))
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
}
