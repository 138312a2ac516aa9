import Client
public import EventLoop
public import Observe
import Realtime
import Server
public import Settings
public import Store
public import Terminal
public import Wire

/// Composes a hub: for `serve`, for the doctor, and for commands beside a hub.
public struct HubSetup: Sendable {
  /// All rooms of the program.
  public let rooms: RoomList
  /// The rooms that are switched on.
  public let on: [any Room.Type]
  public let folder: DataFolder
  public let options: Settings
  /// Networks that the hub may connect to although they are not the public Internet.
  public let reachable: [AddressRange]
  public let publicURL: String?

  public init(
    rooms: RoomList, on: [any Room.Type], folder: DataFolder, options: Settings, reachable: [AddressRange],
    publicURL: String?
  ) {
    self.rooms = rooms
    self.on = on
    self.folder = folder
    self.options = options
    self.reachable = reachable
    self.publicURL = publicURL
  }

  /// Makes the hub and opens its rooms, without starting background tasks.
  /// - Parameters:
  ///   - loops: its event loops; the first is the hub's own.
  ///   - serves: true for the one hub of its data, whose changes have numbers that pages see.
  ///   - bus: what carries messages to other hubs on the same database server.
  ///   - isDemo: true to fill the rooms with demonstration data first.
  public func open(
    _ store: Store, on loops: [EventLoop], log: Log, serves: Bool = false, isDemo: Bool = false,
    bus: any Bus = NoBus()
  ) async throws(CommandError) -> Hub {
    let loop = loops[0]
    // Answers of others are taken on a thread of their own: unpacking one that means harm may take half a second.
    let outside = EventLoop(time: loop.time)
    outside.runInBackground(name: "client")
    let client = HTTPClient(
      loop: outside, userAgent: "Eightbells/\(productVersion)", addresses: .publicInternet(and: reachable))
    let hub = Hub(
      loop: loop, time: loop.time, log: log, store: store, channels: Channels(loops: loops), client: client,
      dataFolder: folder.path, rooms: rooms, options: options, reachable: reachable,
      publicURL: publicURL, loops: loops)
    let isAlone = folder.server == nil
    let number: Int
    do throws(StoreError) {
      if serves { try await hub.numberCommits(isAlone: isAlone) }
      number = isAlone ? 0 : try await hub.newestCommit()
    } catch {
      throw CommandError(storeError: error)
    }
    if isDemo { try await fillDemo(hub) }
    do throws(StoreError) {
      try await hub.open(on)
      if !isAlone { try await hub.join(bus, asOf: number, serves: serves) }
    } catch {
      throw CommandError(storeError: error)
    }
    return hub
  }

  private func fillDemo(_ hub: Hub) async throws(CommandError) {
    do {
      try await DemoPlace.fill(hub)
      for room in on { try await room.fillDemo(hub) }
      try await hub.store.write { database throws(StoreError) in try database.sortAudit() }
    } catch let refusal as DemoRefusal {
      throw CommandError(refusal.message)
    } catch let refusal as HTTPError {
      throw CommandError("The demo cannot be set up: \(refusal.error)")
    } catch {
      throw CommandError("The demo cannot be set up: \(error).")
    }
  }
}

/// The reason why a room's demonstration cannot be set up.
public struct DemoRefusal: Error, Sendable {
  public var message: String
  public init(_ message: String) { self.message = message }
}
