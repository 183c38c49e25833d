import Alarms
import Varlink

/// By the list of its fields.
extension Manner: Codable {
  public init(from decoder: any Decoder) throws {
    self.init()
    let members = try decoder.container(keyedBy: MemberName.self)
    for field in Self.fields {
      let name = MemberName(stringValue: field.name)
      self[field] =
        switch field.kind {
        case .text: try members.decodeIfPresent(String.self, forKey: name).map { .text($0) }
        case .span: try members.decodeIfPresent(Int64.self, forKey: name).map { .number($0) }
        case .flag: try members.decodeIfPresent(Bool.self, forKey: name).map { .flag($0) }
        }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: MemberName.self)
    for field in Self.fields {
      let name = MemberName(stringValue: field.name)
      switch self[field] {
      case .text(let text): try members.encode(text, forKey: name)
      case .number(let number): try members.encode(number, forKey: name)
      case .flag(let flag): try members.encode(flag, forKey: name)
      case nil: break
      }
    }
  }
}
