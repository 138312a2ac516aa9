import Hub
import Notifications
import Objects
import Observe
import Server
import Store
import Wire

/// Rings what the classes of apps want to be rung, within the commit of an object.
final class ObjectRings: Sendable {
  private let buckets: TokenBuckets<Int>
  private let hub: Hub

  init(_ hub: Hub) {
    self.hub = hub
    buckets = TokenBuckets(most: AppsLimits.apps, for: 3_600, time: hub.time)
  }

  /// - Parameter schema: that of the object's class.
  func ring(_ object: ObjectChange, _ schema: ClassSchema, in change: Change) throws {
    let moment: ClassRing.Moment = object.before == nil ? .create : object.after == nil ? .delete : .update
    guard let about = object.after ?? object.before else { return }
    for json in schema.rings where json["on"]?.string == moment.rawValue {
      // It was checked when it was set.
      guard let ring = try? ClassRing(json) else { continue }
      // A loop in an app's program must not wake everybody for ever. The object is written nonetheless.
      guard buckets.take(object.app, AppsLimits.rings) == nil else {
        hub.log.warning("an app rings too often", ["app": "\(object.app)", "class": schema.name])
        return
      }
      let picture = try picture(ring, object, about, in: change)
      try change.ring("\(BackendRoom.id).object", ring.bell(about: about, picture: picture).json)
    }
  }

  /// The picture that a ring shows. Without a file, or with one that devices do not show, it rings with words alone.
  private func picture(
    _ ring: ClassRing, _ object: ObjectChange, _ about: StoredObject, in change: Change
  ) throws(StoreError) -> Bell.Picture? {
    guard let name = ring.picture.flatMap({ about[$0] })?["name"]?.string,
      let file = try change.database.file(name, of: object.app)
    else { return nil }
    guard Self.types.contains(file.type), file.size <= NotificationLimits.imageBytes else {
      hub.log.info(
        "an app rings without a picture",
        [
          "app": "\(object.app)", "class": about.className, "type": file.type, "bytes": "\(file.size)",
          "accepted": "\(Self.types.joined(separator: ", ")) of \(NotificationLimits.imageBytes) bytes",
        ])
      return nil
    }
    return Bell.Picture(file.blob, type: file.type, size: file.size)
  }

  /// The pictures that a notification may have (Docs/notification-format.md).
  private static let types = ["image/jpeg", "image/png", "image/gif"]
}
