import APNs
import Delivery
import EventLoop
import Hub
import Lifecycle
import Observe
import Server
import Settings
import Store
import Synchronization
import Terminal
import Wire

/// The entry for programs that send to Apple's push service: they reach our devices by another host. It has a port of
/// its own, over TLS, and answers in APNs' manner in all cases.
final class APNsEntry: Sendable {
  static let listenOption = Setting(
    "apns_listen", "HOST:PORT", fallback: "",
    help: "where to take pushes in the manner of Apple's push service; nowhere if not given"
  ) { value throws(SettingsError) in
    if value.isEmpty { return }
    do throws(ListenError) {
      _ = try ListenAddress(value)
    } catch {
      throw SettingsError("apns_listen: \(error.message)")
    }
  }
  static let namesOption = Setting(
    "apns_names", "NAME,NAME", fallback: "",
    help: "further names and addresses of this machine, for the certificate that the hub makes for apns_listen"
  ) { value throws(SettingsError) in
    _ = try Setting.list(value, of: "apns_names")
  }

  /// Seconds between two looks at the certificate and at what can be forgotten.
  private static let lookSeconds = 60.0

  let providers: ProviderList
  private let hub: Hub
  private let sender: BellSender
  private let poller: Poller
  private let server = Mutex<HTTPServer?>(nil)
  /// The end of the certificate that the hub has made for itself, in seconds since 1970; infinite without one.
  private let certificateEnd = Mutex(Double.infinity)
  private let taken = Atomic(0)
  private let refused = Atomic(0)

  init(hub: Hub, sender: BellSender) {
    self.hub = hub
    self.sender = sender
    providers = ProviderList(hub.store)
    poller = Poller(hub.loop)
  }

  var isOpen: Bool { server.withLock { $0 != nil } }

  /// Opens the port if the settings name one.
  /// - Returns: lines for people.
  func listen() async throws(ListenError) -> [String] {
    guard !hub.options[Self.listenOption.name].isEmpty else { return [] }
    let address = try ListenAddress(hub.options[Self.listenOption.name])
    let tls = try context(address)
    var router = Router()
    router.always(.task(answer))
    router.errorForm = { response, head in Self.inForm(response, head) }
    let connections = Int(hub.options["connections_per_address"]) ?? ServerLimits.connectionsPerAddress
    let opened = HTTPServer(
      loops: hub.loops, router: router, log: hub.log, tls: tls, connectionsPerAddress: connections, keepsPeers: true)
    let port = try opened.listen(address)
    server.withLock { $0 = opened }
    var lines = ["Eightbells takes APNs pushes on https://\(address.authority(port: port))"]
    if certificateEnd.withLock({ $0 < .infinity }) {
      lines.append("Their senders must trust \(LocalAuthority.certificateFile(in: hub.dataFolder))")
    }
    return lines
  }

  /// The TLS context: with the hub's own certificate, or with one of its local authority. That authority vouches for
  /// the certificates of providers in both cases.
  private func context(_ address: ListenAddress) throws(ListenError) -> TLSContext {
    do {
      let authority = try LocalAuthority(in: hub.dataFolder, now: hub.time.now)
      var (certificate, key) = (hub.options["certificate"], hub.options["key"])
      if certificate.isEmpty {
        let names = try hub.options.list(Self.namesOption.name).filter { !$0.isEmpty }
        let ours = [address.host, hub.publicURL.map(Self.host) ?? ""]
        let made = try authority.makeServer(names + ours, now: hub.time.now)
        (certificate, key) = (made.certificate, made.key)
        certificateEnd.withLock { $0 = made.end }
      }
      return try TLSContext(certificate: certificate, key: key, clientAuthority: authority.certificateFile)
    } catch let error as TLSError {
      throw ListenError(message: error.message)
    } catch let error as CommandError {
      throw ListenError(message: error.message)
    } catch {
      throw ListenError(message: "\(error)")
    }
  }

  private static func host(_ url: String) -> String {
    let rest = url.split(separator: "/").dropFirst().first ?? ""
    if rest.hasPrefix("[") { return String(rest.dropFirst().prefix { $0 != "]" }) }
    return String(rest.prefix { $0 != ":" })
  }

  /// Reads the hub's certificate again, or makes a new one of the local authority.
  func renewCertificate() {
    guard let server = server.withLock({ $0 }) else { return }
    do throws(ListenError) {
      server.use(try context(try ListenAddress(hub.options[Self.listenOption.name])))
    } catch {
      hub.log.error("the entry for APNs keeps its old certificate", ["reason": error.message])
    }
  }

  /// Looks again at what commands beside the hub may have changed.
  func wake() { poller.wake() }

  /// Tells clients that the hub ends.
  func close() { server.withLock { $0 }?.close {} }

  /// Looks after the entry until the task is cancelled, then closes it.
  func run() async throws {
    do {
      try await poller.run { [self] in
        try await providers.load()
        while try await forget() {}
        let end = certificateEnd.withLock { $0 }
        if end - hub.time.now < APNsLimits.warningDays * 86_400 { renewCertificate() }
        return Self.lookSeconds
      }
    } catch {
      if Task.isCancelled, let server = server.withLock({ $0 }) {
        await withCheckedContinuation { continuation in server.close { continuation.resume() } }
      }
      throw error
    }
  }

  private func forget() async throws(StoreError) -> Bool {
    let now = hub.time.now
    return try await hub.store.write { database throws(StoreError) in try database.forgetPushes(now: now) }
  }

  // MARK: Requests

  private func answer(_ request: Request) async -> Response {
    let id = PushHead.answerID(request.head.fields["apns-id"])
    do {
      let head = try PushHead(method: request.head.method, path: request.head.target, fields: request.head.fields.all)
      let provider = try await provider(of: head, request)
      let push = try CheckedPush(head, of: provider, body: request.body, now: hub.time.now)
      try await ring(push, head, provider)
      taken.add(1, ordering: .relaxed)
      return Response(
        contentType: "application/json", body: .bytes([]), cacheControl: "no-store", fields: [.init("apns-id", id)])
    } catch {
      refused.add(1, ordering: .relaxed)
      return Self.response(rejection(error), id: id)
    }
  }

  private func provider(of head: PushHead, _ request: Request) async throws -> Provider {
    let (connection, now) = (request.connection, hub.time.now)
    if let authorization = head.authorization {
      let before = connection?.kept as? ProvenSender
      let (provider, proof) = try await ProvenSender.prove(
        authorization, after: before, among: providers, now: now)
      connection?.kept = proof
      return provider
    }
    guard let certificate = connection?.certificate else { throw Rejection(.missingProviderToken) }
    return try await ProvenSender.prove(
      certificate: certificate.bytes, isValid: certificate.isValid, among: providers, now: now)
  }

  /// Writes the notification for the device of the token. When this returns, it is on the disk.
  private func ring(_ push: CheckedPush, _ head: PushHead, _ provider: Provider) async throws {
    let rejection = try await hub.commit(as: .room(BellsRoom.id)) { [sender] change -> Rejection? in
      switch try change.database.holder(ofToken: head.token) {
      case nil: return Rejection(.badDeviceToken)
      case .gone(let since): return Rejection(.unregistered, since: since)
      case .device(let device, let app):
        guard app == nil || app == push.topic.bundle else { return Rejection(.deviceTokenNotForTopic) }
        // A sender that had no answer sends again with the same id: that is the same push.
        if let id = head.id, try !change.database.rememberPush(id, to: device, now: change.now) { return nil }
        var submission = push.submission(to: device, sender: "provider \(provider.name)")
        submission.content = RoomOrder.disarmed(submission.content)
        _ = try sender.submit(submission, in: change)
        return nil
      }
    }
    if let rejection { throw rejection }
  }

  private func rejection(_ error: any Error) -> Rejection {
    switch error {
    case let rejection as Rejection: return rejection
    case _ where server.withLock({ $0?.isClosing ?? false }): return Rejection(.shutdown)
    case let error as HTTPError: return Rejection(RejectionReason(status: error.code.status))
    case let error as StoreError:
      hub.log.error("the store failed", ["error": error.message, "context": error.context])
      return Rejection(.internalServerError)
    default: return Rejection(.internalServerError)
    }
  }

  private static func response(_ rejection: Rejection, id: String) -> Response {
    Response(status: rejection.reason.status, json: rejection.json, fields: [.init("apns-id", id)])
  }

  /// An error of the server itself in APNs' manner: clients wait for a reason.
  private static func inForm(_ response: Response, _ head: RequestHead) -> Response {
    if response.fields.contains(where: { $0.name == "apns-id" }) { return response }
    return Self.response(
      Rejection(RejectionReason(status: response.status)), id: PushHead.answerID(head.fields["apns-id"]))
  }

  // MARK: Readings

  var readings: [Reading] {
    [
      Reading("apns_taken_total", .counter, help: "Pushes that the entry for APNs has taken.") { [self] in
        Double(taken.load(ordering: .relaxed))
      },
      Reading("apns_refused_total", .counter, help: "Pushes that the entry for APNs has refused.") { [self] in
        Double(refused.load(ordering: .relaxed))
      },
    ]
  }
}

extension Touch {
  /// A provider may not send any more.
  static let providers = Touch("bells.providers")
}
