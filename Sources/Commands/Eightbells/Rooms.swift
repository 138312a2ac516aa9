import Albums
import Anchor
import Backend
import Bells
import Hub
import Portfolio
import Programme
import Space
import TalkingClock

/// The rooms of this program: the only place that names them. Programme comes after Space, whose tables it has taken
/// over in part.
let rooms = RoomList([
  SpaceRoom.self, ProgrammeRoom.self, BellsRoom.self, TalkingClockRoom.self, AnchorRoom.self, AlbumsRoom.self,
  PortfolioRoom.self, BackendRoom.self,
])
