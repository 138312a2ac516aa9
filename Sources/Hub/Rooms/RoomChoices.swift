import Server
public import Store
import Synchronization
import Wire

/// The choice of rooms, kept in memory, since every request for "/" needs it.
final class RoomChoices: Sendable {
  private struct State {
    var kept: RoomChoice?
    /// The number of the last change that it includes.
    var commit = 0
  }
  private let state = Mutex(State())

  var kept: RoomChoice? { state.withLock { $0.kept } }

  /// Ignores a choice older than the current one.
  func set(_ choice: RoomChoice?, commit: Int) {
    state.withLock { state in
      guard commit >= state.commit else { return }
      state = State(kept: choice, commit: commit)
    }
  }
}

/// The channel with changes of the hub itself that everybody may know.
public enum HubChannel {
  public static let channel = Channel("hub")
  /// Other rooms are shown, or another one is the front room.
  public static let rooms = "rooms"
}

extension Hub {
  /// The pages of the rooms that are on.
  public var roomPages: [RoomPage] {
    let off = roomsOff
    return RoomPage.all.filter { !off.contains($0.id) }
  }

  /// The current choice.
  public var roomChoice: RoomChoice { RoomChoice.among(roomPages.map(\.id), kept: roomChoices.kept) }

  /// The rooms that are shown, the front room first; nil if no room is hidden.
  var roomsIfSomeAreHidden: [String]? {
    let choice = roomChoice
    guard choice.shown.count < roomPages.count else { return nil }
    return [choice.front] + choice.shown.filter { $0 != choice.front }
  }

  /// Reads the choice from the store.
  func readRoomChoice() async throws(StoreError) {
    let commit = commits.number
    let kept = try await store.read { database throws(StoreError) in try database.roomChoice() }
    roomChoices.set(kept, commit: commit)
  }

  /// Shows a room in which something was made: if the owner's choice hides it, it is added after the others.
  public func show(_ room: String, in change: Change) throws(StoreError) {
    // Nearly always it is shown already, and nothing has to be read.
    guard roomChoices.kept.map({ !$0.shown.contains(room) }) ?? false, roomPages.contains(where: { $0.id == room }),
      var choice = try change.database.roomChoice(), !choice.shown.contains(room)
    else { return }
    choice.shown.append(room)
    try save(choice, "rooms.shown", about: room, in: change)
  }

  private func save(_ choice: RoomChoice, _ what: String, about: String? = nil, in change: Change) throws(StoreError) {
    try change.database.save(choice)
    try change.audit(what, about: about)
    change.database.touch(.rooms)
    let (choices, number) = (roomChoices, change.number)
    change.then { choices.set(choice, commit: number) }
    change.publish(HubChannel.rooms, on: HubChannel.channel, [:])
  }

  // MARK: Routes

  /// Serves the choice of rooms, which owners can change.
  func addRoomRoutes(to router: inout Router) {
    router.on(.get, "/api/v1/rooms", .task(tellRooms))
    router.on(.put, "/api/v1/rooms", admit: needs(.manage), .task(chooseRooms))
  }

  private func tellRooms(_ request: Request) async throws(HTTPError) -> Response {
    // From the store, since a command beside the hub may have made something in a hidden room.
    try await stored { () throws(StoreError) in try await readRoomChoice() }
    let isOwner = await visitor(request)?.may(.manage) ?? false
    return answer(roomChoice, isOwner: isOwner)
  }

  private func chooseRooms(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await authorise(request, .manage)
    let rooms = roomPages.map(\.id)
    let choice = try RoomChoice(try request.json(), of: rooms)
    try await commit(as: principal) { [self] change in
      let before = try change.database.roomChoice()
      let kept = RoomChoice.among(rooms, kept: before)
      try request.demand(unchanged: answer(kept, isOwner: true).etag, "the rooms", now: change.now)
      var wanted = choice
      // Nobody has hidden a room that is switched off for now; where nobody has chosen, all are shown.
      wanted.shown += (before?.shown ?? RoomPage.all.map(\.id)).filter { !rooms.contains($0) }
      try save(wanted, "rooms.chosen", in: change)
    }
    return answer(choice, isOwner: true)
  }

  private func answer(_ choice: RoomChoice, isOwner: Bool) -> Response {
    let hidden = isOwner ? roomPages.map(\.id).filter { !choice.shown.contains($0) } : nil
    let json = choice.json(hidden: hidden)
    return Response(
      json: json, etag: Response.etag(of: json.bytes), fields: [Response.Field("Vary", "Cookie, Authorization")])
  }
}
