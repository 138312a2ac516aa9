import Glibc

/// A tiny picture of a picture, in about 21 bytes: its average colour, its proportions, and the lowest frequencies of
/// its brightness and colour (ThumbHash by Evan Wallace, evanw.github.io/thumbhash). Pages draw it until there is more.
public enum ThumbHash {
  /// Bytes of the longest: 27 of brightness with transparency would make it 25.
  public static let longest = 32
  /// The longest side of a picture that a hash is made from.
  public static let side = 100

  /// - Parameter pixels: red, green and blue of each, row by row, without transparency.
  public static func hash(_ pixels: [UInt8], width: Int, height: Int) -> [UInt8] {
    precondition((1...side).contains(width) && (1...side).contains(height) && pixels.count == 3 * width * height)
    let count = width * height
    var (light, yellow, red) = ([Double](repeating: 0, count: count), [Double](), [Double]())
    (yellow, red) = (light, light)
    for index in 0..<count {
      let (r, g, b) = (
        Double(pixels[3 * index]) / 255, Double(pixels[3 * index + 1]) / 255, Double(pixels[3 * index + 2]) / 255
      )
      light[index] = (r + g + b) / 3
      yellow[index] = (r + g) / 2 - b
      red[index] = r - g
    }
    let long = Double(max(width, height))
    func edge(_ side: Int) -> Int { max(1, Int((7 * Double(side) / long).rounded(.toNearestOrAwayFromZero))) }
    let (lightX, lightY) = (edge(width), edge(height))
    let l = Channel(light, width, height, max(3, lightX), max(3, lightY))
    let p = Channel(yellow, width, height, 3, 3)
    let q = Channel(red, width, height, 3, 3)
    let isLandscape = width > height
    func scaled(_ value: Double, _ factor: Double) -> Int { Int((value * factor).rounded(.toNearestOrAwayFromZero)) }
    let head =
      scaled(l.constant, 63) | scaled(31.5 + 31.5 * p.constant, 1) << 6 | scaled(31.5 + 31.5 * q.constant, 1) << 12
      | scaled(l.scale, 31) << 18
    let tail =
      (isLandscape ? lightY : lightX) | scaled(p.scale, 63) << 3 | scaled(q.scale, 63) << 9
      | (isLandscape ? 1 : 0) << 15
    var hash = [head, head >> 8, head >> 16, tail, tail >> 8].map { UInt8(truncatingIfNeeded: $0) }
    var isHalf = false
    for wave in l.waves + p.waves + q.waves {
      let nibble = UInt8(max(0, min(15, scaled(wave, 15))))
      if isHalf { hash[hash.count - 1] |= nibble << 4 } else { hash.append(nibble) }
      isHalf.toggle()
    }
    return hash
  }

  /// A channel's cosine transform: its average, and its waves between 0 and 1.
  private struct Channel {
    var constant = 0.0
    var scale = 0.0
    var waves: [Double] = []

    init(_ values: [Double], _ width: Int, _ height: Int, _ across: Int, _ down: Int) {
      func cosines(_ count: Int, _ side: Int) -> [[Double]] {
        (0..<count).map { wave in
          (0..<side).map { cos(Double.pi / Double(side) * Double(wave) * (Double($0) + 0.5)) }
        }
      }
      let (columns, rows) = (cosines(across, width), cosines(down, height))
      for cy in 0..<down {
        for cx in 0..<across where cx * down < across * (down - cy) {
          var sum = 0.0
          for y in 0..<height {
            for x in 0..<width { sum += values[x + y * width] * columns[cx][x] * rows[cy][y] }
          }
          sum /= Double(width * height)
          if cx == 0, cy == 0 {
            constant = sum
          } else {
            waves.append(sum)
            scale = max(scale, abs(sum))
          }
        }
      }
      if scale > 0 { waves = waves.map { 0.5 + 0.5 / scale * $0 } }
    }
  }
}
