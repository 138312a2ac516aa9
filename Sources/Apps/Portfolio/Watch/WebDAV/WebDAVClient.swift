import Client
import Crypto
import Galleries
import Wire
import XML

/// Asks a WebDAV server: what a folder has, and for files.
struct WebDAVClient: Sendable {
  private static let question = """
    <?xml version="1.0" encoding="utf-8"?><d:propfind xmlns:d="DAV:"><d:prop><d:getetag/><d:getlastmodified/>\
    <d:getcontentlength/><d:resourcetype/></d:prop></d:propfind>
    """
  /// Bytes of a list: some 60,000 entries.
  private static let listBytes = 48 << 20
  /// Bytes of a file that come in one answer; what is larger comes in parts.
  private static let partBytes = 64 << 20
  private static let redirects = 3
  private let client: HTTPClient
  private let origin: String
  private let credentials: SourceCredentials

  init(_ client: HTTPClient, origin: String, _ credentials: SourceCredentials) {
    (self.client, self.origin, self.credentials) = (client, origin, credentials)
  }

  // MARK: Folders

  /// The entries of a folder, in the order of names; hidden entries are left out. Their paths are as the server writes
  /// them, and end in a slash for folders.
  /// - Parameter isInner: true for a folder of one that has just been listed, so that a refusal is about it alone.
  /// - Throws: `.gone` if there is no such folder; `.broken` for an inner one that the server does not list.
  func entries(of path: String, user: String?, isInner: Bool = false) async throws(SourceFault) -> [FolderEntry] {
    var request = FetchRequest(
      origin + path, method: "PROPFIND",
      fields: [("Depth", "1"), ("Content-Type", "application/xml; charset=utf-8")], body: Array(Self.question.utf8),
      bodyLimit: Self.listBytes, redirects: 0)
    let answer = try await send(&request, user)
    // Such as a folder of administrators, and a disk of Nextcloud's that is away. With a time to wait it is the server.
    if isInner, [403, 500, 503].contains(answer.status), answer["retry-after"] == nil {
      throw .broken(Reason(.serverAnswered, ["status": .number(answer.status)]))
    }
    switch answer.status {
    case 207: break
    case 401, 403: throw .denied(Reason(.serverAnswered, ["status": .number(answer.status)]))
    case 404, 405, 410, 501: throw .gone
    case 429, 500...: throw Self.later(answer)
    default: throw .unreachable(Reason(.notWebDAV, ["status": .number(answer.status)]))
    }
    guard let list = try? Multistatus(answer.body, atMost: PortfolioLimits.entries) else {
      throw .unreachable(Reason(.notWebDAV, ["status": .number(207)]))
    }
    try SourceFault.demand(list.entries.count, atMost: PortfolioLimits.entries)
    let folder = percentDecoded(Self.path(of: request.url, origin) ?? path) ?? path
    guard list.entries.contains(where: { place(of: $0.href, in: folder) == "" && $0.isFolder }) else {
      throw .unreachable(Reason(.notWebDAV, ["status": .number(207)]))
    }
    return list.entries.compactMap { entry in self.entry(entry, in: folder) }.listed
  }

  private func entry(_ entry: Multistatus.Entry, in folder: String) -> FolderEntry? {
    guard let name = place(of: entry.href, in: folder), !name.isEmpty, !name.contains("/"), !FolderEntry.isHidden(name),
      let path = Self.path(of: entry.href, origin)
    else { return nil }
    return FolderEntry(
      name: name, path: entry.isFolder && path.last != "/" ? path + "/" : path, isFolder: entry.isFolder,
      // Without an entity tag, size and time.
      version: Self.short(entry.etag ?? "\(entry.length ?? -1) \(entry.modified ?? "")"), bytes: entry.length,
      etag: entry.etag)
  }

  /// A version that fits into a row, whatever the server says.
  private static func short(_ version: String) -> String {
    version.utf8.count <= GalleryLimits.id ? version : Digest.hex(Digest.sha256(version.utf8))
  }

  /// The decoded path below a folder, without a slash at its end; nil for what is not below it: some servers list more
  /// than they were asked for.
  private func place(of href: String, in folder: String) -> String? {
    guard let path = Self.path(of: href, origin).flatMap({ percentDecoded($0) }), path.utf8.count < 4_000 else {
      return nil
    }
    let whole = path.last == "/" ? path : path + "/"
    guard whole.hasPrefix(folder), !whole.contains("/../") else { return nil }
    return String(whole.dropFirst(folder.count).dropLast())
  }

  /// The path of an address at this server; nil for another server's. One behind a proxy that encrypts for it may write
  /// http: in its own addresses.
  static func path(of href: String, _ origin: String) -> String? {
    let tidy = WebDAVAddress.tidied(href)
    if tidy.hasPrefix("/") { return tidy.hasPrefix("//") ? nil : tidy }
    let plain = origin.hasPrefix("https:") ? "http\(origin.dropFirst("https".count))" : origin
    let lower = tidy.lowercased()
    return [origin, plain].first { lower.hasPrefix($0 + "/") }.map { String(tidy.dropFirst($0.count)) }
  }

  // MARK: Files

  /// Fetches a file, in parts if it is large.
  /// - Parameter bytes: its size as the folder's list says; another one is a fault.
  func fetch(_ path: String, bytes: Int?, user: String?, into file: any PictureFile) async throws(SourceFault) {
    let isLarge = (bytes ?? 0) > Self.partBytes
    var (taken, part) = (0, 0)
    repeat {
      var request = FetchRequest(
        origin + path, timeout: 600, bodyLimit: min(Self.partBytes, file.limit) + 1, redirects: 0)
      if isLarge { request.fields = [("Range", "bytes=\(taken)-\(taken + Self.partBytes - 1)")] }
      let answer = try await send(&request, user)
      switch answer.status {
      case 200 where !isLarge, 206 where isLarge: break
      case 404, 410: throw .gone
      case 429, 500...: throw Self.later(answer)
      case 401: throw .denied(Reason(.serverAnswered, ["status": .number(401)]))
      default: throw .broken(Reason(.serverAnswered, ["status": .number(answer.status)]))
      }
      guard answer["content-type"]?.lowercased().hasPrefix("text/html") != true else {
        throw .broken(Reason(.pageInstead))
      }
      part = answer.body.count
      taken += part
      try await file.append(answer.body)
      // A server that gives less than is asked for, such as byte by byte, would be asked for ever.
    } while part == Self.partBytes && taken < (bytes ?? 0)
    guard bytes == nil || taken == bytes else {
      throw .broken(Reason(.otherSize, ["count": .number(taken), "expected": .number(bytes ?? 0)]))
    }
  }

  // MARK: Sending

  /// Sends a request; follows redirects within the server, which gets the password. `request.url` is the last address.
  private func send(_ request: inout FetchRequest, _ user: String?) async throws(SourceFault) -> FetchResponse {
    if let name = user ?? credentials["user"] {
      let pair = Array("\(name):\(credentials["password"] ?? "")".utf8)
      request.fields.append(("Authorization", "Basic \(Digest.base64(pair))"))
    }
    for _ in 0...Self.redirects {
      let answer: FetchResponse
      do throws(FetchError) {
        answer = try await client.fetch(request)
      } catch {
        throw Self.fault(error, at: request.url, isFile: request.method == "GET")
      }
      guard [301, 302, 307, 308].contains(answer.status), let next = answer["location"] else { return answer }
      guard let path = Self.path(of: next, origin) else { throw .denied(Reason(.sentElsewhere)) }
      request.url = origin + path
    }
    throw .unreachable(Reason(.sentElsewhere))
  }

  private static func fault(_ error: FetchError, at url: String, isFile: Bool) -> SourceFault {
    switch error {
    case .cancelled: .cancelled
    // A name may lead elsewhere later: a router without a line to the Internet may answer with an address of its own.
    case .refusedAddress where !TargetAddress.hasNumericHost(url): .unreachable(error.explanation)
    case .refusedAddress, .address, .malformed: .denied(error.explanation)
    case .tooLarge, .tooManyFields: .broken(error.publicExplanation)
    case .stalled, .timeout, .transfer(.broken, _):
      isFile ? .broken(error.publicExplanation) : .unreachable(error.publicExplanation)
    case .transfer: .unreachable(error.publicExplanation)
    }
  }

  private static func later(_ answer: FetchResponse) -> SourceFault {
    .later(
      seconds: answer["retry-after"].flatMap(Double.init).map { min(max(1, $0), PortfolioLimits.lookSeconds) },
      Reason(.serverAnswered, ["status": .number(answer.status)]))
  }
}

extension Reason.Kind {
  static let notWebDAV = Self("portfolio-not-webdav", "the server does not answer as WebDAV does (status {status})")
  static let pageInstead = Self("portfolio-page-instead", "the server sent a page instead of the file")
  static let otherSize = Self("portfolio-other-size", "{count} bytes came, where {expected} were promised")
  static let sentElsewhere = Self("portfolio-sent-elsewhere", "the server sends on to another address")
}
