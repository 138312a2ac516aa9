import Foundation
import Space
import Testing
import Wire
import World

struct FollowedTests {
  @Test func `each failure doubles the pause, up to six hours`() {
    var space = FollowedSpace(id: 1, url: "https://a.example/")
    let pauses = (0..<12).map { failures in
      space.failures = failures
      return space.pause
    }
    #expect(pauses[..<4] == [300, 600, 1_200, 2_400])
    #expect(pauses[11] == 21_600)
    space.failures = .max
    #expect(space.pause == 21_600)
  }

  @Test(arguments: 0..<300)
  func `whatever a document holds, what is taken from it is short, shown and openable`(seed: UInt64) throws {
    var dice = SeededGenerator(state: seed)
    func value(_ depth: Int) -> JSON {
      let texts = [
        "", "true", "false", "https://a.example/", "javascript:alert(1)", "<script>", "a\u{1}b\nc", "💥", "14",
        String(repeating: "e\u{301}", count: 3_000), "https://a.example/\"onload=\"x", "1795196400",
      ]
      switch Int.random(in: 0..<(depth > 2 ? 5 : 8), using: &dice) {
      case 0: return .null
      case 1: return .bool(.random(using: &dice))
      case 2: return .int(.random(in: Int.min...Int.max, using: &dice))
      case 3: return .double(.random(in: -1e300...1e300, using: &dice))
      case 4: return .string(texts.randomElement(using: &dice)!)
      case 5: return .array((0..<3).map { _ in value(depth + 1) })
      default:
        let names = [
          "space", "url", "logo", "state", "open", "lastchange", "message", "api", "api_compatibility", "status",
        ]
        return .object(names.filter { _ in Bool.random(using: &dice) }.map { .init($0, value(depth + 1)) })
      }
    }
    var members = value(0).members ?? []
    members.removeAll { $0.name == "space" }
    let isNamed = Bool.random(using: &dice)
    members.append(.init("space", isNamed ? "A space" : value(3)))
    guard let space = try? OtherSpace(JSON.object(members).bytes) else {
      return #expect(!isNamed, "seed \(seed)")
    }
    #expect(!space.name.isEmpty && space.name.count <= 100, "seed \(seed)")
    for text in [space.name, space.message ?? ""] {
      #expect(text.utf8.count <= 8_000, "seed \(seed)")
      #expect(text.unicodeScalars.allSatisfy { $0.value >= 32 }, "seed \(seed)")
    }
    for address in [space.website, space.logo].compactMap({ $0 }) {
      #expect(address.hasPrefix("http") && !address.contains("\""), "seed \(seed)")
    }
    // Storing and reading gives the same.
    let kept = try JSON(parsing: space.json.bytes)
    #expect(kept["name"] == .string(space.name), "seed \(seed)")
  }
}

struct ForeignDocumentTests {
  @Test(arguments: [
    ("\u{FEFF}{\"space\":\"A\",\"state\":{\"open\":true}}", "byte order mark"),
    ("{\"space\":\"A\",\"state\":{\"open\":true,},}", "comma behind"),
    ("{\"space\":\"A\",\"state\":{\"open\":false,\"open\":true}}", "name twice"),
  ])
  func `a document that is not quite JSON is read, and its owner told`(text: String, note: String) throws {
    let space = try OtherSpace(Array(text.utf8))
    #expect(space.name == "A" && space.open == true)
    #expect(space.notes.count == 1 && space.notes[0].contains(note), "\(space.notes)")
  }
}

struct BadgeTests {
  @Test(arguments: [
    "a<b>\"&'", "\u{0}\u{1}\u{fffe}", "</text><script>alert(1)</script>", String(repeating: "W", count: 400), "⚓️ שלום",
  ])
  func `no name leaves its place in the badge`(name: String) {
    for open in [true, false, nil] {
      let svg = Badge.svg(name: name, sign: Sign(open: open), language: .en)
      #expect(svg.components(separatedBy: "<text").count == 3)
      #expect(!svg.contains("<script"))
      #expect(svg.unicodeScalars.allSatisfy { $0.value >= 32 || $0 == "\n" })
      #expect(svg.utf8.count < 3_000)
    }
  }

  @Test(
    arguments: [
      ("de", nil, "de"), (nil, "de-AT,en", "de"), (nil, "fr, de;q=0.5", "de"), (nil, nil, "en"), ("xx", "de", "de"),
      ("EN", "de", "en"), ("", "", "en"),
    ] as [(String?, String?, String)])
  func `the language asked for comes first, then the reader's`(asked: String?, accepted: String?, language: String) {
    #expect(Badge.Language(asked: asked, accepted: accepted).rawValue == language)
  }
}
