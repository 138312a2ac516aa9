import Albums
import Anchor
import Backend
import Bells
import Hub
import HubProgram
import Kettle
import Portfolio
import Programme
import Space
import TalkingClock

/// `eightbells` with one more room, listed in one line.
@main
struct ToyHub {
  static func main() {
    Program(
      rooms: RoomList([
        SpaceRoom.self, ProgrammeRoom.self, BellsRoom.self, TalkingClockRoom.self, AnchorRoom.self, AlbumsRoom.self,
        PortfolioRoom.self, BackendRoom.self, KettleRoom.self,
      ])
    ).run()
  }
}
