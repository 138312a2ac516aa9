import Store

/// Has no person, device or token get the number of one that is gone: notifications, uploads and more are kept under
/// it. New ones begin above all that may have been given; PostgreSQL has never given one twice.
enum IdentityNumbers {
  static let migration = Migration(
    room: "hub", number: 13,
    sql: """
      -- Each number above the last one is that of a removed row, of which the audit knows.
      INSERT INTO store_numbers (name, last)
        SELECT 'people', coalesce(max(id), 0) + (SELECT count(*) FROM audit WHERE what = 'person.removed')
        FROM (SELECT max(id) AS id FROM people UNION ALL SELECT max(person) FROM audit) AS known;
      INSERT INTO store_numbers (name, last)
        SELECT 'tokens', coalesce(max(id), 0) + (SELECT count(*) FROM audit WHERE what = 'token.revoked') FROM tokens;
      -- Many of these end without an entry, but none begins without one.
      INSERT INTO store_numbers (name, last)
        SELECT 'devices', coalesce(max(id), 0) + (SELECT count(*) FROM audit WHERE what = 'device.added') FROM devices
      """, onServer: "")
}
