import Delivery
import EventLoop
import Gateway
import Hub
import Lifecycle
import Observe
import Store
import Synchronization

/// Looks after the devices: what commands beside the hub have written is sent, devices of browsers that are gone are
/// removed, and the readings are kept up to date.
final class BellsWatch: Sendable {
  /// Seconds between two looks.
  private static let lookSeconds = 60.0

  private let hub: Hub
  private let delivery: Delivery
  private let poller: Poller
  private let counts = Mutex(BellsCounts())

  private let gateway: Gateway

  init(_ hub: Hub, _ delivery: Delivery, _ gateway: Gateway) {
    (self.hub, self.delivery, self.gateway) = (hub, delivery, gateway)
    poller = Poller(hub.loop)
  }

  /// A command beside the hub has changed something.
  func wake() { poller.wake() }

  func run() async throws {
    try await poller.run { [self] in
      delivery.timesChanged()
      gateway.lookAgain()
      try await look()
      return Self.lookSeconds
    }
  }

  private func look() async throws {
    let (gone, found) = try await hub.store.read { database throws(StoreError) in
      let devices = try database.pushDevices()
      var gone: [PushDevice] = []
      for device in devices {
        if let browser = device.browser, try !database.isDevice(browser) { gone.append(device) }
      }
      return (gone, try BellsCounts(database, devices))
    }
    counts.withLock { $0 = found }
    guard !gone.isEmpty else { return }
    try await hub.commit(as: .room(BellsRoom.id)) { [delivery] change in
      for device in gone { try BellDevices.remove(device, delivery, in: change) }
    }
  }

  // MARK: Readings

  var readings: [Reading] {
    [
      Reading("devices", help: "Devices that can be rung.") { [self] in count { $0.devices } },
      Reading("connected", help: "Devices that are connected to the gateway.") { [gateway] in Double(gateway.count) },
      Reading("scheduled", help: "Notifications that wait for their time.") { [self] in count { $0.scheduled } },
      Reading("pending", help: "Deliveries that wait for their device, or for another attempt.") { [self] in
        count { $0.pending }
      },
    ]
  }

  private func count(_ read: (BellsCounts) -> Int) -> Double { Double(counts.withLock { read($0) }) }
}

/// How much there is to do.
struct BellsCounts: Sendable {
  var devices = 0
  var scheduled = 0
  var pending = 0

  init() {}

  init(_ database: Database, _ devices: [PushDevice]) throws(StoreError) {
    self.devices = devices.count
    scheduled = try database.scheduledCount()
    pending = try database.pendingCount()
  }
}
