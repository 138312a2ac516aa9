/// The limits of the place's fields.
public enum PlaceLimits {
  /// Characters of the name, which is on badges and at the top of every page.
  public static let name = 100
  /// Characters of a postal address.
  public static let address = 500
  /// Characters of a zone's name; the longest existing one has 30.
  static let zone = 100
  /// Characters of a web address, as most browsers and servers accept them.
  static let url = 2_000
}
