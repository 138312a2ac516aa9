import Crypto
import Hub
import Objects
import Wire

/// The rules of sessions. A session's token is shown once, to whom it signs in.
extension ObjectWriter {
  /// Begins a session of a user.
  /// - Parameter action: how it came about, such as "login".
  /// - Returns: the session as its maker gets it, with the token.
  func makeSession(of user: String, action: String, by provider: String? = nil) throws -> JSON {
    let token = SessionToken.make()
    var made: [JSON.Member] = [.init("action", .string(action))]
    if let provider { made.append(.init("authProvider", .string(provider))) }
    var edit = ObjectEdit()
    edit.set("user", .set(StoredObject.pointer(to: user, of: "_User")))
    edit.set("createdWith", .set(.object(made)))
    edit.set("sessionToken", .set(.string(token)))
    if let installation = caller.installation { edit.set("installationId", .set(.string(installation))) }
    let object = try asMaster { try create("_Session", edit).object }
    return object.json().with(["sessionToken": .string(token)])
  }

  func beginSession(_ edit: inout ObjectEdit) throws -> Following? {
    guard caller.isMaster else { throw ObjectError.forbidden("Sessions are made by POST /sessions.") }
    guard case .set(let pointer)? = edit["user"], let id = pointer["objectId"]?.string,
      let user = try database.user(.id(id), of: app.id)
    else { throw ObjectError.notFound }
    let digest = SessionToken.digest(edit.text("sessionToken") ?? SessionToken.make())
    guard let digest else { throw ObjectError.fieldName("sessionToken: r: and 32 hexadecimal digits are accepted.") }
    edit.remove("sessionToken")
    let until = now + AppsLimits.sessionSeconds * 1_000
    edit.set("expiresAt", .set(ObjectDate.json(until)))
    edit.set(AccessList([id: .init(read: true, write: true)]))
    let installation = edit.text("installationId")
    return { [self] written in
      try database.add(session: written.number, of: user.object, digest, on: installation, until: until)
      // One installation has one session.
      let others = try database.sessions(of: user.object).dropFirst()
      for (place, other) in others.enumerated() {
        let isReplaced = installation != nil && other.installation == installation
        if isReplaced || place >= AppsLimits.sessionsOfUser - 1 {
          _ = try asMaster { try delete("_Session", other.id) }
        }
      }
    }
  }

  func begin(updatingSession edit: ObjectEdit) throws -> Following? {
    let fixed = ["user", "sessionToken", "installationId", "expiresAt", "createdWith"]
    let touched = fixed.first { edit[$0] != nil || edit.reachesInto($0) }
    if let name = touched, !caller.isMaster || name == "sessionToken" {
      throw ObjectError.fieldName("\(name) of a session stays.")
    }
    if edit.setsACL { throw ObjectError.fieldName("Cannot set ACL on a Session.") }
    guard edit["user"] == nil, edit["expiresAt"] == nil else {
      throw ObjectError.fieldName("The user and the end of a session stay; end it, and make another.")
    }
    return nil
  }

  /// Ends all sessions of a user.
  func endSessions(of person: Int) throws {
    for session in try database.sessions(of: person) { _ = try asMaster { try delete("_Session", session.id) } }
  }
}

/// The token of a user's session: the store has its digest alone, so that who reads the store is not signed in.
enum SessionToken {
  static func make() -> String { "r:\(Digest.hex(Digest.random(16)))" }

  /// Nil for what is no token.
  static func digest(_ token: String) -> [UInt8]? {
    guard token.hasPrefix("r:"), token.utf8.count == 34 else { return nil }
    return Digest.sha256(token.utf8)
  }
}
