-- The tables as version 10 made them, and rows of each kind. Makes schedule-v10.db:
--   sqlite3 schedule-v10.db < schedule-v10.sql
PRAGMA journal_mode = WAL;
PRAGMA user_version = 10;
PRAGMA application_id = 1701275492;
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

CREATE TABLE zone (
  name TEXT PRIMARY KEY,
  digest TEXT NOT NULL
) STRICT, WITHOUT ROWID;
ALTER TABLE alarm ADD COLUMN zoneDue INTEGER;
CREATE INDEX alarm_zone ON alarm (floats, zone, number) WHERE zone IS NOT NULL AND due IS NOT NULL;

ALTER TABLE alarm ADD COLUMN pausedDue INTEGER;
CREATE INDEX occurrence_open ON occurrence (alarm, id) WHERE outcome = 'rung' AND dismissedAt IS NULL;

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
ALTER TABLE alarm ADD COLUMN interval TEXT;
ALTER TABLE alarm ADD COLUMN beginsAt INTEGER;
ALTER TABLE alarm_image ADD COLUMN interval TEXT;
ALTER TABLE alarm_image ADD COLUMN beginsAt INTEGER;
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
INSERT INTO boot (id, bootID, offset) VALUES (7, 'an earlier boot', 1795210000000000);
INSERT INTO zone (name, digest) VALUES ('Europe/Berlin', 'an earlier one');
UPDATE schedule SET sequence = 123, zone = 'UTC', zoneDigest = 'an earlier one';
INSERT INTO alarm_group (id, name, color, icon, createdAt, modifiedAt)
  VALUES ('00000000-0000-4000-8000-0000000000aa', 'Sunday', 'yellow', 'sun', 1795210460000000, 1795210465000000);
-- 2: a countdown on the clock of an earlier boot, 3: paused, 4: recurring, with an end, 5: rung, snoozed, 6: missed,
-- marked done
INSERT INTO alarm (number, id, label, category, eggs, "group", position, kind, span, expression, readingZone, createdAt, clock, due)
  VALUES (2, '00000000-0000-4000-8000-000000000002', 'two', 'soft', 2, '00000000-0000-4000-8000-0000000000aa', 2097152, 'in', 390000000, '6m30s', 'UTC', 1795210470000000, 7, 860000000);
INSERT INTO alarm (number, id, position, kind, span, expression, readingZone, createdAt, modifiedAt, state, remaining)
  VALUES (3, '00000000-0000-4000-8000-000000000003', 3145728, 'in', 600000000, '10m', 'UTC', 1795210470000000, 1795210480000000, 'paused', 590000000);
INSERT INTO alarm (number, id, label, position, kind, calendarEvent, zone, floats, ifMissed, until, count, expression, readingZone, createdAt, due)
  VALUES (4, '00000000-0000-4000-8000-000000000004', 'up', 1048576, 'every', 'Mon..Fri *-*-* 07:30:00', 'Europe/Berlin', 0, '600000000', 1798761600000000, 9, 'Mon..Fri 07:30', 'UTC', 1795210470000000, 1795415400000000);
INSERT INTO alarm (number, id, position, kind, span, expression, readingZone, createdAt)
  VALUES (5, '00000000-0000-4000-8000-000000000005', 5242880, 'in', 5000000, '5s', 'UTC', 1795210470000000);
INSERT INTO alarm (number, id, position, kind, instant, expression, readingZone, createdAt, state, overAt, doneAt)
  VALUES (6, '00000000-0000-4000-8000-000000000006', 6291456, 'at', 1795210480000000, '@1795210480', 'UTC', 1795210470000000, 'over', 1795210490000000, 1795210500000000);
INSERT INTO occurrence (id, alarm, dueAt, outcome, firedAt, lateness, snoozedUntil, clock, due)
  VALUES (1795210475000100, 5, 1795210475000000, 'rung', 1795210475000100, 100, 1795210775000000, 7, 775000000);
INSERT INTO occurrence (id, alarm, dueAt, outcome, lateness, lateReason)
  VALUES (1795210490000000, 6, 1795210480000000, 'missed', 10000000, 'down');
-- 7: a birthday; the last change, which can be taken back, gave it its label
INSERT INTO alarm (number, id, label, position, kind, calendarEvent, zone, floats, expression, readingZone, anniversary, createdAt, modifiedAt, due)
  VALUES (7, '00000000-0000-4000-8000-000000000007', 'Ada', 7340032, 'every', '*-05-01 09:00:00', 'UTC', 1, '*-05-01 09:00', 'UTC', '2020-05-01', 1795210470000000, 1795210510000000, 1809162000000000);
INSERT INTO undo (step, sequence, change, client, session, madeAt, made, count, label)
  VALUES (1, 123, 'edit', 'eggctl', 7, 1795210510000000, '[]', 1, 'Eda');
INSERT INTO alarm_image (holder, side, place, number, id, label, category, eggs, position, kind, calendarEvent, zone, floats, expression, readingZone, state, anniversary, createdAt, clock, due)
  VALUES (1, 0, 7, 7, '00000000-0000-4000-8000-000000000007', 'Eda', 'other', 1, 7340032, 'every', '*-05-01 09:00:00', 'UTC', 1, '*-05-01 09:00', 'UTC', 'scheduled', '2020-05-01', 1795210470000000, 0, 1809162000000000);
INSERT INTO alarm_image (holder, side, place, number, id, label, category, eggs, position, kind, calendarEvent, zone, floats, expression, readingZone, state, anniversary, createdAt, modifiedAt, clock, due)
  VALUES (1, 1, 7, 7, '00000000-0000-4000-8000-000000000007', 'Ada', 'other', 1, 7340032, 'every', '*-05-01 09:00:00', 'UTC', 1, '*-05-01 09:00', 'UTC', 'scheduled', '2020-05-01', 1795210470000000, 1795210510000000, 0, 1809162000000000);
-- 8: an interval that begins later
INSERT INTO alarm (number, id, position, kind, interval, beginsAt, zone, floats, expression, readingZone, createdAt, due)
  VALUES (8, '00000000-0000-4000-8000-000000000008', 8388608, 'every', '3d 08:00:00 from 2026-11-25', 1795478400000000, 'UTC', 1, 'every 3 days at 08:00', 'UTC', 1795210470000000, 1795593600000000);
-- 9: with a sound, a note, and insisting; 10 rang, and was deleted
INSERT INTO alarm (number, id, position, kind, instant, expression, readingZone, createdAt, due, sound, note, insist)
  VALUES (9, '00000000-0000-4000-8000-000000000009', 9437184, 'at', 1809162000000000, '@1809162000', 'UTC', 1795210470000000, 1809162000000000, 'bell', 'lid on', 60000000);
INSERT INTO history (place, id, alarm, alarmID, label, deletedAt, dueAt, outcome, firedAt, lateness)
  VALUES (1, 1795210471000000, 10, '00000000-0000-4000-8000-00000000000a', 'gone', 1795210480000000, 1795210471000000, 'rung', 1795210471000000, 0);
UPDATE sqlite_sequence SET seq = 10 WHERE name = 'alarm';
ALTER TABLE alarm ADD COLUMN run TEXT;
ALTER TABLE alarm_image ADD COLUMN run TEXT;
ALTER TABLE occurrence ADD COLUMN hooks TEXT;
ALTER TABLE occurrence_image ADD COLUMN hooks TEXT;
ALTER TABLE alarm ADD COLUMN wake INTEGER;
ALTER TABLE alarm_image ADD COLUMN wake INTEGER;
CREATE INDEX alarm_wake ON alarm (clock, due) WHERE wake = 1 AND due IS NOT NULL;
CREATE TABLE approved_command (
  alarmID TEXT NOT NULL,
  command TEXT NOT NULL,
  UNIQUE (alarmID, command)
) STRICT;
-- 11: runs a command, which eggd approved
INSERT INTO alarm (number, id, position, kind, instant, expression, readingZone, createdAt, due, run)
  VALUES (11, '00000000-0000-4000-8000-00000000000b', 11534336, 'at', 1809162000000000, '@1809162000', 'UTC', 1795210470000000, 1809162000000000, '/bin/true');
INSERT INTO approved_command (alarmID, command) VALUES ('00000000-0000-4000-8000-00000000000b', '/bin/true');
CREATE TRIGGER command_is_added_by_eggd BEFORE INSERT ON approved_command BEGIN
  SELECT eggd_approves();
END;
CREATE TRIGGER command_is_changed_by_eggd BEFORE UPDATE ON approved_command BEGIN
  SELECT eggd_approves();
END;
UPDATE alarm SET wake = 1 WHERE number = 9;
ALTER TABLE alarm ADD COLUMN rule TEXT;
ALTER TABLE alarm_image ADD COLUMN rule TEXT;
-- 12: rings by a rule of RFC 5545
INSERT INTO alarm (number, id, position, kind, rule, zone, floats, expression, readingZone, createdAt, due)
  VALUES (12, '00000000-0000-4000-8000-00000000000c', 12582912, 'every', 'DTSTART:20260105T073000 RRULE:FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO,TU', 'UTC', 0, 'DTSTART:20260105T073000 RRULE:FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO,TU', 'UTC', 1795210470000000, 1796023800000000);
CREATE TABLE synced (
  calendar TEXT PRIMARY KEY,
  mark TEXT NOT NULL
) STRICT;
INSERT INTO synced (calendar, mark) VALUES ('vdir', 'seven');
-- 13: rang and was dismissed
INSERT INTO alarm (number, id, position, kind, span, expression, readingZone, state, overAt, createdAt)
  VALUES (13, '00000000-0000-4000-8000-00000000000d', 13631488, 'in', 5000000, '5s', 'UTC', 'over', 1795210475000100, 1795210470000000);
INSERT INTO occurrence (id, alarm, dueAt, outcome, firedAt, journaledAt, shownAt, dismissedAt)
  VALUES (1795210475000101, 13, 1795210475000000, 'rung', 1795210475000100, 1795210475000200, 1795210475000300, 1795210476000000);
UPDATE sqlite_sequence SET seq = 13 WHERE name = 'alarm';
