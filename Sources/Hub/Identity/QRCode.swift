import CQrencode

/// A QR code (ISO/IEC 18004) of an address, encoded by libqrencode and drawn here.
public struct QRCode: Sendable {
  /// Modules on each side, without the quiet zone.
  package let width: Int
  private let modules: [UInt8]

  /// Light modules around it, as the standard demands.
  private static let quiet = 4

  /// Nil for a text that does not fit: more than 2,331 bytes.
  public init?(_ text: String) {
    // Level M stays readable with a thumb on it; version 0 chooses the smallest size that fits.
    guard !text.utf8.contains(0), let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    width = Int(code.pointee.width)
    modules = Array(UnsafeBufferPointer(start: code.pointee.data, count: width * width))
  }

  package func isDark(_ x: Int, _ y: Int) -> Bool {
    (0..<width).contains(x) && (0..<width).contains(y) && modules[y * width + x] & 1 == 1
  }

  /// A scalable picture, dark on light whatever the page's colours are, as some readers need it.
  public var svg: String {
    let side = width + 2 * Self.quiet
    var path = ""
    for y in 0..<width {
      var x = 0
      while x < width {
        var length = 0
        while isDark(x + length, y) { length += 1 }
        if length > 0 { path += "M\(x + Self.quiet) \(y + Self.quiet)h\(length)v1h-\(length)z" }
        x += length + 1
      }
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
      <path fill="#fff" d="M0 0h\(side)v\(side)h-\(side)z"/><path fill="#000" d="\(path)"/></svg>
      """
  }

  /// Lines for a terminal, two modules to a character. Only light modules are drawn.
  /// - Parameter inColour: true to set black and white, whatever the terminal's colours are.
  public func terminalText(inColour: Bool) -> String {
    let edge = -Self.quiet / 2
    return stride(from: edge, to: width - edge, by: 2).map { y in
      let line = (edge..<width - edge).map { x in
        switch (isDark(x, y), isDark(x, y + 1)) {
        case (false, false): "█"
        case (false, true): "▀"
        case (true, false): "▄"
        case (true, true): " "
        }
      }.joined()
      return (inColour ? "\u{1B}[40;97m\(line)\u{1B}[0m" : line) + "\n"
    }.joined()
  }
}
