import Alarms
import DBus
import Dispatch
import Ringing

/// org.freedesktop.Notifications on one bus connection (Desktop Notifications Specification 1.2). Confined to
/// the connection's queue. It lives as long as the connection, because servers may tell the calling connection
/// alone what became of its bubbles.
final class NotificationSession {
  static let name = "org.freedesktop.Notifications"
  private static let server = BusConnection.Address(
    name, path: "/org/freedesktop/Notifications", interface: name)
  private static let driver = BusConnection.Address(
    "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus")

  private let connection: BusConnection
  private let busID: String
  private let iconFile: String?
  private let log: (JournalEvent) -> Void
  private let take: (BubbleInput) -> Void
  /// The unique name of who has the name, and the bus's id, as unique names are handed out anew by another bus. nil for
  /// nobody, and until it is known.
  var owner: String? { uniqueName.map(full) }
  /// Nobody owns the name, and that is known.
  private(set) var lacksServer = false
  private var uniqueName: String?
  /// The server's own name; nil until it has told it.
  private(set) var serverName: String?
  /// Whether the server can play the sounds of bubbles; false until it has said so.
  private var hasSound = false
  private let sound: RingSound?

  /// - Parameters:
  ///   - iconFile: The installed icon.
  ///   - take: Gets the owner of the name, when that is known and at each change, and what the server says.
  init(
    _ connection: BusConnection, iconFile: String?, sound: RingSound?, log: @escaping (JournalEvent) -> Void,
    take: @escaping (BubbleInput) -> Void
  ) {
    self.connection = connection
    self.iconFile = iconFile
    self.sound = sound
    self.log = log
    self.take = take
    busID = connection.busID ?? ""
    watch()
  }

  private func watch() {
    do throws(BusError) {
      try connection.match(
        """
        type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',\
        interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.name)'
        """
      ) { [weak self] in self?.nameOwnerChanged($0) }
      for member in ["NotificationClosed", "ActionInvoked"] {
        try connection.match(
          "type='signal',path='\(Self.server.path)',interface='\(Self.name)',member='\(member)'"
        ) { [weak self] in self?.signalled(member, $0) }
      }
    } catch {
      // Without the match the next owner is not seen; the present one is.
    }
    // Asked after the match was added: no change falls between the two.
    connection.call(
      Self.driver, "GetNameOwner",
      write: { message throws(BusError) in try message.append(Self.name) },
      reply: { [weak self] reply in
        let found = reply.flatMap { $0.error == nil ? try? $0.readString() : nil }
        self?.ownerIs(found)
      })
  }

  private func nameOwnerChanged(_ message: BusMessage) {
    guard let _ = try? message.readString(), let _ = try? message.readString(),
      let new = try? message.readString()
    else { return }
    ownerIs(new.isEmpty ? nil : new)
  }

  private func ownerIs(_ unique: String?) {
    // The answer may come after the change that it tells.
    if unique != nil, unique == uniqueName { return }
    uniqueName = unique
    lacksServer = unique == nil
    hasSound = false
    serverName = nil
    take(.owner(owner))
  }

  private func full(_ unique: String) -> String { "\(unique) \(busID)" }

  private func signalled(_ member: String, _ message: BusMessage) {
    // Anybody on the bus may send such a signal: only the owner's counts.
    guard let sender = message.sender, sender == uniqueName, let id = try? message.readNumber() else {
      return
    }
    if member == "NotificationClosed" {
      guard let reason = try? message.readNumber() else { return }
      take(.closed(bubble: id, byPerson: reason == 2, server: full(sender)))
    } else if let action = try? message.readString() {
      take(.chosen(bubble: id, action: action, server: full(sender)))
    }
  }
}

extension NotificationSession {
  func perform(_ effect: BubbleEffect) {
    switch effect {
    case .notify(let call, let replaces, let autoStart, let content):
      notify(call, replaces, autoStart, content)
    case .close(let id): close(id)
    case .askCapabilities(let autoStart): askCapabilities(autoStart: autoStart)
    case .askEnvironment: askEnvironment()
    case .report, .sound: break
    }
  }

  private func notify(_ call: UInt64, _ replaces: UInt32, _ autoStart: Bool, _ content: BubbleContent) {
    connection.call(
      Self.server, "Notify", autoStart: autoStart, isPatient: true,
      write: { [iconFile, bubbleSound = bubbleSound(content)] message throws(BusError) in
        try content.write(to: message, replaces: replaces, iconFile: iconFile, sound: bubbleSound)
      },
      reply: { [weak self] reply in self?.notified(call, reply) })
  }

  /// What the server is to play with a bubble; nil for nothing, because eggd plays it.
  private func bubbleSound(_ content: BubbleContent) -> AlarmSound? {
    let wanted = content.sound ?? sound?.settings.usual ?? .usual
    guard content.makesSound, wanted != .silence else { return nil }
    guard let sound else { return wanted }
    // A server may play sounds without saying so: it is asked to where eggd cannot.
    return serverPlays || sound.problem != nil ? wanted : nil
  }

  /// Whether the server plays the sounds of bubbles: where it can, and eggd is not known to.
  var serverPlays: Bool { hasSound && sound?.canPlay != true }

  private func notified(_ call: UInt64, _ reply: BusMessage?) {
    guard let reply, reply.error == nil, let sender = reply.sender, let id = try? reply.readNumber() else {
      take(.failed(call: call))
      return
    }
    take(.answered(call: call, bubble: id, server: full(sender)))
  }

  /// To the owner itself: another server's bubble of that id is not ours.
  private func close(_ id: UInt32) {
    guard let uniqueName else { return }
    var address = Self.server
    address.destination = uniqueName
    // If the connection is gone, so is the bubble.
    try? connection.send(address, "CloseNotification") { message throws(BusError) in try message.append(id) }
  }

  /// Asks who the server is, and then what it can.
  private func askCapabilities(autoStart: Bool) {
    guard let owner else { return readCapabilities(ServerHabits(), autoStart: autoStart) }
    connection.call(
      Self.server, "GetServerInformation",
      reply: { [weak self] reply in
        guard let self, self.owner == owner else { return }
        let name = reply.flatMap { $0.error == nil ? try? $0.readString() : nil }
        let shown = name?.visible ?? "unknown"
        serverName = shown
        log(.serverAppeared(name: shown, owner: owner))
        readCapabilities(ServerHabits(of: name ?? ""), autoStart: false)
      })
  }

  private func readCapabilities(_ habits: ServerHabits, autoStart: Bool) {
    let owner = owner
    connection.call(
      Self.server, "GetCapabilities", autoStart: autoStart,
      reply: { [weak self] reply in
        guard let self, self.owner == owner || autoStart else { return }
        let capabilities = reply.flatMap { $0.error == nil ? try? $0.readStrings() : nil }
        hasSound = self.owner != nil && capabilities?.contains("sound") == true
        if hasSound { sound?.check { _ in } }
        take(.capabilities(capabilities, habits))
      })
  }

  /// What a graphical session told the user manager, org.freedesktop.systemd1(5); without one: no display.
  private func askEnvironment() {
    connection.get(
      "Environment", of: TransientUnits.manager, as: "as",
      read: { reply throws(BusError) in try reply.readStrings() }
    ) { [weak self] pairs in
      let hasDisplay = (pairs ?? []).contains { pair in
        ["DISPLAY=", "WAYLAND_DISPLAY="].contains { pair.hasPrefix($0) && pair.count > $0.count }
      }
      self?.take(.environment(hasDisplay: hasDisplay))
    }
  }
}

extension BubbleContent {
  /// The arguments of Notify: susssasa{sv}i.
  fileprivate func write(
    to message: BusMessage, replaces: UInt32, iconFile: String?, sound: AlarmSound?
  ) throws(BusError) {
    try message.append(appName)
    try message.append(replaces)
    try message.append(icon)
    try message.append(summary)
    try message.append(body)
    try message.append(actions)
    try message.container("a", "{sv}") { () throws(BusError) in
      try message.append("e", "urgency", "y") { () throws(BusError) in try message.append(UInt8(2)) }
      try message.append("e", "category", "s") { () throws(BusError) in try message.append("x-eggd.alarm") }
      try message.append("e", "desktop-entry", "s") { () throws(BusError) in try message.append("eggd") }
      if let uri = IconFile.uri(icon, installed: iconFile) {
        try message.append("e", "image-path", "s") { () throws(BusError) in try message.append(uri) }
      }
      switch sound {
      case .named(let name):
        try message.append("e", "sound-name", "s") { () throws(BusError) in try message.append(name) }
      case .file(let path):
        try message.append("e", "sound-file", "s") { () throws(BusError) in try message.append(path) }
      case .silence, nil:
        try message.append("e", "suppress-sound", "b") { () throws(BusError) in try message.append(true) }
      }
    }
    // -1: the server's own rule, which for urgency 2 is: never.
    try message.append(Int32(-1))
  }
}
