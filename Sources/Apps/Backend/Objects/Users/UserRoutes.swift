import Crypto
import Hub
import Lifecycle
import Objects
import Server
import Wire

/// Users: signing up, in and out, and a user's own data.
struct UserRoutes: Sendable {
  let objects: AppObjects
  let mails: AccountMails
  private let signIns: TokenBuckets<String>
  private let signInsOfNames: TokenBuckets<String>

  init(_ objects: AppObjects, _ mails: AccountMails) {
    (self.objects, self.mails) = (objects, mails)
    signIns = TokenBuckets(most: AppsLimits.signInNames, for: 600, time: objects.hub.time)
    signInsOfNames = TokenBuckets(most: AppsLimits.signInNames, for: 1_000, time: objects.hub.time)
  }

  func add(to routes: inout ParseRoutes) {
    routes.on(.post, "/classes/_User", signUp)
    routes.on(.put, "/classes/_User/{id}", update)
    routes.on(.get, "/users/me") { request throws(HTTPError) in
      let json = try await objects.read(request) { try $0.own("_User", request.parameters) }
      return ParseAnswer(json: json)
    }
    for method in [Method.get, .post] {
      routes.on(method, "/login", signIn)
      routes.on(method, "/verifyPassword") { request throws(HTTPError) in
        ParseAnswer(json: try await known(request).user.json())
      }
    }
    routes.on(.post, "/loginAs", signInAs)
    routes.on(.post, "/logout", signOut)
    routes.on(.post, "/requestPasswordReset") { request throws(HTTPError) in
      try await askForMail(request, .newPassword)
    }
    routes.on(.post, "/verificationEmailRequest") { request throws(HTTPError) in try await askForMail(request, .verify)
    }
  }

  // MARK: Signing up, and changes

  private func signUp(_ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    let edit = try await request.edit(asking: objects.triggers)
    let passwords = try await objects.passwords(in: [request.body], for: request.raw)
    let anonymous = request.body["authData"]?["anonymous"]?["id"]?.string
    let isGerman = request.raw.isGerman
    return try await objects.write(making: request, passwords: passwords) { writer in
      if let anonymous, let known = try writer.database.user(.anonymous(anonymous), of: writer.app.id),
        let user = try writer.user(known.id), writer.caller.isMaster || !user.isLockedOut
      {
        let session = try writer.makeSession(of: known.id, action: "login", by: "anonymous")
        return Self.signedUp(Self.json(user, session), status: 200)
      }
      let (user, told) = try writer.create("_User", edit)
      try mails.askWhether(user, isGerman: isGerman, in: writer)
      let session = try writer.makeSession(
        of: user.id, action: "signup", by: anonymous == nil ? "password" : "anonymous")
      let json = ClassRoutes.created(user, told + (edit["username"] == nil ? ["username"] : []))
      return Self.signedUp(json.with(["sessionToken": session["sessionToken"] ?? .null]), status: 201)
    }
  }

  private static func signedUp(_ json: JSON, status: Int) -> ParseAnswer {
    let place = Response.Field("Location", "\(ParseRoutes.mount)/users/\(json["objectId"]?.string ?? "")")
    return ParseAnswer(status: status, json: json, fields: [place])
  }

  private func update(_ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    let id = request.part(2)
    let edit = try await request.edit(asking: objects.triggers)
    let passwords = try await objects.passwords(in: [request.body], for: request.raw)
    let isGerman = request.raw.isGerman
    let json = try await objects.write(request, passwords: passwords) { writer in
      let (user, told) = try writer.update("_User", id, edit)
      if edit["email"] != nil { try mails.askWhether(user, isGerman: isGerman, in: writer) }
      let json = ClassRoutes.updated(user, told)
      if passwords.isEmpty || writer.caller.isMaster { return json }
      let session = try writer.makeSession(of: id, action: "login", by: "password")
      return json.with(["sessionToken": session["sessionToken"] ?? .null])
    }
    return ParseAnswer(json: json)
  }

  // MARK: Signing in and out

  private func signIn(_ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    let known = try await known(request).row
    return ParseAnswer(
      json: try await objects.write(request, as: request.caller.withoutSession) { writer in
        // The password may have been changed since it was looked at, which ends the sessions of the old one.
        guard let user = try writer.user(known.id),
          try writer.database.user(.id(known.id), of: writer.app.id)?.password == known.password
        else { throw Self.wrong }
        return Self.json(user, try writer.makeSession(of: user.id, action: "login", by: "password"))
      })
  }

  private func signInAs(_ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    guard request.caller.isMaster else { throw ObjectError.forbidden("master key is required").http }
    let id = (request.body["userId"] ?? request.parameters.first { $0.name == "userId" }?.value)?.string ?? ""
    guard !id.isEmpty else { throw ObjectError(142, "userId must not be empty, null, or undefined").http }
    return ParseAnswer(
      json: try await objects.write(request) { writer in
        guard let user = try writer.user(id) else { throw ObjectError(101, "user not found") }
        return Self.json(user, try writer.makeSession(of: id, action: "login", by: "masterkey"))
      })
  }

  private func signOut(_ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    guard let token = request.caller.session else { return ParseAnswer(json: [:]) }
    try await objects.write(request, as: .master) { writer in
      guard let session = try writer.database.session(token, of: writer.app.id, now: writer.change.now) else { return }
      _ = try writer.delete("_Session", session.session)
    }
    return ParseAnswer(json: [:])
  }

  private static let wrong = ObjectError(101, "Invalid username/password.")

  /// The user whose name, or address, and password a request has.
  private func known(_ request: ParseRequest) async throws(HTTPError) -> (row: UserRow, user: StoredObject) {
    func value(_ name: String) -> JSON? {
      let found = request.body[name] ?? request.parameters.first { $0.name == name }?.value
      return found == .null || found == "" ? nil : found
    }
    guard value("username") != nil || value("email") != nil else {
      throw ObjectError(200, "username/email is required.").http
    }
    guard value("password") != nil else { throw ObjectError(201, "password is required.").http }
    guard let password = value("password")?.string, password.utf8.count <= AppsLimits.passwordBytes,
      value("username").map({ $0.string != nil }) ?? true, value("email").map({ $0.string != nil }) ?? true
    else { throw Self.wrong.http }
    let (name, email) = (value("username")?.string, value("email")?.string)
    let given = name ?? email ?? ""
    // Nobody has a longer one, and it would be kept in memory for a while.
    guard given.utf8.count <= max(AppsLimits.userNameBytes, AppsLimits.userAddressBytes) else { throw Self.wrong.http }
    let key = "\(request.app.id) \(given.lowercased())"
    // A space is in no address, so the keys of no two names and networks are the same.
    let keyFromHere = "\(Attempts.network(of: request.raw.peer)) \(key)"
    let wait = signIns.take(keyFromHere, AppsLimits.signIns) ?? signInsOfNames.take(key, AppsLimits.signInsOfName)
    if let wait {
      throw ObjectError.tooMany("Too many sign-ins with this name. Wait \(Int(wait.rounded(.up))) s.").http
    }
    let found = try await objects.readBriefly("_User", of: request.app, as: .master) {
      reader -> (row: UserRow, user: StoredObject)? in
      let app = request.app.id
      var row = try name.flatMap { try reader.database.user(.name($0), of: app) }
      if name == nil || row == nil { row = try reader.database.user(.email(email ?? name ?? ""), of: app) }
      guard let row, let user = try reader.user(row.id) else { return nil }
      if let name, let email, row.name != name.lowercased() || row.email != email.lowercased() { return nil }
      return (row, user)
    }
    let isRight = await objects.passwordWork.run(for: request.raw.peer) {
      PasswordHash.matches(password, found?.row.password)
    }
    guard let isRight else { throw AppObjects.busy }
    guard isRight, let found, request.caller.isMaster || !found.user.isLockedOut else {
      throw Self.wrong.http
    }
    signIns.putBack(keyFromHere, AppsLimits.signIns)
    signInsOfNames.putBack(key, AppsLimits.signInsOfName)
    return found
  }

  private static func json(_ user: StoredObject, _ session: JSON) -> JSON {
    user.json().with(["sessionToken": session["sessionToken"] ?? .null])
  }

  // MARK: Mails

  private func askForMail(
    _ request: ParseRequest, _ purpose: AccountMail.Purpose
  ) async throws(HTTPError) -> ParseAnswer {
    guard let value = request.body["email"], value != .null, value != "" else {
      throw ObjectError(204, "you must provide an email").http
    }
    guard let address = value.string else { throw ObjectError.address("you must provide a valid email string").http }
    guard address.utf8.count <= AppsLimits.userAddressBytes else {
      throw ObjectError.address("Email address format is invalid.").http
    }
    guard mails.arePossible else {
      throw ObjectError.failed("This hub sends no mail. Its owner can set a mail server: the setting smtp.").http
    }
    guard mails.mayAsk(address, of: request.app) else {
      throw ObjectError.tooMany("Too many mails to this address were asked for. Wait some minutes.").http
    }
    let isGerman = request.raw.isGerman
    try await objects.write(request, as: .master) { writer in
      guard let row = try writer.database.user(.email(address), of: writer.app.id), let user = try writer.user(row.id)
      else {
        // Nobody learns here whose addresses these are; Parse tells it for the other mail.
        if purpose == .newPassword { return }
        throw ObjectError(205, "No user found with email \(address.prefix(AppsLimits.userAddressBytes))")
      }
      if purpose == .verify, user["emailVerified"] == true {
        throw ObjectError(-1, "Email \(address) is already verified.")
      }
      try mails.send(purpose, to: user, isGerman: isGerman, in: writer)
    }
    return ParseAnswer(json: [:])
  }
}

extension Objects.Caller {
  /// False for other users than the caller: a user is changed and removed by himself and the master key alone, whatever
  /// his access list says, since whoever changes the password is signed in as him.
  func mayWrite(_ className: String, _ id: String) -> Bool { isMaster || className != "_User" || id == user }

  /// The same without a user: who signs in need not be signed in, and an old session does not matter.
  var withoutSession: Objects.Caller { Objects.Caller(isMaster: isMaster, installation: installation) }
}

extension StoredObject {
  /// True for a user who may not even read himself: whoever runs the app has locked him out.
  fileprivate var isLockedOut: Bool { acl?.rights.isEmpty == true }
}

extension ObjectWriter {
  func user(_ id: String) throws -> StoredObject? {
    try storedClass("_User").flatMap { try database.object(id, of: $0)?.object }
  }
}

extension ObjectReader {
  func user(_ id: String) throws -> StoredObject? {
    try storedClass("_User").flatMap { try database.object(id, of: $0)?.object }
  }
}
