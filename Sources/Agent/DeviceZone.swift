import CivilTime
import Lifecycle
import Notifications

/// The zone that the machine's clock shows, which is another one after a journey, and those that triggers name.
struct DeviceZone {
  private var machine: MachineZone { MachineZone() }

  var name: String { machine.name }

  /// The zone that a trigger names, or the machine's for nil; nil for a name that nobody knows.
  func zone(_ name: ZoneName?) -> Zone? {
    guard let name else { return machine.zone }
    return try? systemZone(name.text)
  }
}
