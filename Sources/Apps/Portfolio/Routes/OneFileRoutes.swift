import Hub
import Receiving
import Server
import Store
import Wire

/// The pictures of a link as one file for a stick or a download, made while it is sent.
struct OneFileRoutes: Sendable {
  private static let path = "\(PortfolioRoutes.path)/{id}/sent/{sent}/file"
  private let hub: Hub
  private let gate = RequestGate(ExportLimits.atOnce, refusal: .tooManyFiles)

  init(_ hub: Hub) { self.hub = hub }

  func add(to router: inout Router) {
    router.on(.post, Self.path, admit: hub.needsPerson(.keepPortfolio), rate: ExportLimits.rate, .task(send))
  }

  /// The words of a request.
  private struct Form {
    let passphrase: String?
    let edge: Int

    /// - Parameter isGuarded: true if the link has a PIN, so that the file needs more than that.
    init(_ request: Request, isGuarded: Bool) throws(HTTPError) {
      var check = try FieldCheck(request, known: ["passphrase", "size"])
      passphrase = check.text("passphrase", longest: RequestLimits.name)
      edge = check.int("size", in: ExportLimits.edges) ?? ExportLimits.edges.upperBound
      if let refusal = passphrase.flatMap({ PassphraseCost($0).refusal }) { check.fail("passphrase", refusal) }
      if isGuarded, passphrase == nil {
        check.fail(
          "passphrase",
          "missing; the link has a PIN, and in a file nobody counts the tries: four digits fall in minutes.")
      }
      try check.finish(help: "Example: {\"passphrase\": \"four words that differ\", \"size\": 1280}")
    }
  }

  private func send(_ request: Request) async throws(HTTPError) -> Response {
    let (sent, index) = try await hub.readSent(request) { database, sent throws(StoreError) in
      (sent, try OneFileIndex(database, sent))
    }
    guard sent.withdrawnAt == nil else { throw HTTPError.sentHasEnded }
    guard !index.pictures.isEmpty else { throw HTTPError.nothingToSend }
    let form = try Form(request, isGuarded: !sent.pin.isEmpty)
    let place = try gate.enter()
    let file = OneFile(hub, index, passphrase: form.passphrase, edge: form.edge)
    let stream = ResponseStream(memory: ExportLimits.memory) { writer async throws(StreamFault) in
      defer { withExtendedLifetime(place) {} }
      do {
        try await file.write { piece in try await writer.write(piece) }
      } catch let fault as StreamFault {
        throw fault
      } catch {
        throw .broken("one file: \(error)")
      }
    }
    return Response(
      contentType: "text/html; charset=utf-8", body: .stream(stream), cacheControl: "no-store",
      fields: [.attachment("\(sent.title.filter { $0 != "/" }).html")])
  }
}
