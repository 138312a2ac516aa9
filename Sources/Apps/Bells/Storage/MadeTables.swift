import Delivery
import Hub
import Store
import Webhooks

/// Records on which signed-in device an agent, a webhook or a hook was made. Each has a secret or an address of its
/// own, by which whoever has a lost device would be rung, or ring, for ever: they end with it. So do webhooks and hooks
/// with the token, or the owner, that made them.
enum MadeTables {
  static let migration = Migration(
    room: "bellsmade", number: 1,
    sql: """
      -- Agents and webhooks. A device that was signed out as given away says nothing any more.
      CREATE TABLE bells_made_devices (
        rung INTEGER PRIMARY KEY REFERENCES push_devices (id) ON DELETE CASCADE,
        device INTEGER NOT NULL REFERENCES devices (id) ON DELETE CASCADE
      );
      CREATE INDEX bells_made_devices_device ON bells_made_devices (device);
      CREATE TABLE bells_made_hooks (
        hook INTEGER PRIMARY KEY REFERENCES webhook_hooks (id) ON DELETE CASCADE,
        device INTEGER NOT NULL REFERENCES devices (id) ON DELETE CASCADE
      );
      CREATE INDEX bells_made_hooks_device ON bells_made_hooks (device)
      """)

  static let belongings = [
    DeviceBelonging(
      name: "agents",
      isThere: { database, device throws(StoreError) in try !database.made(.agent, on: device).isEmpty },
      end: { change, device throws(StoreError) in
        for agent in try change.database.made(.agent, on: device) {
          try change.database.removePushDevice(agent.id, now: change.now)
          try change.audit("bell.device-removed", about: agent.name)
        }
      }),
    DeviceBelonging(
      name: "webhooks",
      isThere: { database, device throws(StoreError) in try !database.made(.webhook, on: device).isEmpty },
      end: { change, device throws(StoreError) in
        try MadeTables.end(try change.database.made(.webhook, on: device), in: change)
      },
      endWithToken: { change, token throws(StoreError) in
        try MadeTables.end(try change.database.webhooks(madeBy: "token \(token)"), in: change)
      }),
    DeviceBelonging(
      name: "hooks",
      isThere: { database, device throws(StoreError) in try !database.hooks(madeOn: device).isEmpty },
      end: { change, device throws(StoreError) in
        try MadeTables.end(try change.database.hooks(madeOn: device), in: change)
      },
      endWithToken: { change, token throws(StoreError) in
        try MadeTables.end(try change.database.hooks(madeBy: "token \(token)"), in: change)
      }),
  ]

  private static func end(_ webhooks: [PushDevice], in change: Change) throws(StoreError) {
    for webhook in webhooks {
      _ = try change.database.removeWebhook(webhook.id, now: change.now)
      try change.audit("bell.webhook-removed", about: webhook.name)
    }
  }

  private static func end(_ hooks: [IncomingHook], in change: Change) throws(StoreError) {
    for hook in hooks {
      _ = try change.database.removeHook(hook.id)
      try change.audit("bell.hook-removed", about: hook.name)
    }
  }

  /// Ends the webhooks and hooks that a former owner has made, as their tokens end.
  static func endHooks(ofPerson person: Int, in change: Change) throws(StoreError) {
    try end(try change.database.webhooks(madeBy: "person \(person)"), in: change)
    try end(try change.database.hooks(madeBy: "person \(person)"), in: change)
    // Versions before 1.1.6 noted the device alone, which may have been signed out since.
    let devices = try change.database.rows("SELECT id FROM devices WHERE person = ?", .int(person)) { $0.int(0) }
    for device in devices {
      try end(try change.database.made(.webhook, on: device), in: change)
      try end(try change.database.hooks(madeOn: device), in: change)
    }
  }
}

extension Database {
  /// Records on which signed-in device the secret of an agent or a webhook was shown; nil for on none.
  func note(rung id: Int, madeOn device: Int?) throws(StoreError) {
    try run("DELETE FROM bells_made_devices WHERE rung = ?", .int(id))
    guard let device else { return }
    try run("INSERT INTO bells_made_devices (rung, device) VALUES (?, ?)", .int(id), .int(device))
  }

  /// The same of a new hook.
  func note(hook id: Int, madeOn device: Int?) throws(StoreError) {
    guard let device else { return }
    try run("INSERT INTO bells_made_hooks (hook, device) VALUES (?, ?)", .int(id), .int(device))
  }

  /// The agents or webhooks that were made on a signed-in device and are not removed.
  fileprivate func made(_ kind: PushDevice.Kind, on device: Int) throws(StoreError) -> [PushDevice] {
    var made: [PushDevice] = []
    let ids = try rows("SELECT rung FROM bells_made_devices WHERE device = ? ORDER BY rung", .int(device)) { $0.int(0) }
    for id in ids {
      if let one = try pushDevice(id), one.kind == kind { made.append(one) }
    }
    return made
  }

  fileprivate func hooks(madeBy maker: String) throws(StoreError) -> [IncomingHook] {
    try hooks().filter { $0.maker == maker }
  }

  fileprivate func hooks(madeOn device: Int) throws(StoreError) -> [IncomingHook] {
    var made: [IncomingHook] = []
    let ids = try rows("SELECT hook FROM bells_made_hooks WHERE device = ? ORDER BY hook", .int(device)) { $0.int(0) }
    for id in ids {
      if let one = try hook(id) { made.append(one) }
    }
    return made
  }

  /// The devices that were removed in this very change.
  func pushDevices(removedAt now: Double) throws(StoreError) -> [Int] {
    try rows("SELECT id FROM push_devices WHERE removed_at = ?", .double(now)) { $0.int(0) }
  }
}
