import Hub
import Realtime
import Store
import Wire

/// The space's part of the hub's settings.
struct SpaceSettingsPart: SettingsPart {
  let board: Board
  let fields = SpaceSettings.fields

  /// The fields of the place and of the space, in the order that clients know from the time when one room had them all.
  static let order = [
    "name", "logo", "url", "color", "address", "lat", "lon", "timezone", "contact", "opening_hours",
  ]

  func kept(in database: Database) throws(StoreError) -> [JSON.Member]? {
    try (database.spaceSettings() ?? SpaceSettings()).members
  }

  func read(_ check: inout FieldCheck) -> SettingsDraft? {
    let settings = SpaceSettings(&check)
    return SettingsDraft(settings.members) { [board] change in
      try change.database.save(settings: settings)
      change.database.touch(.spaceSettings)
      let number = change.number
      change.then { board.set(settings, commit: number) }
      change.publish(SpaceChannel.settings, on: SpaceChannel.channel, [:])
    }
  }
}
