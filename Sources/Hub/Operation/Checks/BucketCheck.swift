package import Lifecycle
package import ObjectStore
package import Store
import Terminal

/// The check of the object store that has the large blobs.
package enum BucketCheck {
  private static let subject = "objects"
  private static let subjectOfBlobs = "blobs"
  /// Seconds between two clocks: signatures are refused after 15 minutes.
  static let clockSeconds = 60.0

  /// Writes, reads and removes a small object.
  package static func findings(_ address: BucketAddress, time: any TimeSource) async -> [Finding] {
    do throws(StoreError) {
      let ahead = try await Bucket(address, environment: environment(), time: time).probe() ?? 0
      guard abs(ahead) > clockSeconds else {
        return [.ok(subject, "\(address.text) takes an object, gives it back and removes it")]
      }
      return [
        .warning(
          subject, "the object store's clock is \(Int(abs(ahead))) s \(ahead > 0 ? "ahead" : "behind")",
          remedy: "Let this machine follow the usual time: `timedatectl` says whether it does. An object store refuses "
            + "requests that are signed 15 minutes too early or too late.")
      ]
    } catch {
      return [
        .problem(
          subject, "\(error)",
          remedy: "Look at the address and the keys (--blobs, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY); the key needs "
            + "the rights s3:GetObject, s3:PutObject and s3:DeleteObject: Docs/configuration.md")
      ]
    }
  }

  /// Looks which large blobs the object store has lost; nothing without one.
  package static func lost(_ store: Store) async -> [Finding] {
    do throws(StoreError) {
      guard let found = try await store.blobs.lostObjects(), found.lookedFor > 0 else { return [] }
      guard found.missing > 0 else {
        return [.ok(subjectOfBlobs, "the object store has all \(found.lookedFor) large blobs")]
      }
      let names = found.examples.joined(separator: ", ") + (found.examples.count < found.missing ? " …" : "")
      return [
        .problem(
          subjectOfBlobs, "\(found.missing) of \(found.lookedFor) large blobs are missing in \(found.bucket): \(names)",
          remedy: found.missing == found.lookedFor
            ? "If this is another bucket than before, or another folder of it, start the hub with the right one "
              + "(--blobs). If it was emptied, restore the newest backup into a new folder: `eightbells restore`."
            : "`eightbells store verify` names all of them. Bring them back from versions that the object store keeps, "
              + "or restore a backup into a new folder (`eightbells restore`) and take them from there; what is in no "
              + "backup has to be sent again, or removed on its page.")
      ]
    } catch {
      return [
        .warning(
          subjectOfBlobs, "it is not known if the object store has all large ones: \(error)",
          remedy: "The key needs the right s3:ListBucket for it: Docs/configuration.md")
      ]
    }
  }
}
