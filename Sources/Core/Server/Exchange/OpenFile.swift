import Glibc

/// A file that is open for reading. It stays readable for as long as anyone holds this, also when it is removed
/// meanwhile.
public final class OpenFile: Sendable {
  public let descriptor: Int32
  /// Bytes, when it was opened.
  public let size: Int
  /// Who closes the descriptor with its own end.
  private let owner: any AnyObject & Sendable

  /// Bytes, now: somebody may have cut it.
  var currentSize: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// The same for all who have it from the same owner.
  var identity: ObjectIdentifier { ObjectIdentifier(owner) }

  /// - Parameter owner: keeps the descriptor open for as long as it is there itself.
  public init(_ descriptor: Int32, size: Int, ownedBy owner: any AnyObject & Sendable) {
    self.descriptor = descriptor
    self.size = size
    self.owner = owner
  }
}
