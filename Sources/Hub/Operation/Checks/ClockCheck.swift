import CLinux
import CivilTime
package import Lifecycle

/// The checks of the machine's clock and of the zone files.
package enum ClockCheck {
  package static func findings(_ time: any TimeSource) -> [Finding] {
    findings(now: time.now, isSynchronised: clinux_clock_is_synchronised() != 0)
  }

  package static func findings(now: Double, isSynchronised: Bool) -> [Finding] {
    guard now >= CheckLimits.earliest, now < CheckLimits.latest else {
      return [
        .problem(
          "clock", "it says \(timestamp(EpochSeconds(now), in: .utc).prefix(10)), which cannot be today",
          remedy: "Certificates will fail, and all times be wrong. Set it: `sudo timedatectl set-ntp true`"
        )
      ]
    }
    guard isSynchronised else {
      return [
        .warning(
          "clock", "nothing keeps it in time",
          remedy: "It will drift, and alarms with it: `sudo apt install systemd-timesyncd`, "
            + "`sudo timedatectl set-ntp true`. In a container, the machine around it has to do this.")
      ]
    }
    return [.ok("clock", "synchronised")]
  }

  /// The check of the system's zone files, by which the place's days begin and end.
  package static func zones() -> [Finding] {
    do throws(SystemZoneError) {
      _ = try systemZone("Europe/Berlin")
      return [.ok("time zones", "the system's files can be read")]
    } catch {
      return [
        .problem(
          "time zones", error.description,
          remedy: "Install them: `sudo apt install tzdata`. If TZDIR is set, it has to name their folder.")
      ]
    }
  }
}
