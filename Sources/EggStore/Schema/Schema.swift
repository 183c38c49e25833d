import GRDB

/// The tables, and the migrations from earlier versions.
///
/// A released migration never changes; new ones are appended. `PRAGMA user_version` counts a file's
/// migrations. A file with more of them belongs to a newer eggd and is not touched.
enum Schema {
  /// `PRAGMA application_id`: "eggd".
  static let applicationID = 0x6567_6764

  static var version: Int { migrations.count }

  /// Migration n makes version n.
  private static let migrations: [String] = [
    version1, version2, version3, version4, version5, version6, version7, version8,
    version9, version10, version11,
  ]

  /// Runs the missing migrations in the caller's transaction.
  static func migrate(_ database: Database, from version: Int) throws {
    for migration in migrations[version...] { try database.execute(sql: migration) }
    try database.execute(sql: "PRAGMA user_version = \(migrations.count)")
    try database.execute(sql: "PRAGMA application_id = \(applicationID)")
  }

  /// All moments are µs. `clock` names the clock of `due`: 0 for the wall clock, else a row of `boot`. By
  /// `kind`, an alarm has `span` (in), `civil`, `zone` and `floats` (at), or `instant` (at). A trigger
  /// deletes an alarm's occurrences, because other programs do not enable foreign_keys.
  private static let version1 = """
    CREATE TABLE alarm (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      label TEXT,
      category TEXT NOT NULL DEFAULT 'other',
      eggs INTEGER NOT NULL DEFAULT 1,
      "group" TEXT,
      position INTEGER NOT NULL,
      summary TEXT,
      body TEXT,
      icon TEXT,
      kind TEXT NOT NULL,
      span INTEGER,
      instant INTEGER,
      civil TEXT,
      zone TEXT,
      floats INTEGER NOT NULL DEFAULT 0,
      calendarEvent TEXT,
      ifMissed TEXT,
      until INTEGER,
      count INTEGER,
      expression TEXT NOT NULL,
      forcedKind TEXT,
      readingZone TEXT NOT NULL,
      state TEXT NOT NULL DEFAULT 'scheduled',
      overAt INTEGER,
      remaining INTEGER,
      key TEXT,
      keyedRequest TEXT,
      createdAt INTEGER NOT NULL,
      modifiedAt INTEGER,
      doneAt INTEGER,
      clock INTEGER NOT NULL DEFAULT 0,
      due INTEGER
    ) STRICT;
    CREATE INDEX alarm_due ON alarm (clock, due, number) WHERE due IS NOT NULL;
    CREATE INDEX alarm_position ON alarm (position, number);
    CREATE UNIQUE INDEX alarm_key ON alarm (key) WHERE key IS NOT NULL;

    CREATE TABLE occurrence (
      id INTEGER PRIMARY KEY,
      alarm INTEGER NOT NULL,
      dueAt INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      missedCount INTEGER,
      firedAt INTEGER,
      journaledAt INTEGER,
      shownAt INTEGER,
      dismissedAt INTEGER,
      snoozedUntil INTEGER,
      clock INTEGER NOT NULL DEFAULT 0,
      due INTEGER,
      lateness INTEGER,
      lateReason TEXT,
      bubble INTEGER,
      bubbleServer TEXT
    ) STRICT;
    CREATE INDEX occurrence_due ON occurrence (clock, due, alarm) WHERE due IS NOT NULL;
    CREATE INDEX occurrence_alarm ON occurrence (alarm, id);
    CREATE INDEX occurrence_ringing ON occurrence (id)
      WHERE outcome = 'rung' AND dismissedAt IS NULL AND snoozedUntil IS NULL;
    CREATE INDEX occurrence_unjournaled ON occurrence (id) WHERE firedAt IS NOT NULL AND journaledAt IS NULL;
    CREATE TRIGGER occurrence_goes_with_alarm AFTER DELETE ON alarm BEGIN
      DELETE FROM occurrence WHERE alarm = old.number;
    END;

    CREATE TABLE boot (
      id INTEGER PRIMARY KEY,
      bootID TEXT NOT NULL UNIQUE,
      offset INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE schedule (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      sequence INTEGER NOT NULL,
      zone TEXT,
      zoneDigest TEXT
    ) STRICT;
    INSERT INTO schedule (only, sequence) VALUES (1, 0);
    """

  /// Zone changes. `zone` holds the digest of the data by which each zone's alarms were resolved; `schedule`
  /// holds that of the machine's zone. An empty digest is unknown. `zoneDue` is the past moment that a zone
  /// change gave an alarm.
  private static let version2 = """
    CREATE TABLE zone (
      name TEXT PRIMARY KEY,
      digest TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    ALTER TABLE alarm ADD COLUMN zoneDue INTEGER;
    CREATE INDEX alarm_zone ON alarm (floats, zone, number) WHERE zone IS NOT NULL AND due IS NOT NULL;
    """

  /// `pausedDue` is what a recurring alarm waited for when it was paused. The index finds an alarm's
  /// unanswered occurrences.
  private static let version3 = """
    ALTER TABLE alarm ADD COLUMN pausedDue INTEGER;
    CREATE INDEX occurrence_open ON occurrence (alarm, id) WHERE outcome = 'rung' AND dismissedAt IS NULL;
    """

  /// Groups, anniversaries, done marks and undo. `alarm."group"` holds the id of a row of `alarm_group`.
  /// `doneClock` and `doneDue` are what an alarm waited for when it was marked done.
  ///
  /// `undo` has a row for each change that can be undone. Its images are the changed alarms, occurrences and
  /// groups, before (side 0) and after (side 1). An import that is not applied yet stores its alarms as
  /// images too, under a negative holder. `place` is an alarm's number, or its rank in an import. An image
  /// has its table's columns under the same names, without the constraints.
  private static let version4 = """
    CREATE TABLE alarm_group (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      color TEXT,
      icon TEXT,
      createdAt INTEGER NOT NULL,
      modifiedAt INTEGER
    ) STRICT;
    ALTER TABLE alarm ADD COLUMN anniversary TEXT;
    ALTER TABLE alarm ADD COLUMN doneClock INTEGER;
    ALTER TABLE alarm ADD COLUMN doneDue INTEGER;
    CREATE INDEX alarm_in_group ON alarm ("group", position, number, doneAt, eggs) WHERE "group" IS NOT NULL;
    CREATE INDEX alarm_group_due ON alarm ("group", clock, due) WHERE "group" IS NOT NULL AND due IS NOT NULL;
    CREATE INDEX alarm_category ON alarm (category, position, number, eggs);
    CREATE INDEX alarm_done_clock ON alarm (doneClock) WHERE doneDue IS NOT NULL;
    CREATE INDEX alarm_label ON alarm (label COLLATE NOCASE, number);

    CREATE TABLE undo (
      step INTEGER PRIMARY KEY AUTOINCREMENT,
      sequence INTEGER NOT NULL,
      change TEXT NOT NULL,
      client TEXT,
      session INTEGER,
      madeAt INTEGER NOT NULL,
      made TEXT NOT NULL DEFAULT '[]',
      count INTEGER NOT NULL,
      label TEXT
    ) STRICT;
    CREATE TABLE alarm_image (
      holder INTEGER NOT NULL,
      side INTEGER NOT NULL,
      place INTEGER NOT NULL,
      number INTEGER,
      id TEXT,
      label TEXT,
      category TEXT,
      eggs INTEGER,
      "group" TEXT,
      position INTEGER,
      summary TEXT,
      body TEXT,
      icon TEXT,
      kind TEXT,
      span INTEGER,
      instant INTEGER,
      civil TEXT,
      zone TEXT,
      floats INTEGER,
      calendarEvent TEXT,
      ifMissed TEXT,
      until INTEGER,
      count INTEGER,
      expression TEXT,
      forcedKind TEXT,
      readingZone TEXT,
      state TEXT,
      overAt INTEGER,
      remaining INTEGER,
      key TEXT,
      keyedRequest TEXT,
      createdAt INTEGER,
      modifiedAt INTEGER,
      doneAt INTEGER,
      clock INTEGER,
      due INTEGER,
      zoneDue INTEGER,
      pausedDue INTEGER,
      anniversary TEXT,
      doneClock INTEGER,
      doneDue INTEGER,
      PRIMARY KEY (holder, side, place)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE occurrence_image (
      holder INTEGER NOT NULL,
      side INTEGER NOT NULL,
      place INTEGER NOT NULL,
      id INTEGER,
      alarm INTEGER,
      dueAt INTEGER,
      outcome TEXT,
      missedCount INTEGER,
      firedAt INTEGER,
      journaledAt INTEGER,
      shownAt INTEGER,
      dismissedAt INTEGER,
      snoozedUntil INTEGER,
      clock INTEGER,
      due INTEGER,
      lateness INTEGER,
      lateReason TEXT,
      bubble INTEGER,
      bubbleServer TEXT,
      PRIMARY KEY (holder, side, place, id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE alarm_group_image (
      holder INTEGER NOT NULL,
      side INTEGER NOT NULL,
      id TEXT,
      name TEXT,
      color TEXT,
      icon TEXT,
      createdAt INTEGER,
      modifiedAt INTEGER,
      PRIMARY KEY (holder, side, id)
    ) STRICT, WITHOUT ROWID;
    """

  /// A recurring alarm has `interval` or `calendarEvent`; it elapses from `beginsAt` on.
  private static let version5 = """
    ALTER TABLE alarm ADD COLUMN interval TEXT;
    ALTER TABLE alarm ADD COLUMN beginsAt INTEGER;
    ALTER TABLE alarm_image ADD COLUMN interval TEXT;
    ALTER TABLE alarm_image ADD COLUMN beginsAt INTEGER;
    """

  /// `sound` is `none`, a name of the sound theme or a path; NULL for eggd's usual sound.
  ///
  /// `history` keeps what rang or was missed of deleted alarms. `place` counts deletions up: it bounds the
  /// table without counting its rows. The triggers serve other programs too, so SQLite reads the clock.
  private static let version6 = """
    ALTER TABLE alarm ADD COLUMN sound TEXT;
    ALTER TABLE alarm ADD COLUMN note TEXT;
    ALTER TABLE alarm ADD COLUMN insist INTEGER;
    ALTER TABLE alarm_image ADD COLUMN sound TEXT;
    ALTER TABLE alarm_image ADD COLUMN note TEXT;
    ALTER TABLE alarm_image ADD COLUMN insist INTEGER;
    CREATE TABLE history (
      place INTEGER PRIMARY KEY,
      id INTEGER NOT NULL,
      alarm INTEGER NOT NULL,
      alarmID TEXT NOT NULL,
      label TEXT,
      deletedAt INTEGER NOT NULL,
      dueAt INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      missedCount INTEGER,
      firedAt INTEGER,
      journaledAt INTEGER,
      shownAt INTEGER,
      dismissedAt INTEGER,
      lateness INTEGER,
      lateReason TEXT
    ) STRICT;
    CREATE INDEX history_id ON history (id);
    CREATE INDEX history_alarm ON history (alarm, id);
    CREATE TRIGGER history_is_bounded AFTER INSERT ON history BEGIN
      DELETE FROM history WHERE place <= new.place - 10000;
    END;
    DROP TRIGGER occurrence_goes_with_alarm;
    CREATE TRIGGER occurrence_goes_with_alarm AFTER DELETE ON alarm BEGIN
      INSERT INTO history (id, alarm, alarmID, label, deletedAt, dueAt, outcome, missedCount, firedAt,
        journaledAt, shownAt, dismissedAt, lateness, lateReason)
      SELECT id, alarm, old.id, old.label,
        CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000, dueAt, outcome,
        missedCount, firedAt, journaledAt, shownAt, dismissedAt, lateness, lateReason
      FROM occurrence WHERE alarm = old.number AND outcome IN ('rung', 'missed') ORDER BY id;
      DELETE FROM occurrence WHERE alarm = old.number;
    END;
    """

  /// `run` is the command of an alarm, and runs only if it is in `approved_command`, into which no other program
  /// writes: its triggers call a function that only eggd's connection has. An alarm that another program writes, or
  /// copies, brings no command with it. `hooks` has a line for each command that an occurrence ran.
  private static let version7 = """
    ALTER TABLE alarm ADD COLUMN run TEXT;
    ALTER TABLE alarm_image ADD COLUMN run TEXT;
    ALTER TABLE occurrence ADD COLUMN hooks TEXT;
    ALTER TABLE occurrence_image ADD COLUMN hooks TEXT;
    CREATE TABLE approved_command (
      alarmID TEXT NOT NULL,
      command TEXT NOT NULL,
      UNIQUE (alarmID, command)
    ) STRICT;
    CREATE TRIGGER command_is_added_by_eggd BEFORE INSERT ON approved_command BEGIN
      SELECT eggd_approves();
    END;
    CREATE TRIGGER command_is_changed_by_eggd BEFORE UPDATE ON approved_command BEGIN
      SELECT eggd_approves();
    END;
    """

  /// `wake` is 1 where the machine wakes from suspend. The index finds the next such moment.
  private static let version8 = """
    ALTER TABLE alarm ADD COLUMN wake INTEGER;
    ALTER TABLE alarm_image ADD COLUMN wake INTEGER;
    CREATE INDEX alarm_wake ON alarm (clock, due) WHERE wake = 1 AND due IS NOT NULL;
    """

  /// A recurring alarm with neither `calendarEvent` nor `interval` has `rule`.
  private static let version9 = """
    ALTER TABLE alarm ADD COLUMN rule TEXT;
    ALTER TABLE alarm_image ADD COLUMN rule TEXT;
    """

  /// The last mark that each synchronised calendar has set, stored together with its changes of the alarms.
  private static let version10 = """
    CREATE TABLE synced (
      calendar TEXT PRIMARY KEY,
      mark TEXT NOT NULL
    ) STRICT;
    """

  /// The first index finds the few alarms among many that are over or paused; a condition has to say
  /// `state <> 'scheduled'`. The second one spares totals a look at all alarms.
  ///
  /// `schedule` names the alarms that are written but do not exist, see ``HiddenAlarms``: those between two numbers; if
  /// `hiddenListed` is 1, only those of them in `hidden_alarm`. It also names the images of the change that is under way,
  /// see ``Slices``. After that the images stay where they are, and `undo` names them. Their holders begin at 2^50. The
  /// indexes are for alarms that are shown by such images.
  private static let version11 = """
    CREATE INDEX alarm_not_scheduled ON alarm (position, number, state, eggs) WHERE state <> 'scheduled';
    CREATE INDEX alarm_eggs ON alarm (eggs) WHERE eggs <> 1;
    ALTER TABLE schedule ADD COLUMN hiddenFrom INTEGER;
    ALTER TABLE schedule ADD COLUMN hiddenTo INTEGER;
    ALTER TABLE schedule ADD COLUMN hiddenPosition INTEGER;
    ALTER TABLE schedule ADD COLUMN hiddenStep INTEGER;
    ALTER TABLE schedule ADD COLUMN hiddenListed INTEGER;
    CREATE TABLE hidden_alarm (number INTEGER PRIMARY KEY) STRICT;
    ALTER TABLE schedule ADD COLUMN changing INTEGER;
    ALTER TABLE schedule ADD COLUMN changingParts INTEGER;
    ALTER TABLE undo ADD COLUMN images INTEGER;
    CREATE INDEX alarm_image_due ON alarm_image (holder, clock, due, place)
      WHERE holder >= 1125899906842624 AND side = 0 AND due IS NOT NULL;
    CREATE INDEX occurrence_image_due ON occurrence_image (holder, clock, due, alarm, id)
      WHERE holder >= 1125899906842624 AND side = 0 AND due IS NOT NULL;
    """
}
