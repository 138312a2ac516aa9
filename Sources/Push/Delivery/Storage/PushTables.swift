public import Store

/// The tables of notifications. They know nothing of the hub's own tables: numbers of persons and of browsers are the
/// caller's, who tells when one goes. A group of tables that was added later is numbered by itself.
public enum PushTables {
  public static let migrations = [tables, times, withdrawals, sequence, entry, silent, PlaceTables.migration]

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

  /// - Removed strangers count for the limits, so that the index has them, too.
  /// - `push_deliveries.rung` is the newest version with which the device rings; a later one changes what it shows.
  ///   `rings` counts how often it rang again. `replaces` is 1 if the device may show an older one, in whose place this
  ///   one is to come. A `state` of 3: it was the person's quiet hours when it was sent, and only a later ring goes to
  ///   the device.
  /// - `push_scheduled`: `series` is the row of the rule to which a day belongs, and `looked` the time until which was
  ///   looked for devices whose local time has come; of a rule, the time at which its last day began.
  /// - `push_sends` has the further topics to which a notification was sent, beside its own.
  /// - `push_repeats` has a row for each notification that rings until somebody acts: `done` of `most` rings, and the
  ///   recipients after these.
  private static let times = Migration(
    room: "push", number: 2,
    sql: """
      DROP INDEX push_devices_strangers;
      CREATE INDEX push_devices_strangers ON push_devices (address) WHERE kind = 'stranger';
      ALTER TABLE push_deliveries ADD COLUMN rung INTEGER NOT NULL DEFAULT 1;
      ALTER TABLE push_deliveries ADD COLUMN replaces INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE push_deliveries ADD COLUMN rings INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE push_scheduled ADD COLUMN series INTEGER;
      ALTER TABLE push_scheduled ADD COLUMN looked REAL;
      CREATE INDEX push_scheduled_series ON push_scheduled (series) WHERE series IS NOT NULL;
      CREATE INDEX push_scheduled_sender ON push_scheduled (sender, at) WHERE series IS NULL;
      CREATE INDEX push_notifications_sender ON push_notifications (sender, at);
      CREATE TABLE push_sends (
        notification INTEGER NOT NULL REFERENCES push_notifications ON DELETE CASCADE, topic TEXT NOT NULL,
        at REAL NOT NULL, PRIMARY KEY (notification, topic));
      CREATE INDEX push_sends_topic ON push_sends (topic, at);
      CREATE TABLE push_repeats (
        notification INTEGER PRIMARY KEY REFERENCES push_notifications ON DELETE CASCADE, at REAL NOT NULL,
        every REAL NOT NULL, done INTEGER NOT NULL, most INTEGER NOT NULL, others TEXT NOT NULL);
      CREATE INDEX push_repeats_at ON push_repeats (at)
      """)

  /// The orders to remove something go first where a queue is full.
  private static let withdrawals = Migration(
    room: "push", number: 3,
    sql: """
      CREATE INDEX push_deliveries_withdrawals ON push_deliveries (device, channel, priority, notification)
        WHERE acknowledged < wanted AND state = 1
      """)

  /// What was scheduled has an older id than much that is sent before it.
  /// - `push_deliveries.sequence` is the place of a delivery with a collapse id among all of them, if that is not its
  ///   notification's id: the greater one is the newer one. What is on its way already has the time at which it was
  ///   sent, in the microseconds of ids.
  private static let sequence = Migration(
    room: "push", number: 4,
    sql: """
      ALTER TABLE push_deliveries ADD COLUMN sequence INTEGER;
      CREATE INDEX push_deliveries_sequence ON push_deliveries (sequence) WHERE sequence IS NOT NULL;
      UPDATE push_deliveries SET sequence = (
          SELECT round(n.at * 1000000) FROM push_notifications n WHERE n.id = push_deliveries.notification)
        WHERE collapse IS NOT NULL AND EXISTS (
          SELECT 1 FROM push_notifications n
          WHERE n.id = push_deliveries.notification AND n.at * 1000000 > n.id + 1000000)
      """)

  /// - `push_silent` has the newest silent notifications of each device, and when they were let through. `waits` is 1
  ///   for the one that waits for its turn, and 2 for a wake.
  private static let silent = Migration(
    room: "pushsilent", number: 1,
    sql: """
      CREATE TABLE push_silent (
        notification INTEGER NOT NULL REFERENCES push_notifications ON DELETE CASCADE,
        device INTEGER NOT NULL REFERENCES push_devices ON DELETE CASCADE, at REAL NOT NULL, waits INTEGER NOT NULL,
        PRIMARY KEY (device, notification));
      CREATE INDEX push_silent_notification ON push_silent (notification)
      """)

  /// For senders that name devices by their tokens.
  /// - `push_apps` names the app to which a device's token belongs.
  /// - `push_gone_tokens` has the tokens of removed devices, so that their senders hear since when they are gone.
  /// - `push_notifications.stays` is 1 if its end is that of its delivery only: what is shown by then stays.
  private static let entry = Migration(
    room: "pushentry", number: 1,
    sql: """
      CREATE TABLE push_apps (device INTEGER PRIMARY KEY REFERENCES push_devices ON DELETE CASCADE, app TEXT NOT NULL);
      CREATE TABLE push_gone_tokens (token BLOB PRIMARY KEY, at REAL NOT NULL);
      CREATE INDEX push_gone_tokens_at ON push_gone_tokens (at);
      ALTER TABLE push_notifications ADD COLUMN stays INTEGER NOT NULL DEFAULT 0
      """)
}
