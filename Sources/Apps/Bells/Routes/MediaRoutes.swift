import Client
import Crypto
import Delivery
import EventLoop
import Hub
import Lifecycle
import Server
import Settings
import Store
import Synchronization
import WebPush
import Wire

/// Files whose addresses stand in a notification: the hub fetches them for the devices that show it. It keeps them as
/// attachments, so that each is fetched once, and the sender's server does not learn who looks at it.
///
/// Only what the notification itself names is fetched, and only for those whom it is for.
final class MediaRoutes: Sendable {
  private let hub: Hub
  private let keys: WebPushKeys
  private struct Key: Hashable {
    var notification: Int
    var address: String
  }
  /// A fetch, and its result at its end.
  private struct Fetching: Sendable {
    final class Outcome: Sendable {
      let result = Mutex<Result<KeptAttachment, HTTPError>?>(nil)
    }
    var sender: String
    var task: Task<Void, Never>
    var outcome: Outcome
  }
  /// All who ask for the same wait for one fetch, which goes on if they leave.
  private let underWay = Mutex<[Key: Fetching]>([:])
  /// Those who wait until a fetch can begin.
  private let line = RequestGate(MediaLimits.waiting, refusal: MediaRoutes.busy)
  private static let busy = HTTPError(
    .mediaNotFetched, "Too many files are being fetched.", help: "Ask again in some seconds.")

  init(hub: Hub, keys: WebPushKeys) { (self.hub, self.keys) = (hub, keys) }

  func add(to router: inout Router) {
    router.on(.post, "/api/v1/bells/{id}/media", .task(answer))
  }

  private func answer(_ request: Request) async throws(HTTPError) -> Response {
    let id = request.id ?? 0
    var body = try FieldCheck(request, known: ["url", "type", "receipt"], nullIsNothing: true)
    let address = body.text("url", longest: MediaLimits.addressBytes, isNeeded: true) ?? ""
    let hint = body.text("type", longest: MediaLimits.typeBytes)
    let receipt = body.text("receipt", longest: BellsLimits.secret)
    try body.finish(help: "Example: {\"url\": \"https://pictures.example/door.png\"}")
    let person = receipt == nil ? try await hub.person(request).1 : nil
    let device = receipt.flatMap { keys.receipts.device(of: $0, notification: id) }
    guard person != nil || device != nil else { throw HTTPError.noSuchNotification(id) }
    let found = try await hub.read { database throws(StoreError) -> (SentNotification, KeptAttachment?)? in
      guard let notification = try database.notification(id) else { return nil }
      if let person, try database.inboxState(ofPerson: person, notification: id) == nil { return nil }
      // A device that was signed out keeps the receipts of what it was sent before.
      if let device, try database.pushDevice(device) == nil { return nil }
      return (notification, try database.media(of: id, at: address))
    }
    guard let (notification, kept) = found else { throw HTTPError.noSuchNotification(id) }
    if let kept { return Self.response(kept) }
    guard let content = try? JSON(parsing: notification.content), content.names(address) else {
      throw HTTPError(
        .invalidField, "url: the notification does not name this address.",
        help: "An address in the notification's attachments or its user_info is accepted.")
    }
    return Self.response(try await shared(Key(notification: id, address: address), notification, hint))
  }

  private static func response(_ kept: KeptAttachment) -> Response {
    Response(json: kept.told).notStored()
  }

  // MARK: Fetching

  /// Fetches it, or waits for the fetch that is under way, for a while also for a place.
  private func shared(
    _ key: Key, _ notification: SentNotification, _ hint: String?
  ) async throws(HTTPError) -> KeptAttachment {
    var place: RequestGate.Place?
    let end = hub.time.uptime + MediaLimits.waitSeconds
    while true {
      if let fetching = try fetching(key, notification, hint) {
        place = nil
        await fetching.task.value
        return try (fetching.outcome.result.withLock { $0 } ?? .failure(Self.busy)).get()
      }
      if place == nil { place = try line.enter() }
      guard hub.time.uptime < end, (try? await hub.loop.pause(for: MediaLimits.lookSeconds)) != nil else {
        throw Self.busy
      }
    }
  }

  /// The fetch that is under way, or begins now.
  /// - Returns: nil while there is no place for it.
  private func fetching(
    _ key: Key, _ notification: SentNotification, _ hint: String?
  ) throws(HTTPError) -> Fetching? {
    try underWay.withLock { underWay throws(HTTPError) -> Fetching? in
      if let found = underWay[key] { return found }
      let sender = notification.sender
      guard underWay.count < MediaLimits.atOnce,
        underWay.values.count(where: { $0.sender == sender }) < MediaLimits.ofSender
      else { return nil }
      let outcome = Fetching.Outcome()
      let task = hub.supervisor.once("bells.media") { [self] in await fetch(key, notification, hint, outcome) }
      guard let task else { throw Self.busy }
      let begun = Fetching(sender: sender, task: task, outcome: outcome)
      underWay[key] = begun
      return begun
    }
  }

  private func fetch(
    _ key: Key, _ notification: SentNotification, _ hint: String?, _ outcome: Fetching.Outcome
  ) async {
    let result: Result<KeptAttachment, HTTPError>
    do throws(HTTPError) {
      result = .success(try await fetch(key.address, notification, hint))
    } catch {
      result = .failure(error)
    }
    outcome.result.withLock { $0 = result }
    _ = underWay.withLock { $0.removeValue(forKey: key) }
  }

  private func fetch(
    _ address: String, _ notification: SentNotification, _ hint: String?
  ) async throws(HTTPError) -> KeptAttachment {
    let bytes = try await bytes(at: address)
    let type = try AttachmentType.name(of: Array(bytes.prefix(AttachmentType.prefix)), size: bytes.count, hint: hint)
    let upload = hub.store.blobs.upload(limit: BellsLimits.attachmentBytes)
    do throws(HTTPError) {
      let blob = try await hub.stored { () throws(StoreError) in
        try await upload.append(bytes)
        return try await upload.finish()
      }
      let kept = KeptAttachment(name: Digest.hex(Digest.random(16)), type: type, size: blob.size)
      return try await hub.commit(as: .room(BellsRoom.id)) { change in
        let (sender, over) = (notification.sender, notification.expiresAt ?? change.now + BellsLimits.lifetime)
        let end = over + BellsLimits.attachmentOutlasts
        // Whoever looks at old ones takes no file from a newer one.
        guard try change.database.makeRoom(forAttachment: blob.size, of: sender, until: end, now: change.now) else {
          throw HTTPError(
            .tooManyAttachments, "There is no room for more attachments.",
            help: "They go with the notifications that name them.")
        }
        try change.database.save(kept, of: blob, sender: sender, until: end)
        try change.database.save(media: kept, of: notification.id, at: address)
        return kept
      }
    } catch {
      await upload.cancel()
      throw error
    }
  }

  /// Follows redirects itself, since each address has to be allowed.
  private func bytes(at address: String) async throws(HTTPError) -> [UInt8] {
    var address = address
    for _ in 0...MediaLimits.redirects {
      guard AttachmentHosts.allow(address, of: hub) else {
        throw HTTPError(
          .mediaNotFetched, "The file's address is not allowed.",
          help: "https:// on the public Internet is accepted; what else may be, the owner lists (reachable_networks, "
            + "\(AttachmentHosts.option.name)).")
      }
      let request = FetchRequest(
        address, timeout: MediaLimits.seconds, stallTimeout: MediaLimits.stallSeconds,
        bodyLimit: BellsLimits.attachmentBytes, redirects: 0)
      let response: FetchResponse
      do throws(FetchError) {
        response = try await hub.client.fetch(request)
      } catch {
        throw HTTPError(
          .mediaNotFetched, "The file cannot be fetched: \(error.publicExplanation.text)",
          help: "Look at the address in a browser.")
      }
      if response.status == 200 { return response.body }
      guard (301...308).contains(response.status), let next = response["location"].flatMap(request.resolved) else {
        throw HTTPError(
          .mediaNotFetched, "The file's server answers \(response.status).", help: "Look at the address in a browser.")
      }
      address = next
    }
    throw HTTPError(
      .mediaNotFetched, "The file's address leads on more than \(MediaLimits.redirects) times.",
      help: "Name the address that it leads to.")
  }
}

/// The limits of fetching files.
enum MediaLimits {
  /// Bytes of an address, as a content may have (NotificationLimits.addressBytes), and of a type.
  static let addressBytes = 2_000
  static let typeBytes = 100
  /// Files that are fetched at once: each is in memory, and may have 50 MB.
  static let atOnce = 4
  /// Places that one sender may have: a slow server of theirs does not hold up the pictures of others.
  static let ofSender = 2
  /// Requests that wait for a place, the seconds for which each does, and those between its looks.
  static let waiting = 64
  static let waitSeconds = 8.0
  static let lookSeconds = 0.2
  /// Seconds for a file: the service worker that waits for it has ten.
  static let seconds = 20.0
  static let stallSeconds = 5.0
  static let redirects = 3
}

extension JSON {
  /// True if this text stands in it as a value.
  fileprivate func names(_ text: String) -> Bool {
    switch self {
    case .string(let value): value == text
    case .array(let values): values.contains { $0.names(text) }
    case .object(let members): members.contains { $0.value.names(text) }
    default: false
    }
  }
}
