import Crypto
import Device
import Glibc
import Lifecycle
import Notifications
import Wire

/// The files that extensions have attached to notifications: a folder for each in the agent's own. They go when the
/// notification is taken away, or when newer ones need the room.
final class AttachmentFiles {
  private let state: StateFolder
  private static let name = "attachments"

  init(_ state: StateFolder) { self.state = state }

  /// The absolute path of all the folders; the agent's own may have been renamed since the start.
  private var root: String? {
    guard let path = realpath("/proc/self/fd/\(state.descriptor)", nil) else { return nil }
    defer { free(path) }
    return "\(String(cString: path))/\(Self.name)"
  }

  /// Identifiers may have any characters.
  private static func prefix(_ id: String) -> String { Digest.hex(Digest.sha256(Array(id.utf8)).prefix(8)) }

  /// A new, empty folder for a notification; nil if it cannot be made.
  func make(for one: Showing) -> String? {
    guard let root else { return nil }
    let folder = "\(root)/\(Self.prefix(one.id)).\(one.version)"
    remove(folder)
    guard mkdir(root, 0o700) == 0 || errno == EEXIST, mkdir(folder, 0o700) == 0 else { return nil }
    return folder
  }

  /// Removes the folders of a notification.
  func forget(_ id: String) {
    guard let root else { return }
    for name in Self.names(in: root) where name.hasPrefix("\(Self.prefix(id)).") { remove("\(root)/\(name)") }
  }

  /// Removes the oldest folders, until the rest is within the limits.
  func prune() {
    guard let root else { return }
    var folders: [(path: String, made: Int, bytes: Int)] = []
    for name in Self.names(in: root) {
      let path = "\(root)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      folders.append((path, Int(status.st_mtim.tv_sec) * 1_000 + Int(status.st_mtim.tv_nsec) / 1_000_000, 0))
      for inner in Self.names(in: path) where lstat("\(path)/\(inner)", &status) == 0 {
        folders[folders.count - 1].bytes += Int(status.st_size)
      }
    }
    folders.sort { $0.made > $1.made }
    var bytes = 0
    for (index, folder) in folders.enumerated() {
      bytes += folder.bytes
      // The newest is about to be shown.
      if index > 0, index >= AgentLimits.attachmentFolders || bytes > AgentLimits.attachmentBytes {
        remove(folder.path)
      }
    }
  }

  /// The content with the files of its attachments in the place of their names: checked, with their paths and types.
  /// All other files in the folder are removed, and so is an empty folder.
  func attached(to content: JSON, in folder: String) throws(ExtensionFault) -> JSON {
    var kept: Set<String> = []
    var attachments: [JSON] = []
    for one in content["attachments"]?.array ?? [] {
      guard let file = one["file"] else {
        attachments.append(one)
        continue
      }
      guard let name = file.string else { throw .attachment }
      let type = try Self.type(of: name, in: folder, hint: one["type"]?.string)
      kept.insert(name)
      let rest = (one.members ?? []).filter { $0.name != "file" && $0.name != "type" }
      attachments.append(.object(rest + [.init("file", .string("\(folder)/\(name)")), .init("type", .string(type))]))
    }
    if kept.isEmpty {
      remove(folder)
    } else {
      for name in Self.names(in: folder) where !kept.contains(name) { remove("\(folder)/\(name)") }
    }
    return content.replacing("attachments") { _ in .array(attachments) }
  }

  /// The type of a file, by its content.
  private static func type(of name: String, in folder: String, hint: String?) throws(ExtensionFault) -> String {
    guard !name.isEmpty, name != ".", name != "..", !name.contains("/"), !name.utf8.contains(0) else {
      throw .attachment
    }
    let file = open("\(folder)/\(name)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw .attachment }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .attachment }
    var bytes = [UInt8](repeating: 0, count: min(Int(status.st_size), NotificationLimits.attachmentPrefix))
    guard bytes.withUnsafeMutableBytes({ pread(file, $0.baseAddress, $0.count, 0) }) == bytes.count,
      case .success(let type) = Attachment.check(prefix: bytes, size: Int64(status.st_size), hint: hint)
    else { throw .attachment }
    return type.name
  }

  private static func names(in folder: String) -> [String] { namesInFolder(folder) ?? [] }

  /// Removes a file, or a folder with all that is in it. What cannot be removed stays until `prune` comes by again.
  func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    for name in Self.names(in: path) { remove("\(path)/\(name)") }
    rmdir(path)
  }
}
