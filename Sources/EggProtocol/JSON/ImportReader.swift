import Varlink

extension ImportAlarmsCall {
  /// Reads a call in its usual form, which has alarms alone; nil leaves it to the general decoder.
  package static func call(scanning json: inout JSONScanner) -> ImportAlarmsCall? {
    JSONReader.read(&json) { reader in
      var alarms: [ImportedAlarm] = []
      try reader.members { reader, name in
        guard name.isWritten(alarmsName) else { throw JSONReader.Unusual() }
        var elements = try reader.scanner.beginArray()
        while try reader.scanner.nextElement(&elements) { alarms.append(try reader.importedAlarm()) }
      }
      return ImportAlarmsCall(alarms: alarms)
    }
  }

  private static let alarmsName = Array("alarms".utf8)

  /// The call's parameters. `alarms` are the JSON of each, from ``ImportedAlarm/write(to:)``.
  package static func parameters(alarms: JSONWriter) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.name("alarms")
      json.array { $0.elements(alarms.bytes) }
    }
    return json.bytes
  }
}

extension ImportedAlarm {
  /// Reads a line of an export in its usual form; nil leaves it to the general decoder.
  package init?(line: [UInt8]) {
    guard var scanner = try? JSONScanner(line),
      let read = JSONReader.read(&scanner, { try $0.importedAlarm() }),
      scanner.atEnd()
    else { return nil }
    self = read
  }

  /// Writes the same object as its coder, as an element of an array.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.name("alarm")
      alarm.write(to: &json)
      json.name("occurrences")
      json.array { json in for occurrence in occurrences { occurrence.write(to: &json) } }
    }
  }
}

extension JSONReader {
  fileprivate mutating func importedAlarm() throws -> ImportedAlarm {
    var alarm: WireAlarm?
    var occurrences: [WireOccurrence]?
    try members { reader, name in
      switch name {
      case "alarm": alarm = try reader.alarm()
      case "occurrences":
        var read: [WireOccurrence] = []
        var elements = try reader.scanner.beginArray()
        while try reader.scanner.nextElement(&elements) { read.append(try reader.occurrence()) }
        occurrences = read
      default: throw Unusual()
      }
    }
    guard let alarm, let occurrences else { throw Unusual() }
    return ImportedAlarm(alarm: alarm, occurrences: occurrences)
  }
}
