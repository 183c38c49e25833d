import Alarms

/// Collects an entry's fields, in order. Values may hold newlines.
protocol JournalFields {
  mutating func add(_ name: StaticString, _ value: String)
  mutating func add(_ name: StaticString, _ value: AlarmID)
}

extension JournalFields {
  mutating func add(_ name: StaticString, _ value: Int64) { add(name, String(value)) }
}

extension JournalRecord: JournalFields {
  func write(to entry: inout NativeMessage) {
    entry.begin(id, priority, message)
    for (name, value) in fields { entry.add(named: name, value) }
  }

  mutating func add(_ name: StaticString, _ value: String) { fields.append(("\(name)", value)) }
  mutating func add(_ name: StaticString, _ value: AlarmID) { add(name, value.description) }
}

/// An entry as a datagram of journald's [native protocol](https://systemd.io/JOURNAL_NATIVE_PROTOCOL): values of one
/// line behind an equals sign, others with their length, so that none can forge a field. Its memory serves for many
/// entries, one after the other.
struct NativeMessage: JournalFields, Sendable {
  private(set) var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(1_024) }

  /// Begins an entry and drops the one before.
  mutating func begin(_ id: MessageID, _ priority: JournalPriority, _ message: String) {
    bytes.removeAll(keepingCapacity: true)
    add("MESSAGE", message)
    add("MESSAGE_ID", id.rawValue)
    add("PRIORITY", Int64(priority.rawValue))
    add("SYSLOG_IDENTIFIER", "eggd")
  }

  mutating func add(_ name: StaticString, _ value: String) {
    append(name)
    append(value)
  }

  /// Adds a field whose name is known only now.
  mutating func add(named name: String, _ value: String) {
    bytes.append(contentsOf: name.utf8)
    append(value)
  }

  private mutating func append(_ value: String) {
    var value = value
    value.withUTF8 { text in
      if text.contains(UInt8(ascii: "\n")) {
        bytes.append(UInt8(ascii: "\n"))
        withUnsafeBytes(of: UInt64(text.count).littleEndian) { bytes.append(contentsOf: $0) }
      } else {
        bytes.append(UInt8(ascii: "="))
      }
      bytes.append(contentsOf: text)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  mutating func add(_ name: StaticString, _ value: AlarmID) {
    append(name)
    bytes.append(UInt8(ascii: "="))
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: AlarmID.length) { text in
      value.write(to: text)
      bytes.append(contentsOf: text)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func append(_ name: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }
}
