import Glibc
import Imaging
import Testing

struct ThumbHashTests {
  private func hash(_ width: Int, _ height: Int, _ colour: (Int, Int) -> (UInt8, UInt8, UInt8)) -> [UInt8] {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let (red, green, blue) = colour(x, y)
        pixels += [red, green, blue]
      }
    }
    return ThumbHash.hash(pixels, width: width, height: height)
  }

  /// The average as the reference (thumbHashToAverageRGBA) reads it.
  private func average(_ hash: [UInt8]) -> (red: Double, green: Double, blue: Double) {
    let head = Int(hash[0]) | Int(hash[1]) << 8 | Int(hash[2]) << 16
    let l = Double(head & 63) / 63
    let p = Double(head >> 6 & 63) / 31.5 - 1
    let q = Double(head >> 12 & 63) / 31.5 - 1
    let blue = l - 2 / 3 * p
    let red = (3 * l - blue + q) / 2
    return (red, red - q, blue)
  }

  @Test func `the average colour can be read from it`() {
    for (red, green, blue) in [(255, 0, 0), (0, 128, 255), (40, 40, 40), (255, 255, 255)] as [(UInt8, UInt8, UInt8)] {
      let found = average(hash(100, 75) { _, _ in (red, green, blue) })
      #expect(abs(found.red * 255 - Double(red)) < 9)
      #expect(abs(found.green * 255 - Double(green)) < 9)
      #expect(abs(found.blue * 255 - Double(blue)) < 9)
    }
  }

  @Test(arguments: [(100, 75, 7, 5), (75, 100, 5, 7), (100, 100, 7, 7), (100, 14, 7, 1), (1, 1, 7, 7)])
  func `the proportions can be read from it`(width: Int, height: Int, across: Int, down: Int) {
    let bytes = hash(width, height) { x, y in (UInt8(x), UInt8(y), 0) }
    let isLandscape = bytes[4] & 0x80 != 0
    #expect(isLandscape == (width > height))
    #expect(Int(bytes[3] & 7) == (isLandscape ? down : across))
    #expect(bytes.count <= ThumbHash.longest)
  }

  /// A picture that grows brighter to the right begins with a negative wave, as cosines count: 0 to 15, 7.5 is none.
  @Test func `its first waves say where it is bright`() {
    let right = hash(100, 100) { x, _ in (UInt8(2 * x), UInt8(2 * x), UInt8(2 * x)) }
    let left = hash(100, 100) { x, _ in (UInt8(200 - 2 * x), UInt8(200 - 2 * x), UInt8(200 - 2 * x)) }
    #expect(right[5] & 15 == 0)
    #expect(left[5] & 15 == 15)
    #expect(right.count == 5 + (27 + 5 + 5 + 1) / 2)
  }

  @Test func `a photo of 4 to 3 has 21 bytes`() {
    #expect(hash(100, 75) { x, y in (UInt8(x), UInt8(y), UInt8(x ^ y)) }.count == 21)
  }
}
