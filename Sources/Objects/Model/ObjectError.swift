/// An error as Parse's clients know it: its number, and words for whoever builds the app.
public struct ObjectError: Error, Equatable, Sendable {
  public var code: Int
  public var message: String

  public init(_ code: Int, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The HTTP status that Parse Server answers with.
  public var status: Int {
    switch code {
    case 101: 404
    case 1: 500
    default: 400
    }
  }
}

/// Parse's numbers by their meaning.
extension ObjectError {
  /// Said also of what the caller may not see.
  public static let notFound = ObjectError(101, "Object not found.")
  public static let repeated = ObjectError(159, "Duplicate request")
  public static let invalidSession = ObjectError(209, "Invalid session token")

  public static func failed(_ words: String) -> ObjectError { ObjectError(1, words) }
  public static func query(_ words: String) -> ObjectError { ObjectError(102, words) }
  public static func className(_ name: String) -> ObjectError {
    ObjectError(103, "Invalid classname: \(name.prefix(60)). A letter, then letters, digits and _ are accepted.")
  }
  public static func fieldName(_ words: String) -> ObjectError { ObjectError(105, words) }
  public static func pointer(_ words: String) -> ObjectError { ObjectError(106, words) }
  public static func json(_ words: String) -> ObjectError { ObjectError(107, words) }
  public static func type(_ words: String) -> ObjectError { ObjectError(111, words) }
  public static func tooLarge(_ words: String) -> ObjectError { ObjectError(116, words) }
  public static func forbidden(_ words: String) -> ObjectError { ObjectError(119, words) }
  public static func nestedKey(_ words: String) -> ObjectError { ObjectError(121, words) }
  public static func fileName(_ words: String) -> ObjectError { ObjectError(122, words) }
  public static func accessList(_ words: String) -> ObjectError { ObjectError(123, words) }
  public static func timeout(_ words: String) -> ObjectError { ObjectError(124, words) }
  public static func address(_ words: String) -> ObjectError { ObjectError(125, words) }
  public static func duplicate(_ words: String) -> ObjectError { ObjectError(137, words) }
  public static func roleName(_ words: String) -> ObjectError { ObjectError(139, words) }
  public static func quota(_ words: String) -> ObjectError { ObjectError(140, words) }
  public static func script(_ words: String) -> ObjectError { ObjectError(141, words) }
  public static func validation(_ words: String) -> ObjectError { ObjectError(142, words) }
  public static func tooMany(_ words: String) -> ObjectError { ObjectError(155, words) }
  public static func schema(_ words: String) -> ObjectError { ObjectError(255, words) }
}
