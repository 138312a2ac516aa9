import Hub
import HubProgram
import Kettle
import Programme
import Space

/// `eightbells` with one room more: the only line in which it differs.
@main
struct ToyHub {
  static func main() { Program(rooms: RoomList([SpaceRoom.self, ProgrammeRoom.self, KettleRoom.self])).run() }
}
