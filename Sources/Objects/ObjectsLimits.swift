/// The limits of objects, each with its reason.
public enum ObjectsLimits {
  /// Bytes of one object as JSON. Larger things are files.
  public static let objectBytes = 1 << 20
  /// Levels of lists and objects within an object, as MongoDB has them behind Parse.
  public static let levels = 100
  /// Bytes of a class' or a field's name, and fields of a class.
  public static let nameBytes = 128
  public static let fields = 1_000
  /// Names with a dot in one change of an object: each copies the lists and objects that it reaches into.
  public static let dottedNames = 100
  /// Entries of an access list, and of one action of a class' permissions: each is compared with the caller's names.
  public static let grants = 1_000
  /// Bytes of the name of somebody in an access list: "role:" and a role's name.
  public static let granteeBytes = 200
  /// Letters and digits of an object's id.
  public static let idLetters = 10
  /// Bytes of a text in the key of an index.
  public static let keyBytes = 1_000
  /// Bytes of an id that a client chose.
  public static let idBytes = 64

  // MARK: Queries
  /// Stages of an aggregation.
  static let stages = 30
  /// Bytes of what an aggregation keeps on its way and answers: as many as an answer to any other query has.
  static let aggregatedBytes = 16 << 20
  /// Levels of lists and objects within a query, and its values: each level is a call within a call, and each value is
  /// compared with each object.
  static let queryLevels = 32
  static let queryValues = 20_000
  /// Conditions of a query; what stands in a list of values is one. Questions about other objects within a query.
  static let conditions = 300
  static let subqueries = 10
  /// Objects that an inner query may find.
  public static let subqueryResults = 10_000
  /// Objects to which the relations of one query may lead: only their ids are in memory, some 10 MB.
  public static let relationResults = 100_000
  /// Objects of one answer, and those that are not asked for by a number.
  public static let results = 10_000
  static let defaultResults = 100
  /// Keys by which one query sorts.
  static let orders = 10
  /// Bytes and parts of a path such as `address.city`, and paths in `keys`, `excludeKeys` or `include`.
  static let pathBytes = 512
  static let pathParts = 10
  static let paths = 200
  /// Regular expressions of a query, their bytes, and parentheses within parentheses.
  static let patterns = 20
  static let patternBytes = 4 << 10
  static let patternLevels: UInt32 = 50
  /// Steps of one match, which take less than a millisecond, the memory it may use, and the matches of a pattern that
  /// may end at the limit.
  static let patternSteps = 20_000
  static let patternKilobytes: UInt32 = 4 << 10
  /// Seconds for one text, which may be exceeded twofold, and the places of it that are tried before they are looked at
  /// for the first time.
  static let patternSeconds = 0.2
  static let patternStarts = 256
  /// Seconds that a pattern may take with all texts of one object together.
  static let patternObjectSeconds = 0.5
  static let overruns = 10
  /// Values of a list with which a query's objects are looked up by an index.
  static let narrowedValues = 200
}
