import Glibc

/// A file open for reading. It stays readable while this is referenced, also when the file is removed meanwhile.
public final class OpenFile: Sendable {
  public let descriptor: Int32
  /// Bytes at the time of opening.
  public let size: Int
  /// The object that closes the descriptor when it is deallocated.
  private let owner: any AnyObject & Sendable

  /// Bytes now: the file may have been truncated.
  var currentSize: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// The same for all files of one owner.
  var identity: ObjectIdentifier { ObjectIdentifier(owner) }

  /// - Parameter owner: keeps the descriptor open until it is deallocated.
  public init(_ descriptor: Int32, size: Int, ownedBy owner: any AnyObject & Sendable) {
    self.descriptor = descriptor
    self.size = size
    self.owner = owner
  }
}
