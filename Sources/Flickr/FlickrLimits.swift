/// The limits of this module.
public enum FlickrLimits {
  /// Calls of Flickr's API in an hour with one key, all people together (flickr.com/services/developer/api).
  public static let callsAnHour = 3_600
  /// Calls at once, before they are spread over the hour.
  public static let callsAtOnce = 100
  /// Galleries, and pictures of a gallery, in one answer; Flickr gives no more (photosets.getList, getPhotos).
  public static let page = 500
  /// Flickr answers each page after this one with this one.
  public static let pages = 10_000
  /// People in one answer (contacts.getList).
  public static let contacts = 1_000
  /// Answers of one list of people.
  static let contactPages = 5
  /// The long side of the largest picture fetched, in pixels, if Flickr has one that small.
  public static let longSide = 2_048

  /// Seconds that a call or a file is waited for in place; a longer wait ends the sync for now.
  static let longestWait = 5.0
  /// Attempts at one call or file.
  static let attempts = 3
  /// Seconds until the next attempt after a first failure; each further one doubles it.
  static let firstPause = 0.5
  static let longestPause = 900.0
  /// The most seconds that a Retry-After of Flickr's is believed.
  static let longestRetryAfter = 3_600.0

  /// Bytes of an answer: 500 pictures with their descriptions take about 1 MB.
  static let answerBytes = 16_000_000
  /// Values of an answer: 500 pictures of some 90 members.
  static let answerValues = 400_000
  /// Seconds for an answer, and for a file or a piece of one.
  static let answerSeconds = 60.0
  static let fileSeconds = 120.0
  /// Bytes of a picture. A JPEG of 2,048 pixels has about 1 MB.
  static let pictureBytes = 64_000_000
  /// Bytes of a video that are fetched at a time.
  static let pieceBytes = 4 << 20
  /// Redirects from a picture's address to its file.
  static let redirects = 3

  static let keyCharacters = 100
  /// Characters of Flickr's own words that are repeated to people.
  static let words = 200
  /// Collections below collections.
  static let depth = 10
}
