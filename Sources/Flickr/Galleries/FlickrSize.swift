/// The sizes of a picture at Flickr that are worth showing large, by the letters in their addresses, largest first.
enum FlickrSize: String, CaseIterable {
  case original = "o"
  case k, h
  case large = "l"
  case c, z
  case medium = "m"
  case n

  /// The long side in pixels; nil where it is the photographer's.
  var longSide: Int? {
    switch self {
    case .original: nil
    case .k: 2_048
    case .h: 1_600
    case .large: 1_024
    case .c: 800
    case .z: 640
    case .medium: 500
    case .n: 320
    }
  }
}
