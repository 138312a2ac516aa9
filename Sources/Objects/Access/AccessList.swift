public import Wire

/// The readers and writers of an object: users' ids, "role:Name", or "*" for everybody (Parse's ACL).
public struct AccessList: Equatable, Sendable {
  public struct Rights: Equatable, Sendable {
    public var read: Bool
    public var write: Bool

    public init(read: Bool = false, write: Bool = false) {
      self.read = read
      self.write = write
    }
  }

  public var rights: [String: Rights]

  public init(_ rights: [String: Rights] = [:]) { self.rights = rights }

  /// Reads `{"*":{"read":true},"userId":{"write":true}}`.
  public init(_ json: JSON) throws(ObjectError) {
    guard let members = json.members else {
      throw .accessList("ACL: \(json.kind); an object is accepted, such as {\"*\":{\"read\":true}}.")
    }
    guard members.count <= ObjectsLimits.grants else {
      throw .accessList("ACL: \(members.count) entries; at most \(ObjectsLimits.grants) are accepted. Use a role.")
    }
    rights = [:]
    for member in members {
      guard (1...ObjectsLimits.granteeBytes).contains(member.name.utf8.count) else {
        throw .accessList("ACL: a name of \(member.name.utf8.count) bytes; a user's id, role:Name or * is accepted.")
      }
      guard let granted = member.value.members else {
        throw .accessList("ACL: \(member.name) has \(member.value.kind); {\"read\":true,\"write\":true} is accepted.")
      }
      var these = Rights()
      for right in granted {
        guard let isGranted = right.value.bool else {
          throw .accessList("ACL: \(right.name.prefix(40)) is \(right.value.kind); true or false is accepted.")
        }
        switch right.name {
        case "read": these.read = isGranted
        case "write": these.write = isGranted
        default: throw .accessList("ACL: \(right.name.prefix(40)); read and write are accepted.")
        }
      }
      if these.read || these.write { rights[member.name] = these }
    }
  }

  /// The list with a user in the place of `currentUser`, or with nobody there.
  public func made(by user: String?) -> AccessList {
    var list = self
    if let rights = list.rights.removeValue(forKey: "currentUser"), let user { list.rights[user] = rights }
    return list
  }

  public func mayRead(_ caller: Caller) -> Bool { caller.isMaster || grants(caller, \.read) }
  public func mayWrite(_ caller: Caller) -> Bool { caller.isMaster || grants(caller, \.write) }

  private func grants(_ caller: Caller, _ right: KeyPath<Rights, Bool>) -> Bool {
    if rights.count < caller.grantees.count {
      return rights.contains { $0.value[keyPath: right] && caller.grantees.contains($0.key) }
    }
    return caller.grantees.contains { rights[$0]?[keyPath: right] == true }
  }

  public var json: JSON {
    .object(
      rights.sorted { $0.key < $1.key }.map { name, rights in
        var granted: [JSON.Member] = []
        if rights.read { granted.append(.init("read", true)) }
        if rights.write { granted.append(.init("write", true)) }
        return .init(name, .object(granted))
      })
  }
}
