public import Hub
public import Server
public import Store

/// The talking clock: says the time with a voice one knows, on devices and on the open page.
public struct TalkingClockRoom: Room {
  static let id = "clock"
  public static let plan = RoomPlan(
    id: id, name: "Talking clock", summary: "Says the time with a voice you know.", commands: ClockCommands.all,
    commandWords: ["clock", "voice"])

  public init(_ hub: Hub) async throws(StoreError) {}

  public func addRoutes(to router: inout Router) {}
}
