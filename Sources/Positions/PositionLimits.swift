/// The limits of this module. Positions come from receivers, networks and files of strangers, so everything in them is
/// bounded; past a limit a line is refused, and the next one is read again.
package enum PositionLimits {
  /// Bytes of a line of NMEA 0183 or CSV. The standard allows 82; tag blocks and time stamps of loggers come before it.
  package static let lineBytes = 1_024
  /// Bytes of an object of gpsd or Signal K. A list of all satellites has about 8 KB, a full delta of a busy boat 60.
  package static let objectBytes = 256 << 10
  /// JSON values of such an object.
  static let objectValues = 20_000
  /// Bytes of a tag of GPX, and of the text of an element that is read.
  static let tagBytes = 4_096
  static let textBytes = 256
  /// Named places of a GPX file that are kept.
  static let places = 100

  /// Bytes at a file's beginning by which its format is recognised.
  static let recognitionBytes = 64 << 10

  /// Seconds for which what was told beside a position (heading, depth, wind, HDOP) is joined to the fixes that follow.
  static let besideSeconds = 15.0
  /// Receivers in one stream that are told apart: more than any boat has.
  package static let receivers = 16
  /// Seconds by which the first position after a connection may be old: a server begins with the one that it has kept.
  static let keptSeconds = 60.0
  /// Metres by which two sentences of one instant differ if they are of two receivers. The coarsest ones of a single
  /// receiver are rounded to 18 m.
  static let apartMetres = 30.0

  /// Positions of one report of a phone: Overland sends batches of at most a few hundred.
  package static let fixesOfReport = 1_000
  /// Bytes of one report of a phone.
  package static let reportBytes = 1 << 20
}
