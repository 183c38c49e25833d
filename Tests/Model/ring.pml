/* ring.pml - how an alarm gets from a call to its ring and to the disk, past kills, stops, a disk that refuses and
 * another program. Tests/Model/run checks it; docs/model.md says which part is which place of the code.
 *
 * Two alarms, two clients; sets of alarms are bits. A step is one block on one queue, or a part of one where a kill in
 * between makes a difference. There is no clock: an alarm of the head rings at once or after anything else. No step can
 * repeat for ever, so that an alarm rings is claimed where nothing is left to happen.
 *
 * Without a flag this is the protocol as coded. Each flag breaks one thing, and a promise with it: REPLY_BEFORE_COMMIT,
 * NO_HOLD, FORGET_AT_STOP, TOLD_AFTER_COMMIT, STOP_RUNS_OUT.
 * Left out: slices and horizon of the head, snoozes, recurrence, a COMMIT that fails and is on the disk all the same,
 * a start that can only read, time-outs of locks (to the protocol a refusal). */
#ifndef KILLS
#define KILLS 1    /* so many at most: what goes wrong for ever keeps every alarm from ringing */
#define STOPS 1
#define REFUSALS 1 /* commits that the disk refuses */
#define REMOVALS 1 /* rows that another program deletes */
#define STALLS 0   /* rings whose entry journald does not take at once */
#endif
#define bit_of(a) (1 << (a))
#define claim(is, words) if :: (is) :: else -> printf(words); assert(false) fi
#define NOBODY 2
mtype = { CLEAN, KILLED, REFUSED };                        /* how the last eggd ended */
mtype = { REST, CHANGES, PUBLISH, REPLY };                 /* where the store's queue is */
mtype = { SCHEDULE, DELETE, IDLE, SUBMITTED, ALONE, TAKEN, MADE, RANG, MISSING };  /* a client's call */
mtype = { RECORDED, REFILLED, CHANGED, HOLD_ENDED };       /* StoreNews */

/* The disk. What is here outlives eggd. */
byte rows, over, marked;    /* the alarm exists; it is over because it rang; its entry is noted (journaledAt) */
bool foreign;               /* PRAGMA data_version is not Opened.version */
/* What the world has seen. */
byte rung, entries, shown;  /* rang; has its entry in the journal; has had its bubble */
byte acked, deleted;        /* replied as scheduled, as deleted */
byte gone, removed;         /* a committed deletion of ours, of the other program */
byte told;                  /* removed, and the store or the scheduler knows that */
byte excused;               /* rang, and that eggd could not record it: it may ring once more */
mtype ended = CLEAN;
byte kills = KILLS, stops = STOPS, refusals = REFUSALS, removals = REMOVALS, stalls = STALLS;
/* eggd: what a kill forgets. First AlarmStore: pending, the batch that is written, its transaction. */
bool alive, serving, gaveUp, isForeign, refillIsDue;
byte stopping;              /* 1 SIGTERM came, 2 nothing rings any more, 3 the store closes */
byte pendingRings, pendingMarks, batchRings, batchMarks, newRows, newOver, newMarked, recorded, touched, holding;
mtype phase = REST;
/* Then Scheduler, Holds (how many are about that alarm), the mark of what rings, and what waits on the journal's queue. */
byte head, unrecorded, holds[2], outMark, unwritten, ringing = NOBODY;
chan news = [6] of { mtype, byte, byte };
/* Then the clients' calls: one at a time each. */
mtype call[2] = IDLE, verb[2];
byte about[2], asked, quit;

#define pending (pendingRings | pendingMarks)
#define submitted (call[0] == SUBMITTED || call[1] == SUBMITTED)
#define retrying (call[0] == ALONE || call[1] == ALONE)
#define judged (call[0] != TAKEN && call[1] != TAKEN)
#define replies(c) (call[c] == MADE || call[c] == RANG || call[c] == MISSING)
/* queue.sync: the scheduler's queue is between two blocks, and has done all that it was given before */
#define hop (ringing == NOBODY && empty(news))

inline submit(i, number, what) { call[i] = SUBMITTED; verb[i] = what; about[i] = number }
inline hangUp(i) { call[i] = IDLE; verb[i] = 0; about[i] = 0 }
inline finished() {
  batchRings = 0; batchMarks = 0; newRows = 0; newOver = 0; newMarked = 0; recorded = 0; touched = 0; holding = 0;
  isForeign = false
}
inline exitAs(how) { /* the process is gone */
  ended = how; alive = false; serving = false; gaveUp = false; refillIsDue = false; stopping = 0; phase = REST;
  finished(); pendingRings = 0; pendingMarks = 0; foreign = false; hangUp(0); hangUp(1);
  head = 0; unrecorded = 0; holds[0] = 0; holds[1] = 0; outMark = 0; unwritten = 0; ringing = NOBODY;
  do :: news ? _, _, _ :: empty(news) -> break od
}
inline claimDurable() {
  claim((acked & ~(rows | gone | removed)) == 0, "broken: what was acknowledged as scheduled is durable\n");
  claim((deleted & rows) == 0, "broken: what was acknowledged as deleted is durable\n")
}
/* ---- AlarmStore: the store's queue ---- */
#ifdef FORGET_AT_STOP
#define closes true
#else
#define closes (!pending && !submitted)
#endif
#ifdef TOLD_AFTER_COMMIT
#define canBegin  true
#define tellFirst skip
#else
#define canBegin  (!foreign || hop)
#define tellFirst head = (isForeign -> rows & ~over & ~unrecorded : head)
#endif
inline begin() { /* BEGIN IMMEDIATE, data_version, takeUp, then what rang is recorded */
  isForeign = foreign; told = (isForeign -> removed : told); tellFirst; phase = CHANGES; recorded = batchRings;
  newRows = rows; newOver = over | (batchRings & rows); newMarked = marked | (batchMarks & newOver);
  touched = batchRings & rows & ~over
}
inline take() { batchRings = pendingRings; batchMarks = pendingMarks; pendingRings = 0; pendingMarks = 0 }

/* A change is judged by the rows as they are by now. Where it takes an alarm away, a hold comes first: what rang and is
 * not recorded is written down, and the change is one to an alarm that has rung. */
inline judge(c, b) {
  if
  :: verb[c] == SCHEDULE -> newRows = newRows | b; touched = touched | b; call[c] = MADE
  :: verb[c] == DELETE && !(newRows & b) -> call[c] = MISSING
  :: verb[c] == DELETE && (newRows & b) ->
#ifndef NO_HOLD
    if :: !(holding & b) -> holding = holding | b; holds[about[c]]++ :: else fi;
#endif
    if :: unrecorded & b -> recorded = recorded | b; newOver = newOver | b :: else fi;
    call[c] = (newOver & b -> RANG : MADE);
    newRows = newRows & ~b; newOver = newOver & ~b; newMarked = newMarked & ~b; touched = touched | b
  fi
}
inline answer(c, b) {
  if :: call[c] == MISSING
  :: verb[c] == SCHEDULE -> acked = acked | b
  :: verb[c] == DELETE && call[c] != MISSING -> deleted = deleted | b;
    claim(call[c] == RANG || !(rung & ~excused & b), "broken: the reply to a deletion says that it rang\n")
  fi; hangUp(c)
}
inline leave() { phase = (replies(0) || replies(1) -> REPLY : REST) }
active proctype Store() {
end:
  do
  /* commit: one transaction for all that is pending; after a failure (isAlone) each part on its own */
  :: atomic { alive && phase == REST && !retrying && (pending || submitted) && canBegin ->
      take(); call[0] = (call[0] == SUBMITTED -> TAKEN : call[0]); call[1] = (call[1] == SUBMITTED -> TAKEN : call[1]);
      begin() }
  :: atomic { alive && phase == REST && retrying && pending && canBegin -> take(); begin() }
  :: atomic { phase == REST && call[0] == ALONE && canBegin -> call[0] = TAKEN; begin() }
  :: atomic { phase == REST && call[1] == ALONE && canBegin -> call[1] = TAKEN; begin() }
  :: atomic { phase == CHANGES && call[0] == TAKEN && (verb[0] == SCHEDULE || hop) -> judge(0, bit_of(about[0])) }
  :: atomic { phase == CHANGES && call[1] == TAKEN && (verb[1] == SCHEDULE || hop) -> judge(1, bit_of(about[1])) }
#ifdef REPLY_BEFORE_COMMIT
  :: atomic { phase == CHANGES && judged && replies(0) -> answer(0, bit_of(about[0])) }
#endif
  /* COMMIT */
  :: atomic { phase == CHANGES && judged ->
      gone = gone | (touched & ~newRows); rows = newRows; over = newOver; marked = newMarked;
      foreign = foreign && !isForeign; phase = PUBLISH }
  /* COMMIT fails: the holds end; of several parts each is tried alone, one is given up, and what rang is kept */
  :: atomic { phase == CHANGES && judged && refusals > 0 && nfull(news) ->
      refusals--; phase = REST;
      pendingRings = pendingRings | batchRings; pendingMarks = pendingMarks | batchMarks;
      if :: holding -> news ! HOLD_ENDED, holding, 0 :: else fi;
      if :: !retrying && (replies(0) + replies(1) + ((batchRings | batchMarks) != 0) > 1) ->
            call[0] = (replies(0) -> ALONE : call[0]); call[1] = (replies(1) -> ALONE : call[1])
         :: else -> if :: replies(0) -> hangUp(0) :: else fi; if :: replies(1) -> hangUp(1) :: else fi;
            gaveUp = (stopping == 3) fi;
      finished() }
  /* publish: the scheduler is told in this order, then the callers */
  :: atomic { phase == PUBLISH && len(news) < 4 ->
      if :: recorded -> news ! RECORDED, recorded, 0 :: else fi;
      if :: touched -> news ! CHANGED, touched, newRows & ~newOver
         :: else fi;
      if :: holding -> news ! HOLD_ENDED, holding, 0 :: else fi;
      finished(); leave() }
  :: atomic { phase == REPLY && replies(0) -> answer(0, bit_of(about[0])); leave() }
  :: atomic { phase == REPLY && replies(1) -> answer(1, bit_of(about[1])); leave() }
  /* reads the head, asked for at the start; noticeWrites */
  :: atomic { phase == REST && !retrying && (refillIsDue || foreign) && nfull(news) ->
      refillIsDue = false; foreign = false; news ! REFILLED, rows & ~over, 0 }
  /* close: one more commit of what is pending, then the end */
  :: atomic { stopping == 3 && phase == REST && !retrying && (closes || gaveUp) ->
      if :: pending && gaveUp -> exitAs(REFUSED) :: else -> exitAs(CLEAN) fi }
  od
}

/* ---- SchedulerLoop with Scheduler: the scheduler's queue ---- */
inline ring(a, b) { /* from memory to the journal, and in the next step to the bus */
  claim(!(deleted & b), "broken: none rings after the reply to its deletion\n");
  claim(!(rung & ~excused & b), "broken: none rings twice but where its ring could not be recorded\n");
  claim(!(told & b), "broken: none rings that another program removed, once that is known\n");
  ringing = a; head = head & ~b; unrecorded = unrecorded | b; rung = rung | b; excused = excused & ~b;
  if :: !unwritten -> entries = entries | b; outMark = b
     :: unwritten -> unwritten = unwritten | b
     :: !unwritten && stalls > 0 -> stalls--; unwritten = b fi
}
#define mayRing(a) (ringing == NOBODY && stopping < 2 && (head & bit_of(a)) && !holds[a])
active proctype Scheduler() {
  mtype kind; byte a, b;
end:
  do
  :: atomic { mayRing(0) -> ring(0, 1) }
  :: atomic { mayRing(1) -> ring(1, 2) }
  /* the bubble; then the record goes to the store, with the mark of an entry that journald took at once */
  :: atomic { ringing != NOBODY -> shown = shown | bit_of(ringing);
      pendingRings = pendingRings | bit_of(ringing); pendingMarks = pendingMarks | outMark;
      outMark = 0; ringing = NOBODY }
  /* take: one message of the store's stream */
  :: atomic { ringing == NOBODY && nempty(news) -> news ? kind, a, b;
      if :: kind == RECORDED -> unrecorded = unrecorded & ~a
      :: kind == CHANGED && stopping < 2 -> head = (head & ~a) | (a & b & ~unrecorded)
      :: kind == REFILLED && stopping < 2 -> head = a & ~unrecorded; told = told | (removed & ~a); serving = true
      :: kind == HOLD_ENDED -> holds[0] = holds[0] - (a & 1); holds[1] = holds[1] - (a >> 1)
      :: else fi;
      kind = 0; a = 0; b = 0 }
  /* the journal's queue: an entry that journald took late, and its mark, which goes after its record */
  :: atomic { unwritten && ringing == NOBODY ->
      a = (unwritten & 1 -> 1 : 2); unwritten = unwritten & ~a; entries = entries | a;
      pendingMarks = pendingMarks | a; a = 0 }
  /* Shutdown: stop(), and once all entries are written the store is closed */
  :: atomic { stopping == 1 && ringing == NOBODY -> stopping = 2 }
  :: atomic { stopping == 2 && !unwritten -> stopping = 3 }
  od
}
/* ---- the world ---- */
inline remove(b) {
  removals--; foreign = alive; removed = removed | b; rows = rows & ~b; over = over & ~b; marked = marked & ~b
}
proctype Client(byte c) { /* schedules one alarm, then deletes it, or the other one, or none */
end:
  do
  :: atomic { serving && !stopping && call[c] == IDLE && !(asked & bit_of(c)) ->
      asked = asked | bit_of(c); submit(c, c, SCHEDULE) }
  :: atomic { serving && !stopping && call[c] == IDLE && (asked & ~quit & bit_of(c)) ->
      quit = quit | bit_of(c);
      if :: asked & 1 -> submit(c, 0, DELETE) :: asked & 2 -> submit(c, 1, DELETE) :: true fi }
  od
}

active proctype World() { run Client(0); run Client(1);
end:
  do
  /* the next start: AlarmStore.resume, then the first head */
  :: atomic { !alive -> claimDurable();
      claim(ended != CLEAN || !(rows & over & ~marked & entries), "broken: no entry is written anew after a stop\n");
      alive = true; refillIsDue = true; pendingMarks = rows & over & ~marked; entries = entries | pendingMarks;
      shown = shown | (rows & over); excused = (ended != CLEAN -> rung & rows & ~over : excused); ended = CLEAN }
  /* SIGKILL, power; also a stop for which the disk or a lock takes longer than TimeoutStopSec= */
  :: atomic { alive && kills > 0 -> kills--; exitAs(KILLED) }
  :: atomic { serving && !stopping && stops > 0 -> stops--; stopping = 1 }
#ifdef STOP_RUNS_OUT
  :: atomic { stopping -> exitAs(CLEAN) }
#endif
  :: atomic { phase != CHANGES && removals > 0 && rows -> /* another program, between two transactions of ours */
      if :: rows & 1 -> remove(1) :: rows & 2 -> remove(2) fi }
  :: atomic { timeout -> claimDurable(); /* nothing is left to happen */
      claim((acked & ~(rung | gone | removed)) == 0, "broken: a scheduled alarm rings or is deleted\n");
      claim((rung & rows & ~(over & entries & shown)) == 0, "broken: what rang is recorded, written and shown\n");
      break }
  od
}
