import EventLoop
import Hub
import Observe
import Server
import Settings
import Store
import Terminal

/// The commands of rooms: `eightbells ROOM VERB`, or with another of the room's first words.
struct RoomCommands {
  let rooms: RoomList

  /// - Parameter word: the command's first word.
  func run(_ plan: RoomPlan, _ word: String, _ words: [String]) throws(CommandError) {
    let commands = plan.commands.filter { $0.firstWord == word }
    let (verb, arguments) = try Verb.choose(among: commands.map(\.verb), words, summary: plan.summary)
    guard let command = commands.first(where: { $0.verb.name == verb.name }) else { return }
    switch command.work {
    case .alone(let work): try run(work, arguments)
    case .onData(let work): try run(work, verb, arguments, of: plan)
    case .either(let onData, let alone):
      if try verb.worksOnData(arguments) {
        try run(onData, verb, arguments, of: plan)
      } else {
        try run(alone, arguments)
      }
    }
  }

  private func run(
    _ work: @escaping @Sendable (EventLoop, Arguments) async throws(CommandError) -> Void, _ arguments: Arguments
  ) throws(CommandError) {
    try runOnLoop { loop async throws(CommandError) in try await work(loop, arguments) }
  }

  private func run(
    _ work: @escaping @Sendable (Hub, Arguments) async throws -> Void, _ verb: Verb, _ arguments: Arguments,
    of plan: RoomPlan
  ) throws(CommandError) {
    let folder = try DataFolder(ofHub: verb.dataPath(arguments))
    let setup = try setup(folder)
    guard setup.on.contains(where: { $0.plan.id == plan.id }) else {
      throw CommandError(
        "\(plan.name) is switched off: `\(RoomList.setting.name)` in \(folder.path)/eightbells.conf, or the "
          + "variable \(RoomList.setting.variable), leaves it out.")
    }
    try runOnLoop { loop async throws(CommandError) in
      let hub = try await open(setup, on: loop)
      do {
        try await work(hub, arguments)
      } catch let error as CommandError {
        throw error
      } catch let refusal as HTTPError {
        throw CommandError(Layout.plain(refusal.error))
      } catch let error as StoreError {
        throw CommandError(storeError: error)
      } catch {
        throw CommandError("\(error)")
      }
      await hub.store.close()
      folder.knock()
    }
  }

  /// The hub as it would be started by the environment and the file, since the options of `serve` are unknown here.
  private func setup(_ folder: DataFolder) throws(CommandError) -> HubSetup {
    let text = try DataFolder.configurationText(in: folder.path)
    do throws(SettingsError) {
      let values = try ServeSettings.values(rooms, Arguments([], accepted: []), file: text)
      return try ServePlan(values, rooms).setup(folder)
    } catch {
      throw CommandError(usage: error.message)
    }
  }

  private func open(_ setup: HubSetup, on loop: EventLoop) async throws(CommandError) -> Hub {
    let store: Store
    do throws(StoreError) {
      store = try await setup.folder.openStoreBesideHub(rooms, time: loop.time)
    } catch {
      throw CommandError(storeError: error)
    }
    return try await setup.open(store, on: [loop], log: Log(time: loop.time, threshold: .warning))
  }
}
