public import CivilTime
public import Store

/// The club of a demonstration, of which all rooms tell: its people, its summer feast, and its language. The same each
/// time, so that pictures of it stay comparable.
public struct DemoClub: Sendable {
  /// The people; the first three hold a key.
  public enum Somebody: String, CaseIterable, Sendable {
    case ada = "Ada Winther"
    case jonas = "Jonas Brandt"
    case tjark = "Tjark Petersen"
    case mira = "Mira Sandvik"
    case lena = "Lena Okafor"

    public var name: String { rawValue }
    var role: Role { [.ada, .jonas, .tjark].contains(self) ? .keykeeper : .member }
  }

  /// The club's boat.
  public static let boat = "Seeschwalbe"
  /// The feast's UID in the calendar of the programme, and the identifier that this gives the event.
  public static let feastUID = "summer-feast@nordlicht.example"
  public static let feastEvent = "7ffd2cad9396"

  public let isGerman: Bool

  /// Reads the language in which an earlier start has told it.
  public init(_ database: Database) throws(StoreError) {
    isGerman = try database.place()?.address?.hasSuffix(Self.germany) ?? false
  }

  package init(isGerman: Bool) { self.isGerman = isGerman }

  public func callAsFunction(_ english: String, german: String) -> String { isGerman ? german : english }

  /// The key of one of the people, who was perhaps removed since.
  public func person(_ somebody: Somebody, in database: Database) throws(StoreError) -> Int? {
    try database.personIDs(named: somebody.name).first
  }

  /// Adds what one of the people did in the past to the audit.
  /// - Parameter time: seconds since 1970. Rooms need not keep to the order of each other's times.
  public func tell(
    _ what: String, about: String? = nil, by somebody: Somebody, at time: Double, in database: Database
  ) throws(StoreError) {
    let key = try person(somebody, in: database)
    let principal = Principal(person: key, name: somebody.name, role: somebody.role)
    try database.audit(principal, what, about: about, now: time)
  }

  /// The feast's day: the last Saturday before today.
  public static func feast(before today: CivilDate) -> CivilDate {
    today.adding(-1 - today.weekday % 7)
  }

  /// The feast's name on a day: the club holds its summer feast whenever somebody looks.
  public func feastName(on day: CivilDate) -> String {
    Self.isWarm(on: day)
      ? self("Summer feast on the pier", german: "Sommerfest am Anleger")
      : self("Summer feast in winter coats", german: "Sommerfest in Winterjacken")
  }

  public static func isWarm(on day: CivilDate) -> Bool { (5...9).contains(day.month) }

  static let germany = "Deutschland"
}
