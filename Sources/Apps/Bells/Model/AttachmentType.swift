import Notifications
import Server

/// The type of a file that was sent, by the rules that devices have as well.
enum AttachmentType {
  /// Bytes of its beginning that tell the type.
  static let prefix = NotificationLimits.attachmentPrefix

  /// - Parameters:
  ///   - size: bytes of the whole file.
  ///   - hint: what the request says of it; it may only agree.
  /// - Throws: 415 for a file of no accepted type, of another one than was said, or too large for its type.
  static func name(of prefix: [UInt8], size: Int, hint: String?) throws(HTTPError) -> String {
    // Programs that say nothing of the type send one of these.
    let unsaid = ["application/octet-stream", "application/x-www-form-urlencoded"]
    let hint = hint.flatMap { unsaid.contains($0) ? nil : $0 }
    switch Attachment.check(prefix: prefix, size: Int64(size), hint: hint) {
    case .success(let type): return type.name
    case .failure(let refusal):
      throw HTTPError(
        .unsupportedAttachment, refusal.faults.map { "\($0.field): \($0.sentence)" }.joined(separator: " "),
        help: "Pictures of 10 MB, sounds of 5 MB and films of 50 MB are accepted.")
    }
  }
}
