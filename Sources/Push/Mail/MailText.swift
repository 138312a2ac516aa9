import CivilTime
import Crypto

/// A mail as it is handed over (RFC 5322): plain text and HTML of the same content. Nothing of what it says can become
/// a header: control characters are spaces, and all that is not plain ASCII is encoded.
public struct MailText: Equatable, Sendable {
  public var from: MailAddress
  /// The sender's name, such as that of the space.
  public var fromName: String
  public var to: MailAddress
  /// An answer goes there; nil: to the sender.
  public var replyTo: MailAddress?
  public var subject: String
  public var plain: String
  public var html: String
  /// The part of its id before the "@": letters, digits, "." and "-".
  public var id: String
  /// Mails of one thread are shown together; any text.
  public var thread: String?
  /// Seconds since 1970.
  public var date: Double
  /// JPEGs that the HTML shows, as `cid:ID` (RFC 2392).
  public var pictures: [Picture] = []

  public struct Picture: Equatable, Sendable {
    /// Letters and digits.
    public var id: String
    public var jpeg: [UInt8]

    public init(id: String, jpeg: [UInt8]) { (self.id, self.jpeg) = (id, jpeg) }
  }

  public init(
    from: MailAddress, fromName: String, to: MailAddress, subject: String, plain: String, html: String, id: String,
    thread: String? = nil, date: Double
  ) {
    self.from = from
    self.fromName = fromName
    self.to = to
    self.subject = subject
    self.plain = plain
    self.html = html
    self.id = id
    self.thread = thread
    self.date = date
  }

  public var bytes: [UInt8] {
    let host = from.text.split(separator: "@").last ?? "localhost"
    // No line of base64 begins so.
    let boundary = "=_\(Digest.hex(Digest.sha256(Array("\(id) \(subject)".utf8)).prefix(12)))"
    var lines = [
      "From: \(Self.phrase(fromName))<\(from.text)>", "To: <\(to.text)>", "Subject: \(Self.header(subject))",
      "Date: \(Self.written(date))", "Message-ID: <\(id)@\(host)>",
    ]
    if let replyTo { lines.append("Reply-To: <\(replyTo.text)>") }
    if let thread {
      // Mail programs show together what refers to the same mail, even to one that was never sent.
      let root = Digest.hex(Digest.sha256(Array("\(to.text) \(thread)".utf8)).prefix(12))
      lines += ["In-Reply-To: <thread-\(root)@\(host)>", "References: <thread-\(root)@\(host)>"]
    }
    lines += [
      // No answering machine is to answer (RFC 3834 section 5).
      "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
    ]
    // The pictures stand beside both texts (RFC 2387).
    let outer = "\(boundary)-r"
    if !pictures.isEmpty {
      let type = "multipart/related; type=\"multipart/alternative\"; boundary=\"\(outer)\""
      lines += ["Content-Type: \(type)", "", "--\(outer)"]
    }
    lines += ["Content-Type: multipart/alternative; boundary=\"\(boundary)\"", ""]
    for (type, text) in [("plain", plain), ("html", html)] {
      lines += [
        "--\(boundary)", "Content-Type: text/\(type); charset=utf-8", "Content-Transfer-Encoding: base64", "",
      ]
      lines += Self.base64Lines(Array(text.utf8))
      lines.append("")
    }
    lines += ["--\(boundary)--", ""]
    for picture in pictures {
      lines += [
        "--\(outer)", "Content-Type: image/jpeg", "Content-Transfer-Encoding: base64",
        "Content-ID: <\(picture.id)>", "Content-Disposition: inline; filename=\"\(picture.id).jpg\"", "",
      ]
      lines += Self.base64Lines(picture.jpeg)
      lines.append("")
    }
    if !pictures.isEmpty { lines += ["--\(outer)--", ""] }
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  /// As RFC 5322 section 3.3 wants it, in UTC and without the day of the week.
  private static func written(_ date: Double) -> String {
    let text = timestamp(EpochSeconds(date), in: .utc)
    let parts = text.prefix(10).split(separator: "-")
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return "\(parts[2]) \(months[(Int(parts[1]) ?? 1) - 1]) \(parts[0]) \(text.dropFirst(11).prefix(8)) +0000"
  }

  private static func base64Lines(_ bytes: [UInt8]) -> [String] {
    let characters = Array(Digest.base64(bytes))
    return stride(from: 0, to: characters.count, by: 76).map {
      String(characters[$0..<min($0 + 76, characters.count)])
    }
  }

  // MARK: Headers

  /// A text as the value of a header: as it is if that is short and plain, else in encoded words (RFC 2047).
  static func header(_ text: String) -> String {
    let line = oneLine(text)
    let isPlain = line.utf8.count <= 60 && line.utf8.allSatisfy { (32...126).contains($0) } && !line.contains("=?")
    return isPlain ? line : words(line)
  }

  /// The name in front of an address, with a space behind it.
  private static func phrase(_ name: String) -> String {
    let line = oneLine(name)
    if line.isEmpty { return "" }
    let isAtoms =
      line.utf8.count <= 60
      && line.allSatisfy { $0 == " " || $0.isASCII && ($0.isLetter || $0.isNumber) }
    return (isAtoms ? line : words(line)) + " "
  }

  private static func words(_ text: String) -> String {
    var words: [String] = []
    var word = ""
    for character in text {
      if !word.isEmpty, word.utf8.count + character.utf8.count > MailLimits.wordBytes {
        words.append(word)
        word = ""
      }
      // One character alone may be longer than a word: of such, no more is taken than fits.
      for scalar in character.unicodeScalars
      where word.utf8.count + String(scalar).utf8.count <= MailLimits.wordBytes { word.unicodeScalars.append(scalar) }
    }
    if !word.isEmpty { words.append(word) }
    return words.map { "=?UTF-8?B?\(Digest.base64(Array($0.utf8)))?=" }.joined(separator: "\r\n ")
  }

  private static func oneLine(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl =
        scalar.value < 32 || (127...159).contains(scalar.value) || [0x2028, 0x2029].contains(scalar.value)
      scalars.append(isControl ? " " : scalar)
    }
    return String(scalars).split(separator: " ").joined(separator: " ")
  }
}
