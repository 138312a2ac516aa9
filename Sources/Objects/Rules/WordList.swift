import Glibc

/// A list of words that Debian has as a package. It is read when it is first asked for, which takes a moment.
public enum WordList: String, Sendable {
  /// 356,000 words.
  case german
  /// 104,000 words.
  case english

  var name: String { self == .german ? "German" : "English" }

  private var file: String { self == .german ? "/usr/share/dict/ngerman" : "/usr/share/dict/american-english" }
  private var package: String { self == .german ? "wngerman" : "wamerican" }

  private static let ofGerman = Words(path: WordList.german.file)
  private static let ofEnglish = Words(path: WordList.english.file)

  /// True if it has the word; small and capital letters are the same.
  /// - Throws: 1 if the list is not installed.
  public func contains(_ word: String) throws(ObjectError) -> Bool {
    let words = self == .german ? Self.ofGerman : Self.ofEnglish
    guard let words else {
      throw .failed("The hub's machine has no \(name) dictionary; the package \(package) brings it.")
    }
    return words.contains(word)
  }
}

/// Words by their digests, of which 356,000 are in 4 MB: two words with the same digest are not to be feared in a list
/// of this size, and nothing hangs on it.
struct Words: Sendable {
  private var digests: Set<UInt64> = []

  /// Nil if the file cannot be read.
  init?(path: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var line: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(file, &buffer, buffer.count)
      guard count >= 0 else { return nil }
      if count == 0 { break }
      for byte in buffer[..<count] {
        if byte == UInt8(ascii: "\n") {
          take(line)
          line.removeAll(keepingCapacity: true)
        } else {
          line.append(byte)
        }
      }
    }
    take(line)
  }

  private mutating func take(_ line: [UInt8]) {
    if !line.isEmpty { digests.insert(Self.digest(line)) }
  }

  func contains(_ word: String) -> Bool { !word.isEmpty && digests.contains(Self.digest(Array(word.utf8))) }

  /// The 64-bit FNV-1a hash of a word in small letters.
  private static func digest(_ word: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    if word.allSatisfy({ $0 < 128 }) {
      for byte in word { add((65...90).contains(byte) ? byte | 32 : byte) }
    } else {
      for byte in String(decoding: word, as: UTF8.self).lowercased().utf8 { add(byte) }
    }
    return hash
  }
}
