package import Lifecycle
package import ObjectStore
import Store
import Terminal

/// The check of the object store that has the large blobs.
package enum BucketCheck {
  private static let subject = "objects"
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
}
