import CivilTime
import Delivery
import Hub
import Lifecycle
import SpeakingClock
import Store

/// A day of a clock in the kitchen, for those who look at a demonstration.
enum ClockDemo {
  /// Nobody stands in a demonstration's kitchen, so nobody misses the voice: reports are awaited in a hundred years.
  private static let unwatched = 100 * 365 * 86_400.0

  /// Does nothing if there are agents or clocks already.
  static func fill(_ hub: Hub) async throws {
    let now = hub.time.now
    try await hub.store.write { database throws(StoreError) in
      guard try database.clockStates().isEmpty, try database.pushDevices(of: .agent).isEmpty else { return }
      let zone = try database.place()?.zone ?? .utc
      let club = try DemoClub(database)
      let name = club("Kitchen", german: "Küche")
      let clock = club.isGerman ? PersonClock.german : PersonClock()
      try database.save(clock, ofPerson: 0)
      var device = PushDevice(name: name, kind: .agent, zone: zone.name, channels: [.gateway], createdAt: now - 86_400)
      device.seenAt = now
      guard let id = try database.addPushDevice(device) else { return }
      var state = ClockState(isOn: true, watchedFrom: now + unwatched)
      let said = clock.settings.announcements(
        from: Int(now) - 86_400, before: Int(now), offset: zone.offset(at:))
      for (number, one) in said.enumerated() {
        // The same each time, so that pictures of it stay comparable: a little late, now and then more.
        let late = 3 + number * 7 % 9 + (number % 31 == 17 ? 60 : 0)
        let own = number % 24 == 5
        if !own { try database.noteWake(ofDevice: id, at: one.at, lead: number < 8 ? 15 : 5) }
        let announced = Announced(at: one.at, what: .spoke, lateness: late, cause: own ? .own : .push)
        _ = try database.note(announced, ofDevice: id)
        (state.last, state.heardAt) = (announced, one.at)
      }
      try database.save(state, ofDevice: id)
    }
  }
}
