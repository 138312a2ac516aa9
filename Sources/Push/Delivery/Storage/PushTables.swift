public import Store

/// The tables of notifications. They know nothing of the hub's own tables: numbers of persons and of browsers are the
/// caller's, who tells when one goes.
public enum PushTables {
  public static let migrations = [tables]

  /// - `push_notifications.id` is the time of its submission in microseconds since 1970, or one more than the last: so
  ///   an id is never used again, also not after a backup was restored, and devices can remember what they have shown.
  /// - `push_deliveries` has one row for a notification, a device and a channel. `wanted` is the version that the
  ///   device should have, and `acknowledged` the one that it has shown, removed or failed to show. While that is
  ///   smaller, the delivery is pending, and in the index by which it is found.
  /// - `state` of a delivery: 0 to be shown, 1 to be withdrawn, 2 closed: whatever comes, nothing more is sent.
  private static let tables = Migration(
    room: "push", number: 1,
    sql: """
      CREATE TABLE push_devices (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, person INTEGER, browser INTEGER, zone TEXT,
        channels INTEGER NOT NULL, address TEXT, secret BLOB, token BLOB, created_at REAL NOT NULL,
        seen_at REAL NOT NULL, removed_at REAL);
      CREATE UNIQUE INDEX push_devices_secret ON push_devices (secret) WHERE secret IS NOT NULL;
      CREATE UNIQUE INDEX push_devices_token ON push_devices (token) WHERE token IS NOT NULL;
      CREATE UNIQUE INDEX push_devices_browser ON push_devices (browser)
        WHERE browser IS NOT NULL AND removed_at IS NULL;
      CREATE INDEX push_devices_person ON push_devices (person) WHERE person IS NOT NULL;
      CREATE INDEX push_devices_strangers ON push_devices (address) WHERE kind = 'stranger' AND removed_at IS NULL;
      CREATE INDEX push_devices_removed ON push_devices (removed_at) WHERE removed_at IS NOT NULL;
      CREATE TABLE push_people (
        person INTEGER PRIMARY KEY, quiet_from INTEGER NOT NULL, quiet_to INTEGER NOT NULL, zone TEXT NOT NULL);
      CREATE TABLE push_topics (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, room TEXT, subscribers TEXT NOT NULL, senders TEXT NOT NULL);
      CREATE TABLE push_subscriptions (
        topic TEXT NOT NULL REFERENCES push_topics ON DELETE CASCADE, person INTEGER NOT NULL,
        device INTEGER NOT NULL, PRIMARY KEY (topic, person, device));
      CREATE INDEX push_subscriptions_person ON push_subscriptions (person) WHERE person > 0;
      CREATE INDEX push_subscriptions_device ON push_subscriptions (device) WHERE device > 0;
      CREATE TABLE push_notifications (
        id INTEGER PRIMARY KEY, at REAL NOT NULL, content TEXT NOT NULL, collapse TEXT, expires_at REAL,
        priority INTEGER NOT NULL, version INTEGER NOT NULL, state INTEGER NOT NULL, sender TEXT NOT NULL, room TEXT,
        topic TEXT, acted_at REAL, acted_action TEXT, acted_text TEXT, acted_device INTEGER, acted_person INTEGER);
      CREATE INDEX push_notifications_at ON push_notifications (at);
      CREATE INDEX push_notifications_topic ON push_notifications (topic, at) WHERE topic IS NOT NULL;
      CREATE INDEX push_notifications_end ON push_notifications (expires_at)
        WHERE expires_at IS NOT NULL AND state = 0;
      CREATE TABLE push_deliveries (
        notification INTEGER NOT NULL REFERENCES push_notifications ON DELETE CASCADE, device INTEGER NOT NULL,
        channel INTEGER NOT NULL, priority INTEGER NOT NULL, wanted INTEGER NOT NULL, acknowledged INTEGER NOT NULL,
        state INTEGER NOT NULL, collapse TEXT, reason TEXT, attempts INTEGER NOT NULL, next_at REAL,
        events TEXT NOT NULL, PRIMARY KEY (notification, device, channel));
      CREATE INDEX push_deliveries_pending ON push_deliveries (device, channel, priority, notification)
        WHERE acknowledged < wanted;
      CREATE INDEX push_deliveries_due ON push_deliveries (channel, next_at)
        WHERE acknowledged < wanted AND next_at IS NOT NULL;
      CREATE UNIQUE INDEX push_deliveries_collapse ON push_deliveries (device, channel, collapse)
        WHERE collapse IS NOT NULL;
      CREATE TABLE push_inbox (
        notification INTEGER NOT NULL REFERENCES push_notifications ON DELETE CASCADE, person INTEGER NOT NULL,
        at REAL NOT NULL, state INTEGER NOT NULL, PRIMARY KEY (notification, person));
      CREATE INDEX push_inbox_person ON push_inbox (person, at, notification);
      CREATE INDEX push_inbox_new ON push_inbox (person) WHERE state = 0;
      CREATE TABLE push_scheduled (
        id INTEGER PRIMARY KEY, at REAL NOT NULL, submission TEXT NOT NULL, sender TEXT NOT NULL);
      CREATE INDEX push_scheduled_at ON push_scheduled (at)
      """)
}
