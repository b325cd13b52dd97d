"""The feed of changes: notes, horizon, positions and mirrors, beside writers that die, a rebuild, a rollback and a lost Redis.

It builds on the write protocol (write_protocol.py) and leaves out what that one proves: a record is written and visible in one step here.
Every document has `changed` (the ticket that last changed its content), `created` and, for each group of fields that filters use, `moved`. A
document that is gone keeps these fields. A page of the feed is the documents above the reader's position, up to the horizon: below the lowest
note, or the last ticket given.
"""

from collections import namedtuple
from types import SimpleNamespace as NS

from write_protocol import add as queue, rm as without

# content: None = gone, otherwise (for each group of fields: do they match the reader's conditions; payload, version of the rules).
# `moved`: of each group. `was`: the groups of a document that is gone; None where they are not known.
E = namedtuple("E", "ticket content changed created moved was", defaults=(None,))
# `repeat`: it runs again when its worker dies. `live_only`: the previous index keeps what it has. `keep`: the content stays as it is.
Job = namedtuple("Job", "name writes ids force repeat live_only keep", defaults=((), (), False, True, False, False))
# A note in Redis: the writer with `ticket` may still write `ids`.
Note = namedtuple("Note", "ticket ids name")
Worker = namedtuple("Worker", "pc job ticket alone targets plan left copied", defaults=("idle",) + (None,) * 7)
# `noise`: removals that it got of documents that it did not have. Everything up to `asof` is in the mirror. `known`: what was created up to this ticket may be in it, although the position is lower.
Reader = namedtuple("Reader", "pc asof known changed id mirror epoch signal horizon index floor began noise", defaults=("idle", None, 0, 0, "", frozenset(), 0, -1) + (None,) * 4 + (0,))

# Groups of fields that filters use, such as place and score.
GROUPS = 2
RULES = dict(
    note="with the ticket",  # 1: or "after the ticket"
    take_back="what it wrote",  # 2: or "all of the job"
    missing_note="writes again",  # 2: or "goes on"
    again="own ticket",  # 2: a job that runs again; or "compares"
    orphans="published again",  # 3: or "left"
    not_alone="own ticket",  # 4: or "compares"
    beside_copy="own ticket",  # 5: a writer that also writes an index that is filled; or "compares"
    copy="own ticket and a mark where it is not alone",  # 5: or "compares"
    marks="published again",  # 6: or "none"
    after_rollback="published again",  # 6: or "nothing"
    gone="derived",  # 7: or "dropped", "as seen"
    before="503",  # 8: or "served"
    older="refuses",  # 8: an indexer from before the feed; or "writes"
    after_loss="changed anew",  # 9: or "compares"
    after_restore="new epoch",  # 9: or "same epoch"
    search="index of the horizon",  # 10: or "alias"
    refresh="every copy",  # 10: or "some copies"
    wake="horizon",  # 11: or "generation"
    purge_floor="after the search",  # 11: or "before the search"
    floor="last ticket served",  # 11: or "none"
    moved="since the walk began",  # 12: or "since the position"
    unacknowledged="remembered",  # 13: what was sent to a webhook that did not answer; or "forgotten"
    exported="remembered",  # 13: what an export shows above its horizon; or "forgotten"
    hidden="keeps the walk open",  # 14: a removal above the horizon, of what has moved below it; or "is passed"
    hidden_groups="one below",  # 14: of the groups that fail, one has moved below the horizon; or "all below"
    hidden_gone="too",  # 14: what is gone above the horizon; or "no"
    removal="every group that fails has moved",  # 15: or "a group that fails has moved"
    gone_fields="kept",  # 15: or "dropped"
    restart="no loss after the number of every writer's end",  # 16: or "never a loss"
    lost_numbers="published again",  # 17: what has changed or moved under a number that Redis has lost; or "what has changed", "left"
    settling="own ticket",  # 18: while dead writers whose notes are lost may still write; or "compares"
    served="before a number",  # 19: readers search what Elasticsearch says after Redis went back; or "after a while"
    revived="keeps created",  # what is listed again; or "created anew"
)
WORLD = dict(
    docs=("x",),
    init=(),
    jobs=(),
    workers=1,
    readers=1,
    crash=0,
    zombie=0,
    split=False,
    rebuild=False,
    new_rules=False,
    rollback=0,
    retire=False,
    loss=0,
    failover=0,
    restore=0,
    purge=0,
    copies=1,
    lagging=False,
    old_index=False,
    old_indexer=False,
    due=(),
    coarse=(),
    building=False,
    page=1,
    unchanged=False,
    unanswered=0,
    export=False,
    quiet=False,
    restarts=0,
    # How many former states of Redis it may go back to.
    past=2,
    # Whether Elasticsearch refreshes by itself, or for somebody else.
    refreshes=False,
)


def feed(**options):
    unknown = set(options) - set(RULES) - set(WORLD)
    assert not unknown, unknown
    return NS(**{**RULES, **WORLD, **options})


class S:
    __slots__ = (
        "rec idx vis live building previous served stored alias clk notes jobs workers readers reb since floor purged epoch signal open crash zombie "
        "rollback loss failover restore purge flight due unanswered restarts ended past lost "
        "settling missing taken"
    ).split()

    def copy(s):
        n = S()
        for a in S.__slots__:
            setattr(n, a, getattr(s, a))
        return n

    def key(s):
        return tuple(freeze(getattr(s, a)) for a in S.__slots__)


def freeze(v):
    if isinstance(v, dict):
        return tuple(sorted((k, freeze(x)) for k, x in v.items()))
    if isinstance(v, tuple) and v and isinstance(v[0], dict):
        return tuple(freeze(x) for x in v)
    return v


def lists(content):
    """Whether a document is on the reader's list."""
    return bool(content) and all(content[0])


def fields_of(entry):
    """The groups of fields of a document, also of one that is gone; None where they are not known."""
    return entry.content[0] if entry.content else entry.was


def derive(c, s, d):
    value = s.rec.get(d, (0, None))[1]
    return None if value is None else (value[0], value[1], 2 if c.new_rules else 1)


def horizon(s):
    """Below the lowest ticket that somebody may still write with; the last ticket given when nobody does."""
    held = [note.ticket for note in s.notes if note.ids]
    return min(held) - 1 if held else s.clk


def redis_of(s):
    """What is in Redis: the clock, the notes, the jobs that wait, those under way, and the index that readers search."""
    return s.clk, s.notes, s.jobs, frozenset(w.job for w in s.workers if w.job), s.served


def is_lost(s, ticket):
    """Whether a number was given by a Redis that does not know of it any more."""
    return ticket is not None and any(below < ticket <= last for below, last in s.lost)


def has_lost(c, s, entry):
    """Whether a document has to be published again, because readers may have passed the number under which it changed or moved."""
    if c.lost_numbers == "left":
        return False
    tickets = (entry.changed,) if c.lost_numbers == "what has changed" else (entry.changed, *entry.moved)
    return any(is_lost(s, ticket) for ticket in tickets)


def make(c):
    s = S()
    s.rec = {d: (1, value) for d, value in c.init}
    first = {d: E(1, (v[0], v[1], 1), None if c.old_index else 1, 1, (1,) * GROUPS) for d, v in c.init if v is not None}
    s.idx = {"i1": first}
    s.vis = {"i1": (first,) * c.copies}
    # `stored`: the index that readers have to search, in Elasticsearch.
    s.live, s.building, s.previous, s.served, s.stored, s.alias = "i1", None, None, "i1", "i1", "i1"
    s.clk = 1
    s.since = s.clk + 1
    s.notes = frozenset()
    s.jobs = queue(c.jobs)
    s.workers = (Worker(),) * c.workers
    s.readers = (Reader(pc="export" if c.export else "idle"),) * c.readers
    s.reb = ("create",) if c.rebuild else ("done",)
    if c.building:
        s.idx, s.vis, s.building, s.reb = {**s.idx, "i2": {}}, {**s.vis, "i2": ({},) * c.copies}, "i2", ("ticket", c.docs)
    s.floor = s.purged = s.epoch = s.signal = 0
    s.open = not (c.old_index and c.before == "503")
    s.crash, s.zombie, s.rollback, s.loss, s.failover = c.crash, c.zombie, c.rollback, c.loss, c.failover
    s.restore, s.purge, s.unanswered, s.restarts = c.restore, c.purge, c.unanswered, c.restarts
    # The number of the end of all writers, while they have ended in order. What Redis was before.
    s.ended, s.past = None, ()
    # The numbers that Redis has lost, from and to. Whether writers of before a restart may still write. Whether jobs are lost. Which
    # notes each worker has taken back.
    s.lost, s.settling, s.missing, s.taken = (), False, False, frozenset()
    s.flight = ()
    s.due = None
    for d, value in c.due:
        s.rec = {**s.rec, d: (2, value)}
    return s


def entry_of(c, s, old, content, ticket, alone, force):
    """The document to write: deriving the same again, alone, keeps `changed`."""
    all_moved = (ticket,) * GROUPS
    if c.old_indexer and c.older == "writes":
        return E(ticket, content, None, 0, (0,) * GROUPS)
    if old is None:
        return E(ticket, content, ticket, ticket if alone and not force else 0, all_moved)
    compared = alone or c.not_alone == "compares"
    created = old.created if alone or c.not_alone == "compares" else 0
    if c.revived == "created anew" and old.content is None and content is not None:
        created = ticket
    if compared and not force and old.content == content and old.changed is not None:
        return E(ticket, content, old.changed, created, old.moved, old.was)
    before, now = fields_of(old), content[0] if content else kept(c, old)
    if not compared or force or before is None or now is None:
        moved = all_moved
    else:
        moved = tuple(old.moved[g] if before[g] == now[g] else ticket for g in range(GROUPS))
    return E(ticket, content, ticket, created, moved, None if content else now)


def kept(c, old):
    """The fields that a document keeps when it goes."""
    return None if old is None or c.gone_fields == "dropped" else fields_of(old)


def take(c, n, worker, name, ids):
    """Issues a ticket with its note. The answer says with which documents the caller is alone."""
    n.clk += 1
    alone = frozenset(d for d in ids if not any(d in note.ids for note in n.notes))
    if c.note == "with the ticket":
        n.notes = n.notes | {Note(n.clk, frozenset(ids), name)}
    return worker._replace(ticket=n.clk, alone=alone, pc="targets" if c.note == "with the ticket" else "note")


def succ(c):
    # These steps are taken together with the step before them, where what comes between does not matter.
    joined = c.coarse

    def remembered(s, n):
        if s.restarts and (n.restarts, n.loss, n.failover) == (s.restarts, s.loss, s.failover) and redis_of(n) != redis_of(s):
            n.past = (s.past + (redis_of(s),))[-c.past :] if c.past else ()
        return n

    def step(s):
        fine = [(label, remembered(s, n)) for label, n in steps(s)]
        if not joined:
            return fine
        out = []
        for label, n in fine:
            while n.reb[0] == "write" or any(w.pc in joined for w in n.workers):
                further = [x for x in steps(n, joined) if not x[0].startswith("*")]
                label, n = label + "; " + further[0][0], further[0][1]
            out.append((label, n))
        return out

    def steps(s, only=None):
        out = []

        def go(label):
            n = s.copy()
            out.append((label, n))
            return n

        for i, w in enumerate(s.workers):
            if (i and w.pc == "idle" and s.workers[i - 1].pc == "idle") or (only and w.pc not in only):
                continue
            work(c, s, go, i, w)
        if only:
            if s.reb[0] == "write":
                rebuild(c, s, go)
            return out
        for i, r in enumerate(s.readers):
            read(c, s, go, i, r)
        for m in set(s.flight):
            n = go("*the request of a dead worker reaches %s: %s" % (m[0], m[1]))
            n.flight = without(s.flight, m)
            write(n, m[0], m[1], m[2])
        busy = {w.ticket for w in s.workers}
        if c.orphans == "published again" and not any(j.name == "orphans" for j in s.jobs):
            ids = frozenset(d for note in s.notes if note.ticket not in busy for d in note.ids)
            waiting = frozenset(d for j in s.jobs for d in j.ids)
            if ids - waiting and not any(w.job and w.job.name == "orphans" for w in s.workers):
                n = go("orphaned notes of %s are published again" % sorted(ids))
                n.jobs = queue(s.jobs, Job("orphans", (), tuple(sorted(ids)), force=True))
        if s.lost and not any(j.name == "lost numbers" for j in s.jobs):
            ids = tuple(sorted(d for d, e in s.idx[s.live].items() if has_lost(c, s, e)))
            if ids and not any(w.job and w.job.name == "lost numbers" for w in s.workers):
                n = go("%s with lost numbers are published again" % (ids,))
                n.jobs = queue(s.jobs, Job("lost numbers", (), ids, force=True))
        if s.settling and not s.flight and not any(is_lost(s, w.ticket) for w in s.workers):
            n = go("nothing of before the restart is under way any more")
            n.settling = False
        if c.refreshes and any(shown != s.idx[s.live] for shown in s.vis[s.live]):
            n = go("*%s is refreshed" % s.live)
            n.vis = {**s.vis, s.live: (s.idx[s.live],) * c.copies}
        rebuild(c, s, go)
        trouble(c, s, go)
        if s.alias != s.live and c.lagging:
            n = go("*the lagging node learns the alias")
            n.alias = s.live
        return out

    return step


def write(n, index, d, entry):
    """Writes one document of one index under its ticket as external version; an index that is not there takes nothing."""
    documents = n.idx.get(index)
    if documents is not None and not (d in documents and documents[d].ticket >= entry.ticket):
        n.idx = {**n.idx, index: {**documents, d: entry}}


def work(c, s, go, i, w):
    name = "W%d " % (i + 1)

    def become(n, worker):
        n.workers = n.workers[:i] + (worker,) + n.workers[i + 1 :]

    if w.pc == "idle":
        if s.ended is not None:
            return
        for job in sorted(set(s.jobs), key=repr):
            n = go(name + "takes %s" % (job.name,))
            n.jobs = without(s.jobs, job)
            become(n, Worker("records", job))
        return
    job = w.job
    if s.crash and w.pc != "records":
        if c.again == "own ticket":
            # Its note may have been lost with a failover, and what it wrote may be there.
            job = job._replace(force=True)
        for repeat in [(job,)] if not c.split or len(job.ids) < 2 else [
            (job._replace(writes=(), ids=job.ids[:1]), job._replace(writes=(), ids=job.ids[1:]))
        ]:
            n = go("*%sdies at %s" % (name, w.pc))
            n.crash -= 1
            n.taken = frozenset(each for each in s.taken if each[0] != i)
            if job.repeat:
                n.jobs = queue(s.jobs, *repeat)
            if s.zombie and w.pc == "write" and w.left:
                n.zombie -= 1
                n.flight = queue(s.flight, *[(w.left[0], d, e) for d, e in w.plan])
            become(n, Worker())
        job = w.job
    if w.pc == "records":
        n = go(name + "writes and refreshes records %s" % (job.writes,))
        for d, version, value in job.writes:
            if n.rec.get(d, (0,))[0] < version:
                n.rec = {**n.rec, d: (version, value)}
        become(n, w._replace(pc="ticket"))
    elif w.pc == "ticket":
        n = go(name + "ticket %d" % (s.clk + 1))
        become(n, take(c, n, w, job.name, job.ids))
    elif w.pc == "note":
        n = go(name + "notes its ticket %d" % w.ticket)
        n.notes = s.notes | {Note(w.ticket, frozenset(job.ids), job.name)}
        become(n, w._replace(pc="targets"))
    elif w.pc == "targets":
        targets = (s.live,) if job.live_only else tuple(t for t in (s.building, s.previous, s.live) if t)
        n = go(name + "reads its targets %s" % (targets,))
        become(n, w._replace(pc="read", targets=targets, copied=s.building in targets))
    elif w.pc == "read":
        if job.keep and set(job.ids) - w.alone:
            n = go(name + "leaves %s to a later run: it is not alone" % sorted(set(job.ids) - w.alone))
            n.notes = frozenset(note for note in s.notes if note.ticket != w.ticket)
            n.jobs = queue(s.jobs, job)
            become(n, Worker())
            return
        # The state before is read after the ticket, in real time, from the live index.
        before = s.idx.get(w.targets[-1], {})
        plan = []
        for d in job.ids:
            old = before.get(d)
            content = (old.content if old else None) if job.keep else derive(c, s, d)
            # What is not there is written as gone: another writer with a lower ticket may still write it.
            force = job.force or (w.copied and c.beside_copy == "own ticket") or (s.settling and c.settling == "own ticket")
            plan.append((d, entry_of(c, s, old, content, w.ticket, d in w.alone, force)))
        n = go(name + "derives %s" % (plan,))
        become(n, w._replace(pc="write", plan=tuple(plan), left=w.targets))
    elif w.pc == "write":
        index, left = w.left[0], w.left[1:]
        n = go(name + "writes %s with ticket %d" % (index, w.ticket))
        for d, e in w.plan:
            write(n, index, d, e)
        become(n, w._replace(left=left, pc="write" if left else "refresh"))
    elif w.pc == "refresh":
        complete = [(c.copies, True)] + ([(1, c.refresh == "some copies")] if c.copies > 1 else [])
        for copies, counts in complete:
            if not counts:
                continue
            n = go(name + "refreshes %s" % ("every copy" if copies == c.copies else "one copy of two"))
            n.vis = dict(s.vis)
            for t in w.targets:
                if t in s.idx:
                    n.vis[t] = (s.idx[t],) * copies + n.vis[t][copies:]
            become(n, w._replace(pc="announce" if c.wake == "generation" else "take back"))
    elif w.pc == "announce":
        n = go(name + "announces")
        n.signal = s.signal + 1
        become(n, w._replace(pc="take back"))
    elif w.pc == "take back":
        own = next((note for note in s.notes if note.ticket == w.ticket), None)
        n = go(name + "takes its note back%s" % ("" if own else ": it is gone"))
        mine = frozenset(job.ids)
        if own is None and c.missing_note == "writes again":
            become(n, w._replace(pc="ticket", job=job._replace(force=True)))
            return
        kept = set()
        for note in s.notes:
            if note.ticket == w.ticket or (c.take_back == "all of the job" and note.name == job.name and note.ticket < w.ticket):
                continue
            # A document written under a higher ticket, to every target, can no longer be written under this one.
            covered = mine if note.ticket < w.ticket and c.take_back == "what it wrote" else frozenset()
            if note.ids - covered or any(note.ticket == x.ticket for x in s.workers):
                kept.add(note._replace(ids=note.ids - covered))
        n.notes = frozenset(kept)
        if s.restarts:
            n.taken = s.taken | {(i, w.ticket)}
        if job == s.due:
            n.due = None
        if c.wake == "horizon":
            n.signal = s.signal + 1
        become(n, Worker())


def read(c, s, go, i, r):
    def become(n, reader):
        n.readers = n.readers[:i] + (reader,) + n.readers[i + 1 :]

    name = "reader %d " % (i + 1)
    if r.pc == "export":
        n = go(name + "begins an export at the horizon %d" % horizon(s))
        become(n, r._replace(pc="exporting", epoch=s.epoch, asof=horizon(s), changed=horizon(s), id="~", index=s.live))
        return
    if r.pc == "exporting":
        n = go(name + "exports what is visible")
        mirror = frozenset((d, e.content) for d, e in s.vis.get(r.index, ({},))[0].items() if lists(e.content))
        known = s.clk if c.exported == "remembered" else 0
        become(n, r._replace(pc="idle", mirror=mirror, known=known, index=None))
        return
    if r.pc == "idle":
        if not s.open or r.signal == s.signal:
            return
        if r.epoch != s.epoch:
            n = go(name + "gets 410, begins again")
            become(n, Reader(epoch=s.epoch))
            return
        n = go(name + "reads the horizon %d" % horizon(s))
        h = horizon(s)
        index = s.served if c.search == "index of the horizon" else "alias"
        if c.floor == "last ticket served":
            n.floor = max(s.floor, h)
        fresh = r.asof is None
        asking = r._replace(pc="search", horizon=h, index=index, floor=s.purged, began=s.signal, asof=h if fresh else r.asof)
        become(n, asking)
        if not c.coarse:
            return
        r = asking
        go = lambda label: n
    index = r.index
    if index == "alias":
        index = s.alias if c.lagging else s.live
    if index not in s.vis:
        n = go(name + "finds no index, asks again")
        become(n, r._replace(pc="idle", index=None))
        return
    for copy in range(len(s.vis[index])):
        page = page_of(c, s.vis[index][copy], r)
        n = go(name + "searches %s%s" % (index, "" if c.copies == 1 else " copy %d" % copy))
        floor = s.purged if c.purge_floor == "after the search" else r.floor
        if r.asof < floor:
            become(n, Reader(epoch=r.epoch))
            continue
        become(n, page)
        if s.unanswered:
            n = go(name + "is sent the page and takes it; the sender dies before it stores the position")
            n.unanswered -= 1
            known = max(r.known, r.horizon) if c.unacknowledged == "remembered" else r.known
            become(n, r._replace(pc="idle", mirror=page.mirror, known=known, horizon=None, index=None, floor=None, began=None))


def page_of(c, documents, r):
    """The reader after one page: the documents above its position, up to its horizon."""
    found = sorted((e.changed, d) for d, e in documents.items() if e.changed is not None and (r.changed, r.id) < (e.changed, d) and e.changed <= r.horizon)
    mirror, noise = dict(r.mirror), r.noise
    for _, d in found[: c.page]:
        e = documents[d]
        if lists(e.content):
            mirror[d] = e.content
        elif e.created <= max(r.changed, r.known) and is_due(c, e, d, r):
            noise += d not in mirror
            mirror.pop(d, None)
    ended = r._replace(pc="idle", mirror=frozenset(mirror.items()), noise=min(noise, 1), horizon=None, index=None, floor=None, began=None)
    if len(found) > c.page:
        last = found[c.page - 1]
        return ended._replace(changed=last[0], id=last[1])
    hidden = c.hidden == "keeps the walk open" and any(is_hidden(c, e, r) for e in documents.values())
    return ended._replace(asof=r.asof if hidden else r.horizon, changed=r.horizon, id="~", signal=r.began)


def failing(e):
    """The tickets at which the groups last moved that keep a document off the list. Where its fields are not known, all of them."""
    fields = fields_of(e)
    return [e.moved[g] for g in range(GROUPS) if fields is None or not fields[g]]


def is_due(c, e, d, r):
    """A group that has not moved since the walk began is as it was: if it fails now, the document was not on the list."""
    since = lambda moved: moved > r.asof if c.moved == "since the walk began" else (moved, d) > (r.changed, r.id)
    moved = [since(ticket) for ticket in failing(e)]
    return not moved or (all(moved) if c.removal == "every group that fails has moved" else any(moved))


def is_hidden(c, e, r):
    """It left the list below the horizon and has changed above it since, so this walk does not send it, and the next one would not either."""
    if not e.changed or e.changed <= r.horizon or lists(e.content) or (e.content is None and c.hidden_gone == "no"):
        return False
    moved = failing(e)
    if not moved or min(moved) <= r.asof:
        return False
    return (max if c.hidden_groups == "all below" else min)(moved) <= r.horizon


def rebuild(c, s, go):
    pc = s.reb[0]
    if pc == "create":
        n = go("B creates i2 and makes it building")
        n.idx = {**s.idx, "i2": {}}
        n.vis = {**s.vis, "i2": ({},) * c.copies}
        n.building = "i2"
        n.since = s.clk + 1
        n.reb = ("ticket", c.docs)
    elif pc == "ticket":
        left = s.reb[1]
        if not left:
            n = go("B refreshes i2")
            n.vis = {**s.vis, "i2": (s.idx["i2"],) * c.copies}
            n.reb = ("swap",)
            return
        n = go("B ticket %d for %s" % (s.clk + 1, left[0]))
        n.clk = s.clk + 1
        n.reb = ("read", left, n.clk, not any(left[0] in note.ids for note in s.notes))
    elif pc == "read":
        left, ticket = s.reb[1], s.reb[2]
        alone = s.reb[3] or c.copy == "compares"
        d = left[0]
        old = s.idx[s.live].get(d)
        seen = s.vis[s.live][0].get(d)
        content = derive(c, s, d)
        if c.gone == "as seen" and seen is not None and seen.content is None:
            entry = E(ticket, None, seen.changed, seen.created, seen.moved, seen.was)
        elif (old is None and content is None) or (content is None and c.gone == "dropped"):
            entry = None
        elif alone and old is not None and old.content == content and old.changed is not None and not (s.settling and c.settling == "own ticket"):
            entry = E(ticket, content, old.changed, old.created, old.moved, old.was)
        else:
            entry = E(ticket, content, ticket, old.created if old and alone else 0, (ticket,) * GROUPS, None if content else kept(c, old))
        n = go("B derives %s: %s" % (d, entry))
        n.reb = ("write", left, entry)
    elif pc == "write":
        left, entry = s.reb[1], s.reb[2]
        n = go("B writes %s" % left[0])
        if entry is not None:
            write(n, "i2", left[0], entry)
        n.reb = ("ticket", left[1:])
    elif pc == "swap":
        n = go("B swaps")
        n.live, n.building, n.previous = "i2", None, "i1"
        if not c.lagging:
            n.alias = "i2"
        n.reb = ("serve",)
    elif pc == "serve":
        n = go("B lets readers search i2")
        serve(n, s, c.marks == "published again")
        n.open = s.open or c.old_index
        n.reb = ("retire",) if c.retire else ("done",)
    elif pc == "retire" and s.due is None:
        n = go("B retires i1")
        n.previous = None
        n.reb = ("done",)
    elif pc == "serve back":
        n = go("readers search %s again" % s.live)
        serve(n, s, c.after_rollback == "published again")
        n.reb = ("done",)
    if pc == "done" and s.rollback and s.previous:
        n = go("*the operator rolls back to %s" % s.previous)
        n.rollback -= 1
        n.live, n.previous = s.previous, s.live
        n.alias = n.live
        n.reb = ("serve back",)


def serve(n, s, published):
    """Lets readers search the live index. Documents of either index since the copy began are published again: the copy may have written them."""
    indices = s.idx[s.stored], s.idx[s.live]
    due = sorted({d for documents in indices for d, e in documents.items() if e.changed is None or e.changed >= s.since})
    n.served = n.stored = s.live
    n.signal = s.signal + 1
    if published and due:
        # The state of the feed, in Elasticsearch, says that it is due: a lost queue is given it again.
        n.due = Job("differences", (), tuple(due), force=True, live_only=True, keep=True)
        n.jobs = queue(s.jobs, n.due)


def trouble(c, s, go):
    if s.restarts and s.ended is None and all(w.pc == "idle" for w in s.workers):
        n = go("every writer ends in order, and takes the number %d" % (s.clk + 1))
        n.clk = s.clk + 1
        n.ended = n.clk
    if s.restarts:
        for state in {redis_of(s), *s.past}:
            restart(c, s, go, state)
    if s.served != s.stored:
        n = go("readers are shown the stored state")
        n.served = s.stored
        n.signal = s.signal + 1
    if s.loss:
        n = go("*Redis loses everything; the clock continues from its ceiling")
        n.loss -= 1
        n.notes, n.past = frozenset(), ()
        n.clk = s.clk + 5
        n.jobs = queue((), Job("loss", (), c.docs, force=c.after_loss == "changed anew"), *[s.due] * (s.due is not None))
    if s.failover and s.clk > 1:
        n = go("*Redis fails over and forgets its last notes and ticket")
        n.failover -= 1
        n.notes, n.past = frozenset(), ()
        floor = s.floor if c.floor == "last ticket served" else 0
        # That a ticket in use is not issued again is for the write protocol to prove.
        in_use = [w.ticket or 0 for w in s.workers] + [m[2].ticket for m in s.flight] + [e.ticket for x in s.idx.values() for e in x.values()]
        in_use += [s.reb[2]] if s.reb[0] == "read" else [s.reb[2].ticket] if s.reb[0] == "write" and s.reb[2] else []
        # The rebuild has stored a ticket from before its copy.
        n.clk = max(s.clk - 1, floor, s.since - 1, *in_use)
    if s.restore and s.live == "i1" and s.reb[0] == "done" and all(w.pc == "idle" for w in s.workers) and not s.jobs:
        n = go("*Elasticsearch is restored from before the writes; the clock continues")
        n.restore -= 1
        first = make(c)
        n.rec, n.idx, n.vis = first.rec, first.idx, first.vis
        n.epoch = s.epoch + (c.after_restore == "new epoch")
        n.signal = s.signal + 1
    if s.purge:
        for name, documents in s.idx.items():
            gone = [d for d, e in documents.items() if e.content is None and e.changed is not None and e.changed <= horizon(s)]
            # Removals are kept for 30 days. No request and no job is that late.
            if gone and not s.notes and not s.jobs and not s.flight:
                n = go("*removals up to %d are purged" % horizon(s))
                n.purge -= 1
                n.purged = horizon(s)
                # A purge is 30 days behind the clock, and no failover loses as much.
                n.floor = max(s.floor, horizon(s))
                n.idx = {**s.idx, name: {d: e for d, e in documents.items() if d not in gone}}
                n.vis = {**s.vis, name: (n.idx[name],) * c.copies}
                n.signal = s.signal + 1


def restart(c, s, go, state):
    """Redis restarts as it is or was, beside workers that live: what they do goes on, and may not be known there."""
    clk, notes, jobs, under_way, served = state
    whole = c.restart == "never a loss" or (s.ended is not None and clk >= s.ended)
    n = go("*Redis restarts at %d, %s" % (clk, "as it was" if whole else "which may be a loss"))
    n.restarts -= 1
    n.clk, n.ended, n.past = s.clk + 5, None, ()
    n.served = s.stored if c.served == "before a number" else served
    now = frozenset(w.job for w in s.workers if w.job)
    # What nobody works on any more runs again, as the second time.
    n.jobs = queue(jobs, *(job._replace(force=True) for job in under_way - now))
    # Elasticsearch knows what is due.
    if s.due is not None and s.due not in (*n.jobs, *now):
        n.jobs = queue(n.jobs, s.due)
    # A job that waits there, or is not there at all, is not given to another worker when its own dies.
    n.workers = tuple(w if w.job is None or w.job in under_way else w._replace(job=w.job._replace(repeat=False)) for w in s.workers)
    n.missing = s.missing or bool({*s.jobs, *now} - {*jobs, *under_way})
    # Who lives takes back again what it had taken back.
    n.notes = frozenset(note for note in notes if note.ticket not in {ticket for _, ticket in s.taken})
    if not whole:
        n.lost, n.settling = s.lost + ((clk, n.clk),), True


def check(c):
    def f(s):
        if s.jobs or s.flight or any(w.pc != "idle" for w in s.workers) or s.reb[0] != "done" or s.served != s.stored:
            return None
        if any(note.ids for note in s.notes):
            if c.orphans == "published again":
                return None
            return "a note nobody takes back holds the horizon at %d for ever" % horizon(s)
        if not s.open:
            return None if c.old_index and not c.rebuild else "the feed stays closed"
        documents = s.idx[s.live]
        if any(has_lost(c, s, e) for e in documents.values()):
            return None
        want = {d: content for d in c.docs if (content := derive(c, s, d))}
        have = {d: e.content for d, e in documents.items() if e.content}
        # A job that is not repeated leaves its document to the next pass of its kind.
        repeated = all(job.repeat for job in c.jobs) and not c.loss and not s.missing
        if repeated and not c.new_rules and not s.rollback < c.rollback and have != want:
            return "the list shows %s, the records say %s" % (have, want)
        if c.unchanged and any(e.changed != 1 for e in documents.values()):
            return "what was derived again with the same content counts as a change: %s" % documents
        shown = {d: content for d, content in have.items() if lists(content)}
        if c.quiet and any(r.noise for r in s.readers):
            return "a reader is told of the removal of what was never on its list"
        for r in s.readers:
            if r.pc != "idle":
                continue
            for copy in range(len(s.vis[s.served])):
                mirror = dict(to_the_end(c, s, r, copy).mirror)
                if mirror != shown:
                    return "a mirror shows %s, the list %s" % (mirror, shown)
        return None

    return f


def to_the_end(c, s, r, copy):
    """The reader after all pages that it would still ask for."""
    while r.signal != s.signal:
        if r.epoch != s.epoch or (r.asof is not None and r.asof < s.purged):
            r = Reader(epoch=s.epoch)
        h = horizon(s)
        index = s.served if c.search == "index of the horizon" else (s.alias if c.lagging else s.live)
        r = page_of(c, s.vis[index][min(copy, len(s.vis[index]) - 1)], r._replace(horizon=h, asof=h if r.asof is None else r.asof, began=s.signal))
    return r
