import CivilTime
import Foundation
import Lifecycle
import SpeakingClock
import Testing
import Wire

/// The vectors of Tests/Fixtures/clock, which the page's WebAssembly answers too (Tests/Web/clock.test.mjs).
struct VectorTests {
  private func vectors(_ file: String) throws -> [JSON] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try #require(JSON(parsing: Array(Data(contentsOf: folder.appending(path: "Fixtures/clock/\(file)")))).array)
  }

  private func minute(_ text: String?) -> Int {
    let parts = (text ?? "").split(separator: ":").compactMap { Int($0) }
    return parts[0] * 60 + parts[1]
  }

  private func settings(_ json: JSON) -> ClockSettings {
    var settings = ClockSettings()
    if let every = json["every"]?.int { settings.every = every }
    settings.isTwentyFourHours = json["hours"]?.int == 24
    settings.saysOClock = json["oclock"] == .bool(true)
    if let text = json["language"]?.string { settings.language = .init(rawValue: text)! }
    if let text = json["quarters"]?.string { settings.quarters = .init(rawValue: text)! }
    if let text = json["strokes"]?.string { settings.strokes = .init(rawValue: text)! }
    if let text = json["style"]?.string { settings.style = .init(rawValue: text)! }
    if let quiet = json["quiet"] {
      settings.quiet = QuietHours(from: minute(quiet["from"]?.string), to: minute(quiet["to"]?.string))
    }
    return settings
  }

  @Test func `the rules announce as the vectors say`() throws {
    let all = try vectors("announcements.json")
    #expect(all.count > 20)
    for vector in all {
      let zone = try systemZone(try #require(vector["zone"]?.string))
      let after = EpochSeconds(try #require(vector["after"]?.int))
      let next = settings(vector["settings"] ?? .null).next(after: after, offset: zone.offset(at:))
      #expect(next.map { Int($0.at) } == vector["at"]?.int, "\(vector.text)")
      let parts: [String] = (next?.parts ?? []).map { $0.name }
      let expected: [String] = (vector["parts"]?.array ?? []).compactMap { $0.string }
      #expect(parts == expected, "\(vector.text)")
    }
  }

  @Test func `ship's bells are as the vectors say`() throws {
    let all = try vectors("bells.json")
    #expect(all.count > 10)
    for vector in all {
      let minute = try #require(vector["minute"]?.int)
      #expect(shipsBellCount(at: minute) == vector["count"]?.int, "\(vector.text)")
      #expect(Watch(at: minute).rawValue == vector["watch"]?.int, "\(vector.text)")
    }
  }
}
