"""Questions of their own: tombstones and age (g), generations (k), record versions (l), documents that are due (m), investors in the second
stage (n), targets that are lost (t, lost_targets.py), two rebuilds (x)."""

from lost_targets import LOST
from search import bfs


class T:
    __slots__ = ("t",)

    def __init__(s, *t):
        s.t = t

    def key(s):
        return s.t


def mini_g(soft, after, zombie, gc=6, age=2, horizon=12, restart=False):
    """One document. W1 (ticket 1) derived 'present' before the delete; W2 (ticket 2) deletes. Time ticks. A request may hang in flight.
    state: now, doc(ticket,present,t_del), w1 pc, w1 ticket time, msg in flight, w1 tries, clk, w2 done, crashes"""

    def apply(doc, now, tk, present):
        if doc is not None:
            dt, dp, td = doc
            if not dp and not soft and now - td > gc:
                doc = None  # tombstone forgotten
            elif dt >= tk:
                return doc
        return (tk, present, now)

    def succ(s):
        now, doc, pc, tt, tk, sees, msgs, clk, w2, zb = s.t
        o = []

        def mk(lab, **k):
            d = dict(now=now, doc=doc, pc=pc, tt=tt, tk=tk, sees=sees, msgs=msgs, clk=clk, w2=w2, zb=zb)
            d.update(k)
            o.append((lab, T(*[d[x] for x in ("now", "doc", "pc", "tt", "tk", "sees", "msgs", "clk", "w2", "zb")])))

        if now < horizon:
            mk("time +1", now=now + 1)
        if restart and doc is not None and not doc[1] and not soft:
            mk("Elasticsearch node RESTARTS (tombstone forgotten)", doc=None)
        if w2 == 0:
            mk("W2 deletes the record, refresh", w2=1)
        elif w2 == 1:
            mk("W2 ticket %d, derived delete applied" % (clk + 1), w2=2, clk=clk + 1, doc=apply(doc, now, clk + 1, False))
        if pc == "start":
            mk("W1 ticket %d" % (clk + 1), pc="read", tk=clk + 1, clk=clk + 1, tt=now)
        elif pc == "read":
            mk("W1 reads: record %s" % ("there" if w2 == 0 else "deleted"), pc="send", sees=(w2 == 0))
        elif pc == "send":
            if now - tt > age:
                mk("W1 batch too old, starts again", pc="start")
            else:
                mk("W1 sends (age ok)", pc="wait", msgs=msgs + ((tk, sees),))
        elif pc == "wait":
            if (tk, sees) in msgs and zb:
                mk("W1 client times out / crashes, job starts again; request still in flight", pc="start", zb=zb - 1)
        for m in msgs:
            left = list(msgs)
            left.remove(m)
            npc = pc
            if pc == "wait" and m == (tk, sees):
                npc = "start" if (after and now - tt > gc - age) else "done"
            mk(
                "request with ticket %d lands%s" % (m[0], ", W1 sees it was late: again" if npc == "start" else ""),
                msgs=tuple(left),
                doc=apply(doc, now, *m),
                pc=npc,
            )
        return o

    def chk(s):
        now, doc, pc, tt, tk, sees, msgs, clk, w2, zb = s.t
        if pc == "done" and not msgs and w2 == 2 and doc and doc[1]:
            return "deleted document is back for good"

    return T(0, (0, True, 0), "start", 0, 0, None, (), 0, 0, 1 if zombie else 0), succ, chk


def mini_k(ack_first, ttl, bump_before=False, reuse=False):
    """generation: state: data visible version, gen, api (gen read, data read | None), cache {gen:data}, worker pc, job pending, time since, loss budget"""

    def succ(s):
        vis, gen, api, cache, pc, job, crash, loss, wv = s.t
        o = []

        def mk(lab, **k):
            d = dict(vis=vis, gen=gen, api=api, cache=cache, pc=pc, job=job, crash=crash, loss=loss, wv=wv)
            d.update(k)
            o.append((lab, T(*[d[x] for x in ("vis", "gen", "api", "cache", "pc", "job", "crash", "loss", "wv")])))

        seq = ["bump", "visible", "ack"] if bump_before else (["visible", "ack", "bump"] if ack_first else ["visible", "bump", "ack"])
        if pc == "idle":
            if job:
                mk("W takes job", pc=seq[0])
        else:
            nx = seq[seq.index(pc) + 1] if pc != seq[-1] else "idle"
            if pc == "visible":
                mk("W: v%d visible" % wv, vis=max(vis, wv), pc=nx)
            elif pc == "ack":
                mk("W acks", job=0 if job == 1 else job - 1, pc=nx, wv=wv + (1 if job > 1 else 0))
            elif pc == "bump":
                mk("W bumps generation to %d" % (gen + 1), gen=gen + 1, pc=nx)
            if crash:
                mk("W CRASH before %s" % pc, crash=crash - 1, pc="idle")
        if api is None:
            mk("API reads generation %d" % gen, api=(gen, None))
        elif api[1] is None:
            hit = dict(cache).get(api[0])
            if hit is None:
                mk("API searches: v%d" % vis, api=(api[0], vis))
            else:
                mk("API answers from cache", api=None)
        else:
            mk(
                "API caches v%d under generation %d" % (api[1], api[0]),
                api=None,
                cache=tuple(sorted({**dict(cache), api[0]: api[1]}.items())),
            )
        if loss:
            mk("REDIS LOST, generation back to 0", loss=0, gen=0)
        return o

    def chk(s):
        vis, gen, api, cache, pc, job, crash, loss, wv = s.t
        if pc == "idle" and not job and api is None and dict(cache).get(gen, vis) < vis and not ttl:
            return "cache of the current generation holds v%d, index shows v%d, nothing left to bump it" % (dict(cache)[gen], vis)

    return T(0, 0, None, (), "idle", 2 if reuse else 1, 1 if not reuse else 0, 1 if reuse else 0, 1), succ, chk


def mini_l(floor, mixed=False, back=2):
    """two upserts of one record, version given at enqueue by the Redis clock; Redis may be lost between (clock behind). state: clk, enq, queue, rec(ver,nr), loss"""

    def succ(s):
        clk, enq, q, rec, loss = s.t
        o = []
        if enq < 2:
            ver = 1 if mixed and enq == 1 else clk + 1
            o.append(
                (
                    "producer enqueues upsert #%d with version %d%s" % (enq + 1, ver, " (its own)" if mixed and enq == 1 else ""),
                    T(clk + 1, enq + 1, q + ((ver, enq + 1),), rec, loss),
                )
            )
        for j in q:
            l = list(q)
            l.remove(j)
            o.append(
                (
                    "W writes #%d v%d%s" % (j[1], j[0], "" if j[0] >= rec[0] else ": 409 = done"),
                    T(clk, enq, tuple(l), j if j[0] >= rec[0] else rec, loss),
                )
            )
        if loss:
            o.append(("REDIS LOST, clock behind (jobs already done)", T(clk if floor else max(0, clk - back), enq, q, rec, 0)))
        return o

    def chk(s):
        clk, enq, q, rec, loss = s.t
        if enq == 2 and not q and rec[1] != 2:
            return "the later upsert lost for good: record holds #%d" % rec[1]

    return T(4, 0, (), (0, 0), 0 if mixed else 1), succ, chk


def mini_m(now_from, skew=1):
    """time-driven: document content = (record version, phase) with phase = now >= 3; next = 3 while phase 0 else none. Worker I ingests v2, worker D does due jobs.
    now_from 'start' = now taken at job start, 'ticket' = taken with the ticket. skew: D's or I's clock may run ahead. Requires eventually: content = (2, 1).
    state: now, rec, vis, clk, doc(ticket,ver,phase,next), I(pc,now,tk,val), D(...), runs of D left"""
    H = 4

    def succ(s):
        now, rec, vis, clk, doc, I, D, iskew = s.t
        o = []

        def mk(lab, **k):
            d = dict(now=now, rec=rec, vis=vis, clk=clk, doc=doc, I=I, D=D, iskew=iskew)
            d.update(k)
            o.append((lab, T(*[d[x] for x in ("now", "rec", "vis", "clk", "doc", "I", "D", "iskew")])))

        if now < H:
            mk("time %d" % (now + 1), now=now + 1)
        for nm, P in (("I", I), ("D", D)):
            pc, pn, tk, v = P
            my = now - (skew if (nm == "I") == iskew else 0)
            if pc == "idle" and nm == "D" and doc[3] is not None and doc[3] <= my:
                mk("D finds it due", D=("ticket", my, 0, None))
            elif pc == "start":
                mk("I starts at %d" % my, I=("write", my, 0, None))
            elif pc == "write":
                mk("I writes v2, refresh", rec=2, vis=2, I=("ticket", pn, 0, None))
            elif pc == "ticket":
                mk("%s ticket %d" % (nm, clk + 1), clk=clk + 1, **{nm: ("read", my if now_from == "ticket" else pn, clk + 1, None)})
            elif pc == "read":
                mk("%s reads v%d, derives for now=%d" % (nm, vis, pn), **{nm: ("bulk", pn, tk, (vis, int(pn >= 3), 3 if pn < 3 else None))})
            elif pc == "bulk":
                mk(
                    "%s writes %s ticket %d%s" % (nm, v, tk, "" if tk > doc[0] else ": 409"),
                    doc=(tk,) + v if tk > doc[0] else doc,
                    **{nm: (("idle" if nm == "D" else "end"), 0, 0, None)}
                )
        return o

    def chk(s):
        now, rec, vis, clk, doc, I, D, iskew = s.t
        if now >= H and I[0] == "end" and D[0] == "idle" and (doc[1] != 2 or doc[2] != 1):
            my = now - (skew if iskew is False else 0)
            if not (doc[3] is not None and doc[3] <= my):
                return "stale for good: %s" % (doc,)

    return [T(0, 1, 1, 1, (1, 1, 0, 3), ("start", 0, 0, None), ("idle", 0, 0, None), k) for k in (True, False)], succ, chk


def mini_x(mode):
    """two rebuilders B1, B2; lock may time out. A writer writes w1 after everything. Copies are one step. alias roles live/building.
    mode: 'check' = fence read in Redis, then swap; 'mustexist_live' = swap removes the old live with must_exist; 'cas' = also removes the building role with must_exist.
    state: rec, idx{}, live, building, lock(holder,fence), b1, b2, wleft"""

    def succ(s):
        rec, idx, live, bld, lock, fence, b, wl = s.t
        o = []

        def mk(lab, **k):
            d = dict(rec=rec, idx=idx, live=live, bld=bld, lock=lock, fence=fence, b=b, wl=wl)
            d.update(k)
            o.append((lab, T(*[d[x] for x in ("rec", "idx", "live", "bld", "lock", "fence", "b", "wl")])))

        if lock is not None:
            mk("lock of B%d times out (it is paused)" % (lock + 1), lock=None)
        if wl:
            d = dict(idx)
            for t in (bld, live):
                if t in d:
                    d[t] = rec + 1
            mk(
                "writer: record v%d to targets %s" % (rec + 1, [t for t in (bld, live) if t]),
                rec=rec + 1,
                wl=wl - 1,
                idx=tuple(sorted(d.items())),
            )
        for i in (0, 1):
            pc, f, me, seen = b[i]
            nmx = "n%d" % (i + 1)

            def sb(*v):
                return b[:i] + (v,) + b[i + 1 :]

            P = "B%d " % (i + 1)
            if pc == "idle" and lock is None:
                mk(P + "takes the lock, fence %d" % (fence + 1), lock=i, fence=fence + 1, b=sb("pub", fence + 1, nmx, live))
            elif pc == "pub":
                mk(
                    P + "creates and publishes " + nmx + (" (in place of %s)" % bld if bld else ""),
                    bld=nmx,
                    idx=tuple(sorted({**dict(idx), nmx: 0}.items())),
                    b=sb("copy", f, me, live),
                )
            elif pc == "copy":
                d = dict(idx)
                d[me] = max(d.get(me, 0), rec)
                mk(P + "copies", idx=tuple(sorted(d.items())), b=sb("fence", f, me, seen))
            elif pc == "fence":
                if mode == "cas" or mode == "mustexist_live" or fence == f:
                    mk(P + "fence ok", b=sb("swap", f, me, seen))
                if mode != "cas" and fence != f:
                    mk(P + "fence refused", b=sb("end", f, me, seen))
            elif pc == "swap":
                if mode == "check" or (mode == "mustexist_live" and live == seen) or (mode == "cas" and live == seen and bld == me):
                    mk(
                        P + "swaps %s -> %s" % (live, me),
                        live=me,
                        bld=bld if bld != me else None,
                        b=sb("end", f, me, seen),
                        lock=None if lock == i else lock,
                    )
                else:
                    mk(P + "swap refused by Elasticsearch", b=sb("end", f, me, seen))
        return o

    def chk(s):
        rec, idx, live, bld, lock, fence, b, wl = s.t
        if wl == 0 and dict(idx)[live] < rec and all(x[0] in ("end", "idle", "pub") for x in b):
            return "live %s has v%d, records v%d" % (live, dict(idx)[live], rec)

    return T(0, (("old", 0),), "old", None, None, 0, (("idle", 0, None, None),) * 2, 1), succ, chk


def mini_n(by="stakes", note_early=False, forget_all=False, ticket_late=False, runners=2):
    """A round gets investor X by write 1 and loses it by write 2; X is counted in a second stage (docs/decisions/0028).
    state: stakes written and visible, record version written and visible, funding document (ticket, has X) written and visible,
    the investor's document (ticket, count), its note, the clock, jobs, passes, crashes left.
    `by`: how a job knows the former investors, by stakes or by the document that it replaces."""
    has = {0: False, 1: True, 2: False}

    def newer(doc, tk, value):
        return (tk, value) if tk > doc[0] else doc

    def succ(s):
        names = ("sw", "sv", "rw", "rv", "fw", "fv", "inv", "note", "clk", "jobs", "passes", "crash")
        now = dict(zip(names, s.t))
        o = []

        def mk(lab, **k):
            o.append((lab, T(*[{**now, **k}[x] for x in names])))

        sw, sv, rw, rv, fw, fv, inv, note, clk, jobs, passes, crash = s.t
        for i, (pc, former, tk, sees) in enumerate(jobs):
            v = i + 1

            def job(*j):
                return jobs[:i] + (j,) + jobs[i + 1 :]

            J = "job %d " % v
            if pc in ("start", "done"):
                if pc == "start":
                    mk(J + "writes its stake", jobs=job("record", 0, 0, 0), sw=sw or has[v])
                continue
            if crash:
                mk("*" + J + "dies, and runs again", crash=crash - 1, jobs=job("start", 0, 0, 0))
            if pc == "record":
                mk(J + "writes its record", jobs=job("refresh", 0, 0, 0), rw=max(rw, v))
            elif pc == "refresh":
                mk(J + "refreshes stakes and records", jobs=job("stakes", 0, 0, 0), sv=sw, rv=rw)
            elif pc == "stakes":
                mk(J + "reads the stakes: %s" % sv, jobs=job("ticket", by == "stakes" and sv, 0, 0))
            elif pc == "ticket":
                mk(J + "takes ticket %d" % (clk + 1), clk=clk + 1, jobs=job("read", former, clk + 1, 0))
            elif pc == "read":
                mk(J + "reads record %d" % rv, jobs=job("before" if by == "document" else "write", former, tk, has[rv]))
            elif pc == "before":
                mk(J + "reads the document before: %s" % fw[1], jobs=job("write", fw[1] or sees, tk, sees))
            elif pc == "write":
                early = {"note": tk} if note_early and former else {}
                mk(J + "writes the document: %s" % sees, jobs=job("show", former, tk, sees), fw=newer(fw, tk, sees), **early)
            elif pc == "show":
                mk(J + "refreshes the documents", jobs=job("note", former, tk, sees), fv=fw)
            elif pc == "note":
                late = {"note": tk} if former and not note_early else {}
                mk(J + "notes X and is done" if former else J + "is done", jobs=job("done", 0, 0, 0), **late)
        for i, (pc, read, tk, sees) in enumerate(passes):

            def run(*r):
                return passes[:i] + (r,) + passes[i + 1 :]

            P = "pass %d " % (i + 1)
            if pc == "idle":
                if note:
                    mk(P + "reads the note %d" % note, passes=run("count" if ticket_late else "ticket", note, 0, 0))
                continue
            if crash:
                mk("*" + P + "dies", crash=crash - 1, passes=run("idle", 0, 0, 0))
            if pc == "ticket":
                after = "write" if ticket_late else "count"
                mk(P + "takes ticket %d" % (clk + 1), clk=clk + 1, passes=run(after, read, clk + 1, sees))
            elif pc == "count":
                after = "ticket" if ticket_late else "write"
                mk(P + "counts %d" % fv[1], passes=run(after, read, tk, int(fv[1])))
            elif pc == "write":
                mk(P + "writes %d" % sees, passes=run("forget", read, tk, 0), inv=newer(inv, tk, sees))
            elif pc == "forget":
                mk(P + "forgets", passes=run("idle", 0, 0, 0), note=0 if forget_all or note == read else note)
        return o

    def chk(s):
        sw, sv, rw, rv, fw, fv, inv, note, clk, jobs, passes, crash = s.t
        if note or any(j[0] != "done" for j in jobs) or any(p[0] != "idle" for p in passes):
            return
        if inv[1] != int(fv[1]):
            return "X counts %d rounds, the funding index has %d" % (inv[1], fv[1])

    job, idle = ("start", 0, 0, 0), ("idle", 0, 0, 0)
    return T(False, False, 0, 0, (0, False), (0, False), (0, 0), 0, 0, (job, job), (idle,) * runners, 1), succ, chk


MINI = {
    "g-design": ("hard delete, age checked before sending, request may hang", "BROKEN", lambda: mini_g(False, False, False)),
    "g-after": ("hard delete, age checked before sending and at the reply", "safe", lambda: mini_g(False, True, False)),
    "g-after-zombie": ("same, and the client gave up on a request still in flight", "BROKEN", lambda: mini_g(False, True, True)),
    "g-restart": (
        "hard delete, both age checks, no zombie; node restarts cleanly or the shard moves",
        "BROKEN",
        lambda: mini_g(False, True, False, restart=True),
    ),
    "g-soft": ("deletes as documents {gone:true}, same zombie", "safe", lambda: mini_g(True, False, True, restart=True)),
    "k-ack-first": ("ack before the (coalesced) bump, crash", "BROKEN", lambda: mini_k(True, False)),
    "k-bump-ack": ("visible, bump, then ack; crash", "safe", lambda: mini_k(False, False)),
    "k-bump-before": ("bump before visible", "BROKEN", lambda: mini_k(False, False, bump_before=True)),
    "k-reuse": (
        "visible, bump, ack; Redis lost, counter starts again (number used twice)",
        "BROKEN",
        lambda: mini_k(False, False, reuse=True),
    ),
    "l-loss": ("record version from the Redis clock, lost, behind", "BROKEN", lambda: mini_l(False)),
    "l-floor": ("same with the floor", "safe", lambda: mini_l(True)),
    "l-mixed": ("own small version after a clock version", "BROKEN", lambda: mini_l(True, True)),
    "m-start": ("due job and ingest, now taken at job start, clocks 1 apart", "safe", lambda: mini_m("start")),
    "m-ticket": ("now taken with the ticket", "safe", lambda: mini_m("ticket")),
    "n-stakes": ("former investors by stakes, noted after the refresh; two passes", "safe", lambda: mini_n()),
    "n-document": ("former investors by the document that is replaced", "BROKEN", lambda: mini_n(by="document")),
    "n-note-early": ("noted before the refresh", "BROKEN", lambda: mini_n(note_early=True)),
    "n-forget": ("a note is forgotten that came meanwhile", "BROKEN", lambda: mini_n(forget_all=True)),
    "n-ticket": ("the ticket is taken after counting", "BROKEN", lambda: mini_n(ticket_late=True)),
    **LOST,
    "x-check": ("two rebuilders, fence checked in Redis, then swap", "BROKEN", lambda: mini_x("check")),
    "x-mustexist": ("swap removes the old live with must_exist only", "BROKEN", lambda: mini_x("mustexist_live")),
    "x-cas": ("roles are aliases; swap removes live and building with must_exist", "safe", lambda: mini_x("cas")),
}


class Multi:
    def __init__(s, l):
        s.l = l

    def key(s):
        return "init"


def run_mini(name, limit=1_500_000, tmax=150):
    what, exp, f = MINI[name]
    init, su, ch = f()
    if isinstance(init, list):
        m = Multi(init)
        return bfs(
            m, lambda s: [("", x) for x in s.l] if isinstance(s, Multi) else su(s), lambda s: None if isinstance(s, Multi) else ch(s)
        )
    return bfs(init, su, ch, limit, tmax)
