import Hub
import HubProgram
import Kettle
import Space

/// `eightbells` with one room more: the only line in which it differs.
@main
struct ToyHub {
  static func main() { Program(rooms: RoomList([SpaceRoom.self, KettleRoom.self])).run() }
}
