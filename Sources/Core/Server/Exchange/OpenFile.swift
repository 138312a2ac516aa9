import Glibc

/// A file that is open for reading. It stays readable for as long as anyone holds this, also when it is removed
/// meanwhile.
public final class OpenFile: Sendable {
  public let descriptor: Int32
  /// Bytes, when it was opened.
  public let size: Int

  /// - Parameter descriptor: belongs to this object from now on, which closes it.
  public init(taking descriptor: Int32, size: Int) {
    self.descriptor = descriptor
    self.size = size
  }

  deinit { close(descriptor) }
}
