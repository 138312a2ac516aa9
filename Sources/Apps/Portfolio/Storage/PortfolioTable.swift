import Hub
import Store
import Wire

/// The rows of portfolios.
extension Database {
  private static let selectPortfolios = """
    SELECT id, address, person, name, position, source, credentials, synced_at, next_at, is_open, fault, is_waiting,
      may_lose, is_owners FROM portfolio_portfolios WHERE deleted_at IS NULL
    """

  private static func portfolio(_ row: Row) -> Portfolio {
    var portfolio = Portfolio(
      address: row.text(1), person: row.optionalInt(2), name: row.text(3),
      source: SourceName(row.text(5)) ?? SourceName(.folder, row.text(5)))
    (portfolio.id, portfolio.position) = (row.int(0), row.int(4))
    portfolio.credentials = SourceCredentials(kept: row.text(6))
    (portfolio.syncedAt, portfolio.nextAt) = (row.optionalDouble(7), row.optionalDouble(8))
    portfolio.isOpen = row.bool(9)
    portfolio.fault = row.optionalText(10).map { Reason(kept: $0) }
    (portfolio.isWaiting, portfolio.mayLose) = (row.bool(11), row.bool(12))
    portfolio.isOwners = row.bool(13)
    return portfolio
  }

  /// The portfolio with an id of addresses; nil if there is none.
  func portfolio(_ address: String) throws(StoreError) -> Portfolio? {
    try first("\(Self.selectPortfolios) AND address = ?", .text(address), read: Self.portfolio)
  }

  func portfolio(key: Int) throws(StoreError) -> Portfolio? {
    try first("\(Self.selectPortfolios) AND id = ?", .int(key), read: Self.portfolio)
  }

  /// All portfolios, in their owners' order.
  func portfolios() throws(StoreError) -> [Portfolio] {
    try rows("\(Self.selectPortfolios) ORDER BY position, id", read: Self.portfolio)
  }

  func add(_ portfolio: Portfolio, now: Double) throws(StoreError) -> Int {
    try inserted(
      """
      INSERT INTO portfolio_portfolios (address, person, is_owners, name, position, source, credentials, made_at,
        next_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
      """, .text(portfolio.address), Value(portfolio.person), Value(portfolio.isOwners), .text(portfolio.name),
      .int(portfolio.position), .text(portfolio.source.text), .text(portfolio.credentials.kept), .double(now),
      Value(portfolio.nextAt))
  }

  func save(_ portfolio: Portfolio) throws(StoreError) {
    try run(
      """
      UPDATE portfolio_portfolios SET name = ?, position = ?, credentials = ?, synced_at = ?, next_at = ?, is_open = ?,
        fault = ?, is_waiting = ?, may_lose = ? WHERE id = ?
      """, .text(portfolio.name), .int(portfolio.position), .text(portfolio.credentials.kept),
      Value(portfolio.syncedAt), Value(portfolio.nextAt), Value(portfolio.isOpen), Value(portfolio.fault?.kept),
      Value(portfolio.isWaiting), Value(portfolio.mayLose), .int(portfolio.id))
  }

  /// Begins a sync. - Returns: its number.
  func beginRun(of portfolio: Int) throws(StoreError) -> Int {
    try number(
      """
      UPDATE portfolio_portfolios SET run = run + 1, is_open = 1, is_waiting = 0, next_at = NULL WHERE id = ?
      RETURNING run
      """, .int(portfolio))
  }

  /// True if another sync has begun since the one with this number.
  func isOvertaken(run: Int, of portfolio: Int) throws(StoreError) -> Bool {
    try hasRow("SELECT 1 FROM portfolio_portfolios WHERE id = ? AND run > ?", .int(portfolio), .int(run))
  }

  private static let delete = "UPDATE portfolio_portfolios SET deleted_at = ?, credentials = ''"

  func deletePortfolio(_ id: Int, now: Double) throws(StoreError) {
    try run("\(Self.delete) WHERE id = ?", .double(now), .int(id))
  }

  func deletePortfolios(ofPerson person: Int, now: Double) throws(StoreError) {
    try run("\(Self.delete) WHERE person = ? AND deleted_at IS NULL", .double(now), .int(person))
  }

  private static let isNobodys = "person IS NULL AND is_owners = 0 AND deleted_at IS NULL"

  /// Deletes the portfolios of people who were removed while the room was off.
  func deletePortfoliosOfNobody(now: Double) throws(StoreError) {
    try run("\(Self.delete) WHERE \(Self.isNobodys)", .double(now))
  }

  func hasPortfoliosToForget() throws(StoreError) -> Bool {
    try hasRow("SELECT 1 FROM portfolio_portfolios WHERE deleted_at IS NOT NULL OR (\(Self.isNobodys)) LIMIT 1")
  }

  /// Pictures of deleted portfolios; and removes what is left of those that have none.
  func picturesToForget(limit: Int) throws(StoreError) -> [Int] {
    let found = try rows(
      """
      SELECT id FROM portfolio_pictures
      WHERE portfolio IN (SELECT id FROM portfolio_portfolios WHERE deleted_at IS NOT NULL) LIMIT ?
      """, .int(limit)
    ) { $0.int(0) }
    guard found.isEmpty else { return found }
    try run(
      """
      DELETE FROM portfolio_galleries
      WHERE portfolio IN (SELECT id FROM portfolio_portfolios WHERE deleted_at IS NOT NULL)
      """)
    try run("DELETE FROM portfolio_portfolios WHERE deleted_at IS NOT NULL")
    return []
  }

  /// The numbers that pages are told.
  func counts(of portfolio: Int) throws(StoreError) -> PortfolioCounts {
    let galleries = try number(
      "SELECT count(*) FROM portfolio_galleries WHERE portfolio = ? AND is_hidden = 0", .int(portfolio))
    let left = try number(
      """
      SELECT count(*) FROM portfolio_pictures
      WHERE portfolio = ? AND made IS DISTINCT FROM version AND failure IS NULL
      """, .int(portfolio))
    let (made, bytes) =
      try first(
        "SELECT count(made), sum(bytes) FROM portfolio_pictures WHERE portfolio = ?", .int(portfolio)
      ) { ($0.int(0), $0.int(1)) } ?? (0, 0)
    return PortfolioCounts(galleries: galleries, pictures: made, bytes: bytes, left: left)
  }
}

/// Numbers of a portfolio.
struct PortfolioCounts: Sendable {
  let galleries: Int
  /// Pictures that are here.
  let pictures: Int
  /// Bytes of what was made.
  let bytes: Int
  /// Pictures that are still to be fetched.
  let left: Int
}
