import Objects
import Server
import Wire

/// The messages about one change of an object. What several subscribers may see alike is written once.
struct LiveView {
  /// The part of an object that a subscriber sees.
  private struct Part: Hashable {
    var keys: Set<String>?
    var hidden: Set<String>
    var files: FileAddresses?
    var isBefore: Bool
  }
  private let change: ObjectChange
  private let schema: ClassSchema
  private var permissions: ClassPermissions { schema.permissions }
  private var written: [Part: [UInt8]] = [:]
  private var writtenBytes = 0

  init(_ change: ObjectChange, _ schema: ClassSchema) {
    self.change = change
    self.schema = schema
  }

  /// The event that the change is for a subscriber, as a message; nil if it is none.
  mutating func message(for subscription: LiveSubscription) -> EncodedMessage? {
    let (caller, query) = (subscription.caller, subscription.query)
    let sees = { [permissions] (object: StoredObject) in
      object.mayBeRead(by: caller) && (try? permissions.check(query.action, by: caller, object)) != nil
    }
    guard let event = query.event(before: change.before, after: change.after, sees: sees),
      // Fields may have been hidden after the subscription.
      permissions.hiddenFromQueries(by: caller, on: change.className).isDisjoint(with: query.fields)
    else { return nil }
    var bytes = subscription.beginning(event)
    switch (event, change.before, change.after) {
    case (.leave, let before?, let after?) where !sees(after):
      // Whoever may not read it any more learns that it is gone, and nothing else.
      JSON.object(Array(before.json(isNested: true).members?.prefix(3) ?? [])).append(to: &bytes)
    case (_, let before?, let after?):
      append(after, isBefore: false, subscription, to: &bytes)
      // The object as it was before is only for those who saw it.
      if sees(before) {
        bytes += Array(",\"original\":".utf8)
        append(before, isBefore: true, subscription, to: &bytes)
      }
    case (_, let one?, nil): append(one, isBefore: true, subscription, to: &bytes)
    case (_, nil, let one?): append(one, isBefore: false, subscription, to: &bytes)
    case (_, nil, nil): return nil
    }
    bytes.append(UInt8(ascii: "}"))
    return EncodedMessage(text: bytes)
  }

  private mutating func append(
    _ object: StoredObject, isBefore: Bool, _ subscription: LiveSubscription, to bytes: inout [UInt8]
  ) {
    let part = Part(
      keys: subscription.query.keys, hidden: permissions.hidden(from: subscription.caller, in: object),
      files: subscription.files, isBefore: isBefore)
    if let known = written[part] { return bytes += known }
    let members = object.json(isNested: true).members ?? []
    let shown = members.filter { member in
      if part.hidden.contains(member.name) { return false }
      return part.keys?.contains(member.name) ?? true || Self.always.contains(member.name)
    }
    let json = JSON.object(shown)
    let made = (subscription.files?.renewed(json) ?? json).bytes
    bytes += made
    guard writtenBytes + made.count <= AppsLimits.writtenBytes else { return }
    written[part] = made
    writtenBytes += made.count
  }

  private static let always: Set = ["__type", "className", "objectId", "createdAt", "updatedAt", "ACL"]
}

/// A subscription of a client, with those rights that whoever made it has at present.
struct LiveSubscription: Sendable {
  let client: LiveClient
  let requestID: Int
  let query: LiveQuery
  var caller: Objects.Caller
  let files: FileAddresses?
  /// The number of the last commit before it.
  let since: Int

  /// The beginning of a message, up to the object.
  func beginning(_ event: LiveQuery.Event) -> [UInt8] {
    var members: [JSON.Member] = [
      .init("op", .string(event.rawValue)), .init("clientId", .string(client.clientID)),
      .init("requestId", .int(requestID)),
    ]
    if let installation = caller.installation { members.append(.init("installationId", .string(installation))) }
    var bytes = JSON.object(members).bytes
    bytes.removeLast()
    return bytes + Array(",\"object\":".utf8)
  }
}
