/// Somebody who asks: a user of the app, a stranger, or whoever has the app's master key.
public struct Caller: Equatable, Sendable {
  public var isMaster: Bool
  /// The user's objectId.
  public let user: String?
  /// The session's token.
  public var session: String?
  public var installation: String?
  /// The names by which access lists may grant something: "*", the user's id, "role:Name" of each role.
  public let grantees: Set<String>

  /// - Parameter roles: the names of the user's roles, and of those that these have in turn.
  public init(
    isMaster: Bool = false, user: String? = nil, roles: Set<String> = [], session: String? = nil,
    installation: String? = nil
  ) {
    self.isMaster = isMaster
    self.user = user
    self.session = session
    self.installation = installation
    var grantees: Set<String> = ["*"]
    if let user { grantees.insert(user) }
    for role in roles { grantees.insert("role:\(role)") }
    self.grantees = grantees
  }

  public static let master = Caller(isMaster: true)
  public static let stranger = Caller()
}
