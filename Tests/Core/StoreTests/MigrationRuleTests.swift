import Store
import Testing

/// Changes that a newer program may make to tables while hubs of the version before use them.
struct MigrationRuleTests {
  private func onlyAdds(_ sql: String) -> Bool { Migration(room: "kettle", number: 1, sql: sql).onlyAdds }

  @Test(arguments: [
    "CREATE TABLE teas (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
    "-- Of the kitchen.\nCREATE TABLE cups(id INTEGER);\nCREATE UNIQUE INDEX cups_id ON cups(id)",
    "create index teas_name on teas (name)", "ALTER TABLE teas ADD COLUMN colour TEXT",
    "ALTER TABLE teas ADD COLUMN cups INTEGER NOT NULL DEFAULT 0",
  ])
  func `tables, indexes and columns that rows need not name are added`(sql: String) { #expect(onlyAdds(sql)) }

  @Test(arguments: [
    "DROP TABLE teas", "ALTER TABLE teas RENAME TO leaves", "ALTER TABLE teas DROP COLUMN name",
    "ALTER TABLE teas RENAME COLUMN name TO title", "ALTER TABLE teas ADD COLUMN cups INTEGER NOT NULL",
    "CREATE UNIQUE INDEX teas_name ON teas (name)", "CREATE TABLE cups (id INTEGER); INSERT INTO cups SELECT 1",
    "UPDATE teas SET name = 'green'", "DELETE FROM teas", "CREATE TRIGGER t AFTER INSERT ON teas BEGIN SELECT 1; END",
  ])
  func `what older hubs would miss, or be refused by, is not`(sql: String) { #expect(!onlyAdds(sql)) }

  @Test func `the statements for a server count, where they are others`() {
    let step = Migration(room: "kettle", number: 1, sql: "CREATE TABLE teas (id INTEGER)", onServer: "DROP TABLE teas")
    #expect(!step.onlyAdds)
  }
}
