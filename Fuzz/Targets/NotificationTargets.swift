import CivilTime
import Notifications
import Wire

/// Texts from senders, pages and devices, given to the notifications' rules.
nonisolated(unsafe) let notificationTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "notification": { bytes in
    let text = Array(bytes)
    // Questions are answered, whatever they are.
    require((try? JSON(parsing: Notifications.answer(text))) != nil, "an answer is JSON")
    guard case .success(let normal) = checkContent(text) else { return }
    // A content that was accepted keeps its value, as the hub's other JSON reader sees it, and is accepted again
    // unchanged.
    require(normal.count <= NotificationLimits.contentBytes)
    require((try? JSON(parsing: text)) != nil && (try? JSON(parsing: text)) == (try? JSON(parsing: normal)))
    guard case .success(let content) = Content.check(normal), content.text == normal else {
      fatalError("not accepted again")
    }
    // It can be cut to half its size, or it cannot; what was cut is a content too.
    if let half = content.text(bytes: normal.count / 2) {
      guard case .success(let cut) = Content.check(half), cut.isCut, half.count <= normal.count / 2 else {
        fatalError(String(decoding: half, as: UTF8.self))
      }
    }
    _ = Presentation(content, settings: DeviceSettings(authorization: .authorized), state: DeviceState())
  },
  "attachment": { bytes in
    let prefix = Array(bytes)
    guard case .success(let type) = Attachment.check(prefix: prefix, size: 1, hint: nil) else { return }
    // The type found is one that a hint may name, and that hint is accepted.
    guard case .success(let again) = Attachment.check(prefix: prefix, size: 1, hint: type.name) else {
      fatalError("\(type) is not accepted as \(type.name)")
    }
    require(again == type)
    let most = Int64(type.kind.bytes)
    guard case .success = Attachment.check(prefix: prefix, size: most, hint: nil),
      case .failure = Attachment.check(prefix: prefix, size: most + 1, hint: nil)
    else { fatalError("the size of \(type)") }
  },
]
