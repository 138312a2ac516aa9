public import CivilTime
import Glibc
import Synchronization

/// The reason why a time zone of this system cannot be used.
public enum SystemZoneError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The name is not an IANA name, or this system has no zone of that name.
  case unknown(String)
  /// The zone's file exists and cannot be used.
  case unreadable(String, ZoneError)

  public var description: String {
    switch self {
    case .unknown(let name):
      "Unknown time zone: \"\(name)\"; accepted are IANA names such as Europe/Berlin."
    case .unreadable(let name, let reason):
      "Unreadable time zone: \"\(name)\". \(reason.description)"
    }
  }
}

/// The rules of a time zone from this system's zone files, by its IANA name ("Europe/Berlin", "UTC").
///
/// The files are in the folder named by the environment variable TZDIR, else in /usr/share/zoneinfo. A zone is read
/// once; a newer tzdata is used from the next start on. Names from outside cannot lead out of the folder.
public func systemZone(_ name: String) throws(SystemZoneError) -> Zone {
  if name == "UTC" { return Zone.utc }
  if let known = zones.withLock({ $0[name] }) { return known }
  guard isZoneName(name), let bytes = zoneFile(name) else { throw SystemZoneError.unknown(name) }
  let zone: Zone
  do throws(ZoneError) {
    zone = try Zone(name: name, zoneFile: bytes)
  } catch {
    // The folder also contains tables that are not zones, such as tzdata.zi.
    throw error == .notZoneFile ? SystemZoneError.unknown(name) : SystemZoneError.unreadable(name, error)
  }
  zones.withLock { $0[name] = zone }
  return zone
}

/// True if a name has the form of an IANA name: parts of letters, digits and "._+-", separated by single slashes, none
/// of which begins with a dot.
public func isZoneName(_ name: String) -> Bool {
  guard !name.isEmpty, name.utf8.count <= longestZoneName else { return false }
  return name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
    guard let first = part.utf8.first, first != UInt8(ascii: "."), first != UInt8(ascii: "-") else { return false }
    return part.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "+"),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
  }
}

/// The name of a zone of this system in its own case, from one in lower case ("europe/berlin"); nil if there is none.
public func systemZoneName(inAnyCase name: String) -> String? { zoneNames[name] }

/// The names of the zone files by their lower case, two folders deep ("America/Argentina/Ushuaia"). They are listed
/// once; "posix" and "right" repeat all others.
private let zoneNames: [String: String] = {
  var names: [String: String] = [:]
  func list(_ path: String, depth: Int) {
    guard let folder = opendir("\(zoneFolder())/\(path)") else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      let whole = path.isEmpty ? name : "\(path)/\(name)"
      guard isZoneName(name), whole != "posix", whole != "right", names.count < mostZoneNames else { continue }
      if entry.pointee.d_type == UInt8(DT_DIR) {
        if depth < 2 { list(whole, depth: depth + 1) }
      } else {
        names[whole.lowercased()] = whole
      }
    }
  }
  list("", depth: 0)
  return names
}()

/// The IANA database has about 600.
private let mostZoneNames = 10_000

private func zoneFolder() -> String { getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo" }

/// The longest name accepted, in bytes; the longest of the IANA database has 32 ("America/Argentina/ComodRivadavia").
private let longestZoneName = 64

/// The largest zone file accepted, in bytes; the largest of the IANA database has fewer than 4,000.
private let largestZoneFile = 1 << 20

private let zones = Mutex<[String: Zone]>([:])

/// A zone's file; nil if it is missing, a folder or too large.
private func zoneFile(_ name: String) -> [UInt8]? {
  let descriptor = open("\(zoneFolder())/\(name)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var information = stat()
  guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
    (1...largestZoneFile).contains(Int(information.st_size))
  else { return nil }
  var bytes = [UInt8](repeating: 0, count: Int(information.st_size))
  var filled = 0
  while filled < bytes.count {
    let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + filled, $0.count - filled) }
    if count < 0 && errno == EINTR { continue }
    guard count > 0 else { return nil }
    filled += count
  }
  return bytes
}
