import Crypto
import Hub
import Objects
import Server
import Wire

/// The passwords in a request, as they will be kept.
extension AppObjects {
  /// The hashes of those that bodies set, by what was sent.
  /// - Throws: 155 where too many passwords are being hashed already.
  func passwords(in bodies: [JSON], for request: Request) async throws(HTTPError) -> [String: PasswordHash] {
    var made: [String: PasswordHash] = [:]
    for body in bodies {
      guard let password = body["password"]?.string, !password.isEmpty, made[password] == nil else { continue }
      guard password.utf8.count <= AppsLimits.passwordBytes else {
        throw ObjectError.validation(
          "The password has \(password.utf8.count) bytes; \(AppsLimits.passwordBytes) are accepted."
        ).http
      }
      guard let hash = await passwordWork.run(for: request.peer, { PasswordHash(of: password) }) else {
        throw Self.busy
      }
      made[password] = hash
    }
    return made
  }

  static let busy = ObjectError.tooMany("Many sign in just now. Try it again in a second.").http
}
