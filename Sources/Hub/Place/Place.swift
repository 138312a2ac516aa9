public import CivilTime
public import Wire

/// The place of the hub, as its owner describes it to everybody.
public struct Place: Sendable {
  /// Degrees north and east, WGS 84.
  public struct Coordinates: Equatable, Sendable {
    public var latitude: Double
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
      self.latitude = latitude
      self.longitude = longitude
    }
  }

  /// The name of the club, boat or family that the hub belongs to.
  public var name: String
  /// The postal address, in one or several lines.
  public var address: String?
  public var coordinates: Coordinates?
  /// The time zone of all times shown.
  public var zone: Zone
  /// The address of a legal notice.
  public var legalNotice: String?
  /// The address of a privacy notice.
  public var privacy: String?

  public init(
    name: String, address: String? = nil, coordinates: Coordinates? = nil, zone: Zone, legalNotice: String? = nil,
    privacy: String? = nil
  ) {
    self.name = name
    self.address = address
    self.coordinates = coordinates
    self.zone = zone
    self.legalNotice = legalNotice
    self.privacy = privacy
  }

  /// The fields in the API.
  public var members: [JSON.Member] {
    [
      .init("name", .string(name)), .init("address", JSON(address)), .init("lat", JSON(coordinates?.latitude)),
      .init("lon", JSON(coordinates?.longitude)), .init("timezone", .string(zone.name)),
      .init("legal_notice", JSON(legalNotice)), .init("privacy", JSON(privacy)),
    ]
  }
}
