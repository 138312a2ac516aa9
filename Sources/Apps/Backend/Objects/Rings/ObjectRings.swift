import Hub
import Lifecycle
import Objects
import Observe
import Server
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
      try change.ring("\(BackendRoom.id).object", ring.bell(about: about).json)
    }
  }
}
