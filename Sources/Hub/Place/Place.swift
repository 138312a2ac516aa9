public import CivilTime
public import Wire

/// Where the hub is at home, and what everybody may know of that: its owner's word.
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

  /// Of the club, the boat or the family whose hub it is.
  public var name: String
  /// The postal address, in one or several lines.
  public var address: String?
  public var coordinates: Coordinates?
  /// In which it tells all times.
  public var zone: Zone
  /// The address of a page that says who answers for what is told here.
  public var legalNotice: String?
  /// The address of a page that says what is kept of people.
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

  /// As the API tells it.
  public var members: [JSON.Member] {
    [
      .init("name", .string(name)), .init("address", JSON(address)), .init("lat", JSON(coordinates?.latitude)),
      .init("lon", JSON(coordinates?.longitude)), .init("timezone", .string(zone.name)),
      .init("legal_notice", JSON(legalNotice)), .init("privacy", JSON(privacy)),
    ]
  }
}
