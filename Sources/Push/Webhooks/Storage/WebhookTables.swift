public import Store

/// The tables of webhooks; those of `PushTables` come before them.
public enum WebhookTables {
  /// - `webhook_targets` has a row for each device that is a webhook. `notice` is 1 if owners are to be told that it
  ///   fails, and 2 if they were.
  /// - `webhook_hooks` has the incoming ones; of the secret in its address only the digest. A number is never used
  ///   again: it names the sender of notifications. Beside the recipients stands who has made it:
  ///   `{"to": …, "token": 7}`, or `"person": 3`.
  public static let migrations = [
    Migration(
      room: "webhooks", number: 1,
      sql: """
        CREATE TABLE webhook_targets (
          device INTEGER PRIMARY KEY REFERENCES push_devices ON DELETE CASCADE, url TEXT NOT NULL, secret BLOB NOT NULL,
          created_at REAL NOT NULL, failing_since REAL, failure TEXT, ended_at REAL,
          notice INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE webhook_hooks (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, secret BLOB NOT NULL, recipients TEXT NOT NULL,
          template TEXT NOT NULL, created_at REAL NOT NULL, used_at REAL);
        CREATE UNIQUE INDEX webhook_hooks_secret ON webhook_hooks (secret)
        """)
  ]
}
