/// The declarations of an interface text.
public struct InterfaceDescription: Sendable, Equatable {
  /// Reverse-domain name.
  public let name: String
  /// Structures and enumerations by name.
  public let types: [String: ValueType]
  /// By name.
  public let methods: [String: Method]
  /// The fields of each error, by its name.
  public let errors: [String: [Field]]

  public indirect enum ValueType: Sendable, Equatable {
    case bool, int, float, string, object, any
    /// Declared elsewhere in the text.
    case named(String)
    /// In order of declaration.
    case structure([Field])
    /// In order of declaration.
    case enumeration([String])
    /// `[]`
    case array(ValueType)
    /// `[string]`
    case map(ValueType)
    /// `?`
    case nullable(ValueType)
  }

  public struct Field: Sendable, Equatable {
    /// Unique in its structure.
    public let name: String
    public let type: ValueType
  }

  public struct Method: Sendable, Equatable {
    /// In order of declaration.
    public let input: [Field]
    /// In order of declaration.
    public let output: [Field]
  }
}
