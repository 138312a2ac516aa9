import Delivery
import EventLoop
import Gateway
import Hub
import Lifecycle
import Mail
import Store
import Synchronization

/// Looks after the devices: what commands beside the hub have written is sent, devices of browsers that are gone are
/// removed, removed devices are sent away, owners are told of what needs them, and the readings are kept up to date.
final class BellsWatch: Sendable {
  /// Seconds between two looks.
  private static let lookSeconds = 60.0

  private let hub: Hub
  private let delivery: Delivery
  private let poller: Poller
  private let commandHasEnded = Atomic(false)
  private let counts = Mutex(BellsCounts())
  private let gateway: Gateway
  private let notices: WebhookNotices
  private let credentials: CredentialNotices
  private let disk: DiskNotice
  private let mail: MailNotice
  private let mails: MailChannel?

  /// - Parameter mails: nil without a mail server.
  init(_ sender: BellSender, _ gateway: Gateway, _ mails: MailChannel?) {
    (hub, delivery, self.gateway, self.mails) = (sender.hub, sender.delivery, gateway, mails)
    notices = WebhookNotices(sender: sender)
    credentials = CredentialNotices(sender: sender)
    disk = DiskNotice(sender: sender)
    mail = MailNotice(sender: sender)
    poller = Poller(hub.loop)
  }

  /// To be called when a command beside the hub has changed something.
  func wake() {
    commandHasEnded.store(true, ordering: .relaxed)
    poller.wake()
  }

  func run() async throws {
    try await poller.run { [self] in
      delivery.timesChanged()
      gateway.lookAgain()
      try await look()
      if commandHasEnded.exchange(false, ordering: .relaxed) { try await readPlaces() }
      try await notices.tell()
      try await credentials.tell()
      try await disk.tell(free: hub.freeBytes)
      try await mail.tell(mails?.silence)
      return Self.lookSeconds
    }
  }

  private func look() async throws {
    // Before the store is asked: whoever connects later is there, too.
    let connected = gateway.devices
    let now = hub.time.now
    let (gone, found, present, outdated) = try await hub.store.read { database throws(StoreError) in
      let devices = try database.pushDevices()
      var gone: [PushDevice] = []
      for device in devices {
        if let browser = device.browser, try !database.isDevice(browser) { gone.append(device) }
      }
      return (
        gone, try BellsCounts(database, devices), Set(devices.map(\.id)), try database.outdatedAttachments(now: now)
      )
    }
    counts.withLock { $0 = found }
    // A command beside the hub has removed them.
    delivery.removed(connected.filter { !present.contains($0) })
    guard !gone.isEmpty || !outdated.isEmpty else { return }
    try await hub.commit(as: .room(BellsRoom.id)) { [delivery] change in
      for (name, isAwaited) in outdated {
        if isAwaited {
          // It is asked about again then.
          try change.database.keep(attachment: name, until: change.now + BellsLimits.attachmentWaits)
        } else {
          try change.database.remove(attachment: name, outdatedAt: now)
        }
      }
      for device in gone { try BellDevices.remove(device, delivery, in: change) }
    }
  }

  /// On the writer's thread, so that nothing that is sent meanwhile is missed.
  private func readPlaces() async throws {
    try await hub.commit(as: .room(BellsRoom.id)) { [places = notices.sender.places] change in
      let placed = try change.database.placedNotifications()
      change.then { places.set(placed) }
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

/// The numbers behind the room's readings: devices, scheduled notifications and pending deliveries.
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
