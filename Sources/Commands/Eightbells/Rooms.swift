import Hub
import Space

/// The rooms of this program: the one place that names them.
let rooms = RoomList([SpaceRoom.self])
