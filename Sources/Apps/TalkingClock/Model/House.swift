import Delivery
import Hub
import Store

/// The devices of the house, and whose clock each of them follows.
///
/// A device that belongs to nobody, such as one that `eightbells device create` has made, follows the clock of the
/// owner who came first. All owners see it and may switch it.
struct House {
  /// The owner who came first; nil on a hub without one.
  let keeper: Int?

  init(_ database: Database) throws(StoreError) { keeper = try database.personIDs(with: .manage).first }

  /// The person whose clock a device follows.
  func owner(of device: PushDevice) -> Int? { device.person ?? keeper }

  /// The devices that somebody sees: their own agents and browsers, and for owners the agents of the house.
  static func devices(of person: Int, seesHouse: Bool, in database: Database) throws(StoreError) -> [PushDevice] {
    let own = try database.pushDevices(ofPerson: person).filter { $0.kind == .agent || $0.kind == .browser }
    guard seesHouse else { return own }
    return own + (try agents(in: database))
  }

  /// The agents of nobody.
  static func agents(in database: Database) throws(StoreError) -> [PushDevice] {
    try database.pushDevices(of: .agent).filter { $0.person == nil }
  }

  /// The agents that follow a person's clock.
  func agents(following person: Int, in database: Database) throws(StoreError) -> [PushDevice] {
    let own = try database.pushDevices(ofPerson: person).filter { $0.kind == .agent }
    guard person == keeper else { return own }
    return own + (try Self.agents(in: database))
  }
}

extension PushDevice {
  /// The state of a device that nobody has switched: an agent keeps still, so that no box in the house begins to speak
  /// by itself; an open page may speak.
  var initialState: ClockState { ClockState(isOn: kind == .browser, watchedFrom: createdAt) }
}
