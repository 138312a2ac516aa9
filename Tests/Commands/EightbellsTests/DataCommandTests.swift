import Hub
import HubProgram
import Settings
import Terminal
import Testing

@testable import Eightbells

/// Programs read what commands print.
struct DataCommandTests {
  /// The commands that print no data: they say in a sentence what they did, write a file, or go on until they are
  /// ended.
  static let withoutData: Set = [
    "apple delete", "device delete", "hook delete", "provider delete", "topic delete", "view delete", "webhook delete",
    "key add", "key forget", "key revoke", "push cancel", "portfolio remove", "app export", "portfolio export",
    "voice convert", "voice preview", "clock run", "clock say", "agent key add", "agent key forget", "agent key open",
  ]

  static let verbs = Program(rooms: rooms).verbs + rooms.plans.flatMap(\.commands).map(\.verb)

  @Test func `every command that prints data has --json`() {
    let without = Self.verbs.filter { verb in !verb.options.contains { $0.name == "json" } }
    #expect(Set(without.map(\.name)) == Self.withoutData)
  }

  @Test func `all of the hub's own commands are among them, but for those that run on`() {
    let running: Set = ["serve", "memory", "help"]
    #expect(Set(HubProgram.HelpPage.names) == running.union(Program(rooms: rooms).verbs.map { first(of: $0) }))
    #expect(Self.verbs.count > 60)
  }

  private func first(of verb: Verb) -> String { String(verb.name.prefix { $0 != " " }) }
}
