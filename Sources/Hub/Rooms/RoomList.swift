import Server
public import Settings
public import Store

/// The rooms of a program, and everything composed from all of them, also from those that are switched off.
public struct RoomList: Sendable {
  public let types: [any Room.Type]
  public let plans: [RoomPlan]

  /// Traps if two rooms share a name, a number or a right.
  public init(_ types: [any Room.Type]) {
    self.types = types
    plans = types.map { $0.plan }
    let errors = ErrorCode.ofServer + ErrorCode.ofHub + plans.flatMap(\.errors)
    precondition(Set(errors).count == errors.count, "two errors have the same number")
    precondition(Set(rights.map(\.id)).count == rights.count, "two rights have the same name")
    let ids = [Hub.roomID] + plans.map(\.id)
    precondition(Set(ids).count == ids.count, "two rooms have the same id")
    precondition(Set(options.map(\.name)).count == options.count, "two options have the same name")
    let views = plans.flatMap(\.views)
    precondition(Set(views.map(\.name)).count == views.count, "two views have the same name")
    let categories = views.flatMap(\.categories)
    precondition(Set(categories).count == categories.count, "two views are for the same category")
    for plan in plans {
      precondition(
        plan.commands.allSatisfy { plan.commandWords.contains($0.firstWord) },
        "a command of \(plan.id) begins otherwise")
    }
    let words = commandWords
    precondition(Set(words).count == words.count, "two rooms have commands with the same first word")
  }

  /// The migrations of the hub and of all rooms, the same for every program that opens the store.
  public var migrations: [Migration] { Hub.migrations + plans.flatMap(\.migrations) }
  /// The first words of the rooms' commands.
  public var commandWords: [String] { plans.filter { !$0.commands.isEmpty }.flatMap(\.commandWords) }
  public var rights: [Right] { Right.ofHub + plans.flatMap(\.rights) }
  /// The rooms' own settings.
  public var options: [Setting] { plans.flatMap(\.options) }

  /// The setting for the rooms that are on: all by default.
  public static let setting = Setting(
    "rooms", "LIST", fallback: "", help: "rooms that are on, by their ids with commas between; all if not given")

  /// The rooms in the setting, in their own order.
  /// - Throws: for a name that no room has.
  public func on(_ values: Settings) throws(SettingsError) -> [any Room.Type] {
    let name = Self.setting.name
    let words = try values.list(name)
    if words.allSatisfy(\.isEmpty) { return types }
    let ids = plans.map(\.id)
    for word in words where !ids.contains(word) {
      let near = suggestion(for: word, among: ids).map { " Did you mean \($0)?" } ?? ""
      throw SettingsError(
        "\(name): \"\(word)\" is no room; one or more of \(ids.joined(separator: ", ")) are accepted.\(near)")
    }
    return types.filter { words.contains($0.plan.id) }
  }
}
