import Glibc
import Hub
import Notifications
import Sealed
import Server
import Settings
import Store
import Terminal
import Wire

/// The files and the private part of `eightbells push send`. Whatever is private is sealed here, in the sender's
/// process: neither the hub nor its data folder ever sees more than the boxes.
enum PushParts {
  static let options = [
    Option(
      "attach", "FILE",
      help: "a picture (10 MB at most), a sound (5 MB) or a film (50 MB) that is shown with it; repeatable"),
    Option("encrypt", help: "seal title, body, address and files: only devices with the key can open them"),
    Option("key", "FILE", help: "with --encrypt: the file of keys (~/.config/eightbells/keys.json)"),
    Option("fallback", "TEXT", help: "with --encrypt: what is shown where it cannot be opened"),
  ]

  /// Gives a file to the hub, and returns the name of its blob.
  typealias Keeping = (_ file: [UInt8]) async throws(CommandError) -> String

  /// The request as it is previewed: sealed if that is wanted, and without the files, which are not given to the hub.
  static func previewed(_ arguments: Arguments) throws(CommandError) -> JSON {
    let request = try PushRequest.body(arguments, needsRecipient: false)
    guard let key = try key(arguments) else { return request }
    return request.replacing(content: try sealed(request["content"] ?? .object([]), arguments, key))
  }

  /// The request, with its files given to the hub, and sealed if that is wanted.
  static func request(_ arguments: Arguments, keep: Keeping) async throws(CommandError) -> JSON {
    let request = try PushRequest.body(arguments)
    let key = try key(arguments)
    var content = request["content"]?.members ?? []
    let files = try await attachments(arguments, isSealed: key != nil, keep)
    if !files.isEmpty {
      let named = content.first { $0.name == "attachments" }?.value.array ?? []
      content.removeAll { $0.name == "attachments" }
      content.append(.init("attachments", .array(named + files)))
    }
    let whole = JSON.object(content)
    guard let key else { return request.replacing(content: whole) }
    return request.replacing(content: try sealed(whole, arguments, key))
  }

  private static func sealed(
    _ content: JSON, _ arguments: Arguments, _ key: PrivateKey
  ) throws(CommandError) -> JSON {
    // The hub cannot check what is in the box.
    if case .failure(let refusal) = checkContent(content.bytes) {
      throw CommandError(usage: "content: \(refusal.text)")
    }
    do throws(SealedError) {
      return try SealedContent.seal(content, fallback: arguments["fallback"], with: key)
    } catch {
      throw CommandError(usage: error.message)
    }
  }

  /// The key to seal with; nil without --encrypt.
  private static func key(_ arguments: Arguments) throws(CommandError) -> PrivateKey? {
    guard arguments.has("encrypt") else {
      if let one = ["key", "fallback"].first(where: { arguments.has($0) }) {
        throw CommandError(usage: "--\(one) needs --encrypt.")
      }
      return nil
    }
    let file = try KeyCommands.file(arguments)
    let ring = try KeyCommands.read(file)
    guard let key = ring.current else {
      let revoked = ring.revoked.last.map { "the key \($0) was revoked, and there is no other" }
      throw CommandError(
        "\(file.path): \(revoked ?? "there is no key"); `eightbells key create` makes one.")
    }
    return key
  }

  // MARK: Files

  private static func attachments(
    _ arguments: Arguments, isSealed: Bool, _ keep: Keeping
  ) async throws(CommandError) -> [JSON] {
    var entries: [JSON] = []
    for (index, path) in arguments.all("attach").enumerated() {
      let file = try read(path, atMost: isSealed ? SealedLimits.fileBytes : BellsLimits.attachmentBytes)
      let prefix = Array(file.prefix(AttachmentType.prefix))
      let type: String
      switch Attachment.check(prefix: prefix, size: Int64(file.count), hint: nil) {
      case .success(let found): type = found.name
      case .failure(let refusal): throw CommandError(usage: "\(path): \(refusal.text)")
      }
      let sealed: SealedFile?
      do throws(SealedError) {
        sealed = isSealed ? try SealedFile(sealing: file) : nil
      } catch {
        throw CommandError(usage: error.message)
      }
      let blob = try await keep(sealed?.bytes ?? file)
      // The id can be read by the hub, so it is not the file's name.
      entries.append(
        .object(
          [.init("id", .string("file-\(index + 1)")), .init("url", .string("\(AttachmentRoutes.path)/\(blob)"))]
            + (sealed?.members(type: type) ?? [.init("type", .string(type))])))
    }
    return entries
  }

  private static func read(_ path: String, atMost limit: Int) throws(CommandError) -> [UInt8] {
    guard let file = fopen(path, "r") else {
      throw CommandError("Cannot read \(path): \(String(cString: strerror(errno))).")
    }
    defer { fclose(file) }
    var status = stat()
    guard fstat(fileno(file), &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
      throw CommandError("\(path) is no file, or has more than \(limit) bytes.")
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }

  /// Keeps a file in a hub's data folder.
  static func keep(_ file: [UInt8], _ hub: Hub) async throws(CommandError) -> String {
    do {
      let type = try AttachmentType.name(
        of: Array(file.prefix(AttachmentType.prefix)), size: file.count, hint: nil)
      let upload = hub.store.blobs.upload(limit: BellsLimits.attachmentBytes)
      try await upload.append(file)
      let blob = try await upload.finish()
      return try await hub.commit(as: .commandLine) { change in
        try KeptAttachment.keep(blob, type: type, in: change).name
      }
    } catch let refusal as HTTPError {
      throw CommandError(Layout.plain(refusal.error))
    } catch let error as StoreError {
      throw CommandError(storeError: error)
    } catch {
      throw CommandError("\(error)")
    }
  }
}

extension JSON {
  /// A request with another content.
  fileprivate func replacing(content: JSON) -> JSON {
    .object((members ?? []).map { $0.name == "content" ? .init($0.name, content) : $0 })
  }
}
