import EventLoop
import Hub
import Settings
import Store
import Terminal
import Wire

/// `eightbells people list`.
struct PeopleCommand {
  let rooms: RoomList

  static let verbs = [
    Verb(
      "people list", usage: "--data DIR [--json]", options: [Verb.data, Verb.json],
      summary: "Lists who belongs to the hub, with their role, how many devices they have, and their last visit.")
  ]

  func run(_ words: [String]) throws(CommandError) {
    let (verb, arguments) = try Verb.choose(among: Self.verbs, words, summary: Self.verbs[0].summary)
    let folder = try DataFolder(ofHub: verb.dataPath(arguments))
    let people = try StoreLook.run(folder, rooms) { store throws(StoreError) in try await People.list(in: store) }
    if arguments.has("json") { return print(JSON.array(people).text) }
    if people.isEmpty {
      let link = "eightbells link --data \(folder.path.shellWord) --role owner"
      print("There is nobody yet: `\(link)` lets the first one in.")
    }
    for person in people { print(Layout.plain(line(person))) }
  }

  /// "1  Ada: owner, 2 devices, last seen 2026-11-20 18:40 UTC".
  private func line(_ person: JSON) -> String {
    let count = person["devices"]?.int ?? 0
    let devices = "\(count) \(count == 1 ? "device" : "devices")"
    let seen = StoreLook.time(person["last_seen"]).map { ", last seen \($0)" } ?? ""
    let (name, role) = (person["name"]?.string ?? "", person["role"]?.string ?? "")
    return "\(person["id"]?.string ?? "")  \(name): \(role), \(devices)\(seen)"
  }
}

/// What commands beside a hub do with its store.
enum StoreLook {
  static func run<T: Sendable>(
    _ folder: DataFolder, _ rooms: RoomList, _ work: @escaping @Sendable (Store) async throws(StoreError) -> T
  ) throws(CommandError) -> T {
    try runOnLoop { loop async throws(CommandError) in
      do throws(StoreError) {
        let store = try await folder.openStoreBesideHub(rooms, time: loop.time)
        let answer = try await work(store)
        await store.close()
        return answer
      } catch {
        throw CommandError(storeError: error)
      }
    }
  }

  /// "2026-11-20 18:40 UTC", of a time as the hub tells it.
  static func time(_ json: JSON?) -> String? {
    json?.string.map { "\($0.prefix(16).replacing("T", with: " ")) UTC" }
  }
}
