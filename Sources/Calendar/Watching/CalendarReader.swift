public import Client
import Glibc
public import Lifecycle
public import Wire

/// Reads calendars from the web and from files.
public struct CalendarReader: Sendable {
  let client: HTTPClient
  let time: any TimeSource
  let googleBase: String
  let folders: [String]
  private let listed: [AddressRange]

  /// - Parameters:
  ///   - googleBase: the address of the Google Calendar API, such as "https://www.googleapis.com/calendar/v3".
  ///   - folders: where files may be read; a relative address is in the first.
  ///   - listed: networks to which passwords may go without TLS, by numeric address.
  public init(
    client: HTTPClient, time: any TimeSource, googleBase: String, folders: [String], listed: [AddressRange] = []
  ) {
    precondition(!folders.isEmpty, "a reader of calendars needs a folder")
    self.listed = listed
    self.client = client
    self.time = time
    self.googleBase = googleBase
    self.folders = folders
  }

  /// Reads what is newer than the stored copy, which `copy` loads if needed. Runs where its caller does: a file is read
  /// on the caller's thread.
  public nonisolated(nonsending) func read(
    _ calendar: CalendarSource, _ kept: KeptCalendar, name: String? = nil,
    copy: () async -> [UInt8]? = { nil }
  ) async -> CalendarReading {
    do throws(LookFailure) {
      switch calendar.origin {
      case .ics: return try await readFile(kept)
      case .google(let id, let key):
        return try await GoogleReader(client: client, time: time, base: googleBase).read(
          kept, id: id, key: key, name: name, copy: copy)
      case .caldav(let url, let user, let password):
        guard var reader = CalDAVReader(client: client, time: time, url: url, user: user, password: password) else {
          throw LookFailure(Reason(.calDAVAddress))
        }
        guard password == nil || maySend(to: reader.origin) else { throw LookFailure(Reason(.calDAVPlain)) }
        return try await reader.read(kept, name: name, copy: copy)
      case .upload:
        // The uploaded file is the copy.
        guard kept.digest != nil else { throw LookFailure(Reason(.notUploaded)) }
        return .unchanged(etag: kept.etag)
      }
    } catch {
      return .failed(error)
    }
  }

  /// True if a password may go there.
  private func maySend(to origin: String) -> Bool {
    do throws(TargetAddress.Fault) {
      _ = try TargetAddress("\(origin)/", longest: CalendarLimits.lineBytes, listed: listed)
      return true
    } catch {
      // Networks that may not be reached are the client's matter.
      return error != .notSecure
    }
  }

  private nonisolated(nonsending) func readFile(_ kept: KeptCalendar) async throws(LookFailure) -> CalendarReading {
    if kept.url.lowercased().hasPrefix("file:") { return try readLocalFile(kept) }
    let request = FetchRequest(
      kept.url, fields: [("Accept", "text/calendar, text/plain;q=0.5, */*;q=0.1")],
      validators: kept.digest == nil ? Validators() : Validators(etag: kept.etag, lastModified: kept.lastModified),
      bodyLimit: CalendarLimits.bytes)
    let response = try await client.look(request)
    // A 304 need not repeat the entity tag.
    if response.isUnchanged { return .unchanged(etag: kept.etag) }
    guard response.status == 200 else {
      throw LookFailure(
        Reason(.serverAnswered, ["status": .number(response.status)]),
        retryAfter: retryAfterSeconds(response["retry-after"], now: Int(time.now)))
    }
    let validators = response.validators
    let body = inUTF8(response.body, contentType: response["content-type"])
    return .new(body, etag: validators.etag, lastModified: validators.lastModified)
  }

  /// Reads a file, unless its size and time of change are those of the copy.
  private func readLocalFile(_ kept: KeptCalendar) throws(LookFailure) -> CalendarReading {
    guard let path = Self.path(of: kept.url, dataFolder: folders[0]) else { throw LookFailure(Reason(.noFileHere)) }
    guard let real = Self.realPath(path) else { throw LookFailure(Self.fileProblem(path)) }
    guard folders.contains(where: { Self.isInside(real, Self.realPath($0) ?? $0) }) else {
      throw LookFailure(Reason(.fileOutside))
    }
    let descriptor = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw LookFailure(Self.fileProblem(real)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw LookFailure(Reason(.noRegularFile))
    }
    let size = Int(status.st_size)
    guard size <= CalendarLimits.bytes else {
      throw LookFailure(Reason(.fileTooLarge, ["bytes": .number(size), "limit": .number(CalendarLimits.bytes)]))
    }
    let tag = "\(size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    if kept.digest != nil, kept.etag == tag { return .unchanged(etag: tag) }
    guard let body = Self.read(descriptor, count: size) else { throw LookFailure(Self.fileProblem(real)) }
    return .new(body, etag: tag, lastModified: nil)
  }

  /// The problem of a file without its path, since everyone may read a calendar's problem.
  private static func fileProblem(_ path: String) -> Reason {
    switch errno {
    case ENOENT, ENOTDIR: Reason(.fileMissing)
    case EACCES where isHiddenHome(path): Reason(.fileHidden)
    case EACCES, EPERM: Reason(.fileForbidden)
    case let code: Reason(.fileUnreadable, ["words": .text(String(cString: strerror(code)))])
    }
  }

  private static func read(_ descriptor: Int32, count: Int) -> [UInt8]? {
    var isBroken = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while initialized < count {
        let got = Glibc.read(descriptor, buffer.baseAddress! + initialized, count - initialized)
        if got < 0, errno == EINTR { continue }
        isBroken = got < 0
        if got <= 0 { break }
        initialized += got
      }
    }
    return isBroken ? nil : bytes
  }

  /// True if a file: address leads into one of the folders, judged by its text; a symbolic link may still lead out.
  public static func isInside(_ url: String, _ folders: [String]) -> Bool {
    guard let path = path(of: url, dataFolder: folders[0]) else { return false }
    // Compared as bytes, as the system does: in Swift, a "/" with a combining accent is another character.
    let leadsUp = path.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
    return !leadsUp && folders.contains { isInside(path, $0) }
  }

  /// The path of an address: "file:///a/b" and "file:/a/b" are absolute, "file:b" is in the data folder; nil for a file
  /// of another machine.
  public static func path(of url: String, dataFolder: String) -> String? {
    guard let decoded = percentDecoded(url), !decoded.utf8.contains(0) else { return nil }
    var rest = decoded.dropFirst("file:".count)
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      if rest.hasPrefix("localhost/") { rest = rest.dropFirst("localhost".count) }
      guard rest.hasPrefix("/") else { return nil }
    }
    return rest.hasPrefix("/") ? String(rest) : "\(dataFolder)/\(rest)"
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  private static func isInside(_ path: String, _ folder: String) -> Bool {
    path.utf8.starts(with: (folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/").utf8)
  }
}

extension Reason.Kind {
  static let notUploaded = Self("not-uploaded", "no file has been uploaded for it yet")
  static let noFileHere = Self("no-file-here", "the address names no file on this machine")
  static let fileOutside = Self(
    "file-outside", "the file lies outside the data folder and the folders of calendar_folders")
  static let noRegularFile = Self("no-regular-file", "it is no regular file")
  static let fileTooLarge = Self("file-too-large", "the file has {bytes} bytes; {limit} are accepted")
  static let fileMissing = Self("file-missing", "the file cannot be read: there is none")
  static let fileForbidden = Self("file-forbidden", "the file cannot be read: the hub's user may not")
  static let fileHidden = Self(
    "file-hidden", "the file cannot be read: the hub's service sees nothing below /home (ProtectHome)")
  static let fileUnreadable = Self("file-unreadable", "the file cannot be read: {words}")
}
