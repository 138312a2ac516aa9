import Hub
import Programme
import Space

/// The rooms of this program: the one place that names them. Programme stands behind Space, from whose tables it has
/// taken over its own.
let rooms = RoomList([SpaceRoom.self, ProgrammeRoom.self])
