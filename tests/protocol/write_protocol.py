"""The write protocol: records, refresh, ticket, targets, a bulk per target, a rebuild, crashes, repeated jobs, a lost Redis."""

from types import SimpleNamespace as NS

BASE = dict(
    refresh=True,
    ticket="before_read",
    targets="after_refresh",
    copy_ticket="page",
    touch="edges",
    skip_on_409=False,
    targets_in="es",
    gone="ok",
    swap="cas",
    live_last=True,
    preswap="freeze",
    reader=False,
    acked_only=False,
    refresh_first=False,
    crash=0,
    redeliver=0,
    loss=0,
    clock_back=0,
    lose_jobs=False,
    sweep=False,
    floor=True,
    cancel=0,
    rollback=0,
    retire=False,
    rebuild=False,
    bcrash=0,
    workers=2,
    fan=False,
    fan_before_ack=True,
    itemwise=False,
    autorec=False,
    realtime=False,
    jobs=(),
    init=(),
    page=1,
)


class S:
    __slots__ = ("rec", "vis", "clk", "idx", "iv", "roles", "jobs", "pr", "bud", "reb", "acked", "bad", "auto", "dirty")

    def copy(s):
        n = S()
        for a in S.__slots__:
            setattr(n, a, getattr(s, a))
        return n

    def key(s):
        f = lambda d: tuple(sorted(d.items()))
        return (
            f(s.rec),
            f(s.vis) if s.vis is not s.rec else 0,
            s.clk,
            tuple((n, f(d)) for n, d in sorted(s.idx.items())),
            tuple((n, f(d)) for n, d in sorted(s.iv.items())),
            s.roles,
            s.jobs,
            s.pr,
            s.bud,
            s.reb,
            s.acked,
            s.bad,
            s.auto,
            s.dirty,
        )


def val(view, k):
    r = view.get(k)
    return r[1] if r else None


def derive(view, doc):
    """content = the exact (record, version) pairs it was made of; None = must not exist"""
    if doc[0] == "F":
        r = val(view, "R" + doc[1])
        if r is None or val(view, "C" + r[0]) is None:
            return None
        out = [("R" + doc[1], view["R" + doc[1]][0]), ("C" + r[0], view["C" + r[0]][0])]
        if r[1] and val(view, "I" + r[1]):
            out.append(("I" + r[1], view["I" + r[1]][0]))
        return tuple(sorted(out))
    c = doc[1]
    if val(view, "C" + c) is None:
        return None
    out = [("C" + c, view["C" + c][0])]
    for k, x in view.items():
        ver, v = x[0], x[1]
        if k[0] == "R" and v is not None and v[0] == c:
            out.append((k, ver))
            if v[1] and val(view, "I" + v[1]):
                out.append(("I" + v[1], view["I" + v[1]][0]))
    return tuple(sorted(set(out)))


def docs_of(view):
    return ["F" + k[1] for k in view if k[0] == "R"] + ["S" + k[1] for k in view if k[0] == "C"]


def fresh(view):
    return {d: v for d in docs_of(view) if (v := derive(view, d)) is not None}


def touched(c, job, view, old):
    if job[0] == "touch":
        return set(job[1])
    _, k, ver, v = job
    t = set()
    if k[0] == "R":
        t.add("F" + k[1])
        if v is not None:
            t.add("S" + v[0])
        cur = val(view, k)
        if cur:
            t.add("S" + cur[0])
        if c.touch == "old_read" and old:
            t.add("S" + old)
        if c.touch == "former":
            for o in (view[k][2] if k in view and len(view[k]) > 2 else ()):
                t.add("S" + o)
        if c.touch == "edges":
            for e in view:
                if e[0] == "E" and e[1] == k[1]:
                    t.add("S" + e[2])
    elif k[0] == "C":
        t.add("S" + k[1])
        t |= {"F" + r[1] for r in view if r[0] == "R" and view[r][1] and view[r][1][0] == k[1]}
    elif k[0] == "I":
        for r in view:
            if r[0] == "R" and view[r][1] and view[r][1][1] == k[1]:
                t |= {"F" + r[1], "S" + view[r][1][0]}
    return t


def put(d, doc, tk, v):
    cur = d.get(doc)
    if cur and cur[0] >= tk:
        return d  # external: 409
    d = dict(d)
    d[doc] = (tk, v)
    return d  # v None = tombstone (gc is in mini model g)


def rm(jobs, j):
    l = list(jobs)
    l.remove(j)
    return tuple(l)


def add(jobs, *js):
    return tuple(sorted(jobs + js, key=repr))


def make(c):
    s = S()
    rec = {}
    for k, ver, v in c.init:
        rec[k] = (ver, v, ()) if c.touch == "former" and k[0] == "R" else (ver, v)
        if c.touch == "edges" and k[0] == "R" and v:
            rec["E" + k[1] + v[0]] = (0, 1)
    s.rec = s.vis = rec
    s.clk = 1
    i1 = {d: (1, v) for d, v in fresh(rec).items()}
    s.idx = {"i1": i1}
    s.iv = {"i1": i1} if c.reader else {}
    s.roles = ("i1", None, None)
    s.jobs = tuple(sorted(c.jobs, key=repr))
    s.pr = (("idle",),) * c.workers
    s.bud = (c.crash, c.redeliver, c.loss, c.bcrash, c.cancel, c.rollback)
    s.reb = ("create", "", 0, None, None) if c.rebuild else ("done", "", 0, None, None)  # pc, cursor, ticket, page, name
    s.acked = frozenset()
    s.bad = None
    s.auto = frozenset(["i1"])
    s.dirty = False
    return s


def use(bud, i):
    return bud[:i] + (bud[i] - 1,) + bud[i + 1 :]


def setp(s, i, p):
    s.pr = s.pr[:i] + (p,) + s.pr[i + 1 :]


def targets(c, s):
    live, b, p = s.roles
    return tuple(x for x in ((b, p, live) if c.live_last else (live, b, p)) if x)


def write_idx(c, s, name, doc, tk, v):
    if name not in s.idx:
        if c.gone == "auto":
            s.idx = {**s.idx, name: {doc: (tk, v)}}
            s.bad = "index %s auto-created again" % name
        elif c.gone == "dead":
            s.bad = "write to a retired index dead-lettered"
        return
    d = put(s.idx[name], doc, tk, v)
    if d is not s.idx[name]:
        s.idx = {**s.idx, name: d}


def succ(c):
    def f(s):
        out = []

        def go(lab):
            n = s.copy()
            out.append((lab, n))
            return n

        if s.bad:
            return out
        # ---- workers
        for i, p in enumerate(s.pr):
            if i and p == ("idle",) and s.pr[i - 1] == ("idle",):
                continue  # symmetry
            w = "W%d " % (i + 1)
            pc = p[0]
            if pc == "idle":
                for j in sorted(set(s.jobs), key=repr):
                    n = go(w + "takes %s" % (j,))
                    n.jobs = rm(s.jobs, j)
                    tg = targets(c, s) if c.targets == "start" else None
                    setp(n, i, ("old" if c.touch in ("old_read", "former") and j[0] == "up" and j[1][0] == "R" else "edge", j, tg, None))
                continue
            j = p[1]
            if s.bud[0] and pc != "idle":
                n = go("*" + w + "CRASH at %s%s" % (pc, "" if pc == "fanlate" else ", job goes back"))
                n.jobs = s.jobs if pc == "fanlate" else add(s.jobs, j)
                setp(n, i, ("idle",))
                n.bud = use(s.bud, 0)
            if pc == "old":
                r = s.rec.get(j[1])
                o = r[1][0] if r and r[1] else None
                fm = tuple(sorted(set(r[2]) | ({o} if o else set()))) if c.touch == "former" and r else ()
                n = go(w + "reads old record: company %s" % o)
                setp(n, i, ("edge", j, p[2], (o, fm)))
            elif pc == "edge":
                if c.touch == "edges" and j[0] == "up" and j[1][0] == "R" and j[3]:
                    n = go(w + "writes edge")
                    e = "E" + j[1][1] + j[3][0]
                    if e not in s.rec:
                        n.rec = {**s.rec, e: (0, 1)}
                else:
                    n = go(w + "-")
                setp(n, i, ("write", j, p[2], p[3]))
            elif pc == "write":
                lost = False
                if j[0] == "up":
                    cur = s.rec.get(j[1])
                    lost = bool(cur and cur[0] > j[2])
                    n = go(w + "writes record %s v%s%s" % (j[1], j[2], " 409" if lost else ""))
                    if not lost:
                        n.rec = {**s.rec, j[1]: (j[2], j[3], p[3][1]) if c.touch == "former" and j[1][0] == "R" else (j[2], j[3])}
                else:
                    n = go(w + "-")
                setp(n, i, ("ack" if (lost and c.skip_on_409) else "refresh", j, p[2], p[3]))
            elif pc == "refresh":
                n = go(w + ("refreshes records" if c.refresh else "-"))
                if c.refresh:
                    n.vis = n.rec
                nx = "fan" if (c.fan and j[0] == "up" and j[1][0] == "I") else "ticket"
                if c.ticket == "after_read" and nx == "ticket":
                    nx = "targets"
                setp(n, i, (nx, j, p[2], p[3]))
                if nx == "fan" and not c.fan_before_ack:
                    setp(n, i, ("fanlate", j, None, None))
            elif pc in ("fan", "fanlate"):
                ts = sorted(touched(c, j, s.vis, None))
                n = go(w + "enqueues follow-ups %s" % ts)
                n.jobs = add(s.jobs, *[("touch", (t,)) for t in ts])
                setp(n, i, ("ack", j, None, None) if pc == "fan" else ("idle",))
            elif pc == "ticket":
                n = go(w + "ticket %d" % (s.clk + 1))
                n.clk = s.clk + 1
                if c.ticket == "after_read":
                    setp(n, i, ("bulk", j, p[2], (n.clk, p[3][1])))
                else:
                    setp(n, i, ("targets", j, p[2], (n.clk, p[3])))
            elif pc == "targets":
                tg = p[2] if c.targets == "start" else targets(c, s)
                n = go(w + "reads targets %s" % (tg,))
                setp(n, i, ("read", j, tg, p[3]))
            elif pc == "read":
                old = None
                x = p[3][1] if c.ticket == "before_read" else p[3]
                if x:
                    old = x[0]
                view = s.vis
                if c.realtime:
                    view = {**s.vis, **{k: s.rec[k] for k in s.rec if k in s.vis or k == j[1]}}
                dv = tuple((d, derive(view, d)) for d in sorted(touched(c, j, s.vis, old)))
                todo = tuple((t, dv) for t in p[2])
                if c.itemwise:
                    todo = tuple((t, (x,)) for t in p[2] for x in dv)
                n = go(w + "reads, derives %s" % (dv,))
                if c.ticket == "after_read":
                    setp(n, i, ("ticket", j, None, (0, todo)))
                else:
                    setp(n, i, ("bulk" if todo else "ack", j, None, (p[3][0], todo)))
            elif pc == "bulk":
                tk, todo = p[3]
                t, dv = todo[0]
                lab0 = w + "bulk to %s with ticket %d" % (t, tk)
                n = go(lab0)
                for d, v in dv:
                    write_idx(c, n, t, d, tk, v)
                if c.reader and c.refresh_first and t != s.roles[0] and t in n.idx:
                    n.iv = {**n.iv, t: n.idx[t]}
                    out[-1] = (lab0 + " and refreshes it", n)
                setp(n, i, ("bulk" if todo[1:] else "ack", j, None, (tk, todo[1:])))
            elif pc == "ack":
                n = go(w + "acks")
                setp(n, i, ("idle",))
                if c.reader and j[0] == "up" and not (c.fan and j[1][0] == "I"):
                    n.acked = s.acked | {(j[1], j[2])}
                if s.bud[1]:
                    m = go("*" + w + "acks, job DELIVERED AGAIN")
                    setp(m, i, ("idle",))
                    m.bud = use(s.bud, 1)
                    m.jobs = add(s.jobs, j)
        # ---- records index refreshes by itself
        if c.autorec and s.vis is not s.rec and s.vis != s.rec:
            n = go("*auto refresh of records")
            n.vis = s.rec
        # ---- Redis loses its data
        if s.bud[2]:
            n = go("*REDIS LOST" + (", clock back by %d" % c.clock_back if c.clock_back else "") + (", queue empty" if c.lose_jobs else ""))
            n.bud = use(s.bud, 2)
            if not c.floor:
                n.clk = max(1, s.clk - c.clock_back)
            if c.targets_in == "redis":
                n.roles = (s.roles[0], None, None)
            if c.lose_jobs:
                n.jobs = ()
                n.dirty = True
                n.pr = tuple(("idle",) for _ in s.pr)
        if s.dirty and c.sweep and not any(p != ("idle",) for p in s.pr) and not s.jobs:
            n = go("sweep after loss: refresh, re-derive everything stored")
            n.vis = s.rec
            n.dirty = False
            n.jobs = (("touch", tuple(sorted(set(docs_of(s.rec)) | {"S" + e[2] for e in s.rec if e[0] == "E"}))),)
        # ---- rebuilder
        pc, cur, tk, page, nm = s.reb
        if pc != "done":
            if s.bud[3] and pc not in ("create",):
                n = go("*B CRASH at %s, resumes from its kept cursor" % pc)
                n.bud = use(s.bud, 3)
                back = {"cread": "cticket", "cwrite": "cticket"}.get(pc, pc)
                n.reb = (back, cur, tk if c.copy_ticket == "once" else 0, None, nm)

            def r(n, *a):
                n.reb = a

            if pc == "create":
                n = go("B creates i2")
                n.idx = {**s.idx, "i2": {}}
                n.iv = {**s.iv, "i2": {}} if c.reader else s.iv
                r(n, "publish", "", 0, None, "i2")
            elif pc == "publish":
                n = go("B publishes i2 as building")
                n.roles = (s.roles[0], "i2", s.roles[2])
                if c.copy_ticket == "once":
                    n.clk = s.clk + 1
                    r(n, "cread", "", n.clk, None, nm)
                else:
                    r(n, "cticket", "", 0, None, nm)
            elif nm not in s.idx:
                n = go("B sees it was cancelled")
                r(n, "done", "", 0, None, None)
            elif pc == "cticket":
                n = go("B ticket %d for page after %r" % (s.clk + 1, cur))
                n.clk = s.clk + 1
                r(n, "cread", cur, n.clk, None, nm)
            elif pc == "cread":
                ks = sorted(k for k in s.vis if k[0] in "CR" and k > cur)[: c.page]
                if not ks:
                    n = go("B copy finished")
                    r(n, "frefresh" if c.reader else "swap", "", 0, None, nm)
                else:
                    dv = tuple((d, derive(s.vis, d)) for d in [("S" if k[0] == "C" else "F") + k[1] for k in ks])
                    n = go("B reads page %s: %s" % (ks, dv))
                    r(n, "cwrite", cur, tk, (ks[-1], dv), nm)
            elif pc == "cwrite":
                n = go("B writes page to %s with ticket %d" % (nm, tk))
                for d, v in page[1]:
                    if v is not None:
                        write_idx(c, n, nm, d, tk, v)
                r(n, "cticket" if c.copy_ticket == "page" else "cread", page[0], tk if c.copy_ticket == "once" else 0, None, nm)
            elif pc == "frefresh":
                if c.preswap == "freeze" and s.roles[0] in s.auto:
                    n = go("B sets refresh_interval -1 on the live index")
                    n.auto = s.auto - {s.roles[0]}
                else:
                    if c.preswap != "none":
                        n = go("B refreshes i2")
                        n.iv = {**s.iv, nm: s.idx[nm]}
                    else:
                        n = go("B restores refresh_interval on i2")
                    n.auto = n.auto | {nm}
                    r(n, "swap", "", 0, None, nm)
            elif pc == "swap":
                n = go("B swaps the alias to %s" % nm)
                if c.swap == "cas" and s.roles[1] != nm:
                    n.bad = None
                    r(n, "done", "", 0, None, None)
                else:
                    if c.reader:
                        a, b = s.iv[s.roles[0]], s.iv[nm]
                        for d, (t0, v) in a.items():
                            if v is None or derive(s.rec, d) is None:
                                continue
                            settled = all((x in s.acked or x in c.initset) and s.rec.get(x[0], (0,))[0] == x[1] for x in v)
                            v2 = b[d][1] if d in b else None
                            if v2 is None:
                                if c.acked_only and not settled:
                                    continue  # a delete of a part is still in flight
                                n.bad = "reader: %s was visible, is missing after the swap" % d
                            else:
                                m = dict(v2)
                                for k, ver in v:
                                    if k in m and m[k] < ver and (not c.acked_only or (k, ver) in s.acked):
                                        n.bad = "reader: %s shows %s v%d after the swap, showed v%d before" % (d, k, m[k], ver)
                    n.roles = (nm, None, s.roles[0])
                    r(n, "retire" if c.retire else "done", "", 0, None, nm)
            elif pc == "retire":
                n = go("B takes %s off the targets" % s.roles[2])
                r(n, "drop", "", 0, s.roles[2], nm)
                n.roles = (s.roles[0], s.roles[1], None)
            elif pc == "drop":
                n = go("B deletes index %s" % page)
                n.idx = {k: v for k, v in s.idx.items() if k != page}
                r(n, "done", "", 0, None, nm)
                n.iv = {k: v for k, v in s.iv.items() if k != page}
            if s.bud[4] and s.roles[1]:
                n = go("*CANCEL: i2 off the targets and deleted")
                n.bud = use(s.bud, 4)
                n.roles = (s.roles[0], None, s.roles[2])
                n.idx = {k: v for k, v in s.idx.items() if k != "i2"}
                n.iv = {k: v for k, v in s.iv.items() if k != "i2"}
        if s.bud[5] and s.roles[2] and pc == "done":
            n = go("*ROLLBACK")
            n.bud = use(s.bud, 5)
            n.roles = (s.roles[2], None, s.roles[0])
        if c.reader:
            for nme in s.auto:
                if nme in s.idx and s.iv.get(nme) is not s.idx[nme] and s.iv.get(nme) != s.idx[nme]:
                    n = go("*auto refresh of %s" % nme)
                    n.iv = {**s.iv, nme: s.idx[nme]}
        return out

    return f


def check(c):
    def f(s):
        if s.bad:
            return s.bad
        if s.jobs or s.dirty and c.sweep or any(p != ("idle",) for p in s.pr) or s.reb[0] != "done":
            return None
        want = fresh(s.rec)
        for role, n in (("live", s.roles[0]), ("previous", s.roles[2])):
            if n is None:
                continue
            if n not in s.idx:
                return "%s index %s does not exist" % (role, n)
            have = {d: v for d, (t, v) in s.idx[n].items() if v is not None}
            if have != want:
                df = {d: (have.get(d), want.get(d)) for d in set(have) | set(want) if have.get(d) != want.get(d)}
                return "%s %s differs for good (has, should have): %s" % (role, n, df)
        return None

    return f


C1, R1 = ("CA", 1, "a"), ("R1", 1, ("A", None))


def up(k, ver, v):
    return ("up", k, ver, v)


def big(**kw):
    c = NS(**{**BASE, **kw})
    c.initset = {(k, v) for k, v, _ in c.init}
    return c


two_ab = dict(init=[("CA", 1, "a"), ("CB", 1, "b"), ("R1", 1, ("A", None))])
upd = (up("CA", 2, "a2"), up("R1", 2, ("A", None)))
RB = dict(rebuild=True, init=[C1, R1], jobs=upd)
SC = {
    # name: (what, expected, config)
    "0-base": (
        "2 workers, company and round updated, crash, redelivery",
        "safe",
        big(init=[C1, R1], jobs=upd, crash=1, redeliver=1, autorec=True),
    ),
    "0-mut-norefresh": ("mutation: no refresh", "BROKEN", big(init=[C1, R1], jobs=upd, refresh=False)),
    "0-mut-ticket-after-read": ("mutation: ticket after the read", "BROKEN", big(init=[C1, R1], jobs=upd, ticket="after_read")),
    "0-rebuild": ("base + rebuild", "safe", big(**RB)),
    "0-mut-copyticket": (
        "one ticket for the whole copy, taken before its first read (weaker, not wrong)",
        "safe",
        big(**RB, copy_ticket="once", autorec=True),
    ),
    "a-two-targets": (
        "crash between two targets, quiescence",
        "safe",
        big(**{**RB, "jobs": (upd[1],), "workers": 1}, crash=1, redeliver=1, bcrash=1),
    ),
    "a-reader-live-first": (
        "reader at the swap, live written first, crash between",
        "BROKEN",
        big(**{**RB, "jobs": (upd[1],), "workers": 1}, crash=1, reader=True, live_last=False),
    ),
    "a-reader-live-last": (
        "reader at the swap, live written last + freeze",
        "safe",
        big(**{**RB, "jobs": (upd[1],), "workers": 1}, crash=1, reader=True),
    ),
    "a-reader-refresh-only": (
        "reader at the swap, live last, i2 refreshed, live not frozen",
        "BROKEN",
        big(**{**RB, "jobs": (upd[1],), "workers": 1}, reader=True, preswap="refresh"),
    ),
    "a-reader-noflush": (
        "reader at the swap, refresh_interval only restored",
        "BROKEN",
        big(**{**RB, "jobs": (), "workers": 1}, reader=True, preswap="none"),
    ),
    "a-reader-2w": ("reader at the swap, 2 workers, live last + freeze", "any", big(**RB, reader=True)),
    "a-reader-acked-freeze": (
        "acked+visible before the swap, 2 workers, live last + freeze",
        "BROKEN",
        big(**RB, reader=True, acked_only=True),
    ),
    "a-reader-acked-refresh": (
        "acked+visible, 2 workers, only refresh of i2 before the swap",
        "BROKEN",
        big(**RB, reader=True, acked_only=True, preswap="refresh"),
    ),
    "a-reader-rf": (
        "strict, 1 worker: others written AND refreshed before live is written; refresh of i2 before the swap",
        "safe",
        big(**{**RB, "jobs": (upd[1],), "workers": 1}, reader=True, preswap="refresh", refresh_first=True, crash=1, redeliver=1),
    ),
    "a-reader-rf-acked": (
        "acked+visible, 2 workers, same rule",
        "safe",
        big(**RB, reader=True, acked_only=True, preswap="refresh", refresh_first=True),
    ),
    "b-realtime-mix": (
        "search + realtime get mixed in one derivation",
        "safe",
        big(init=[C1, R1], jobs=upd, realtime=True, crash=1, redeliver=1, autorec=True),
    ),
    "c-targets-fresh": ("targets read just before publish", "safe", big(**{**RB, "jobs": (upd[1],), "workers": 1}, crash=1, bcrash=1)),
    "c-mut-targets-early": (
        "mutation: targets read at job start",
        "BROKEN",
        big(**{**RB, "jobs": (upd[1],), "workers": 1}, targets="start"),
    ),
    "d-auto": (
        "worker writes to a retired index, auto-create on",
        "BROKEN",
        big(**{**RB, "jobs": (upd[1],), "workers": 1}, retire=True, gone="auto"),
    ),
    "d-dead": (
        "404 on a retired index goes to dead-letter",
        "BROKEN",
        big(**{**RB, "jobs": (upd[1],), "workers": 1}, retire=True, gone="dead"),
    ),
    "d-ok": (
        "404 on an index that is no longer a target = done; cancel too",
        "safe",
        big(**{**RB, "jobs": (upd[1],), "workers": 1}, retire=True, cancel=1, crash=1),
    ),
    "e-insert-behind": (
        "records inserted behind the cursor",
        "safe",
        big(rebuild=True, init=[("CB", 1, "b"), ("R2", 1, ("B", None))], jobs=(up("CA", 1, "a"), up("R1", 1, ("B", None)))),
    ),
    "f-move-new": (
        "round moves A->B, design as written (new company only)",
        "BROKEN",
        big(**two_ab, jobs=(up("R1", 2, ("B", None)),), touch="new", workers=1),
    ),
    "f-delete-new": (
        "round deleted, the delete names no company",
        "BROKEN",
        big(**two_ab, jobs=(up("R1", 2, None),), touch="new", workers=1),
    ),
    "f-move-oldread": (
        "old company read before the write, one crash",
        "BROKEN",
        big(**two_ab, jobs=(up("R1", 2, ("B", None)),), touch="old_read", workers=1, crash=1),
    ),
    "f-move-former": (
        "record keeps its former companies (no CAS), two moves",
        "BROKEN",
        big(init=two_ab["init"] + [("CD", 1, "d")], jobs=(up("R1", 2, ("B", None)), up("R1", 3, ("D", None))), touch="former"),
    ),
    "f-move-edges": (
        "edge documents, two moves, crash, redelivery",
        "safe",
        big(init=two_ab["init"] + [("CD", 1, "d")], jobs=(up("R1", 2, ("B", None)), up("R1", 3, ("D", None))), crash=1, redeliver=1),
    ),
    "f-move-delete-edges": (
        "edges: move then delete, reordered, crash",
        "safe",
        big(**two_ab, jobs=(up("R1", 2, ("B", None)), up("R1", 3, None)), crash=1, redeliver=1),
    ),
    "f-skip409": (
        "409 on the record = skip deriving",
        "BROKEN",
        big(**two_ab, jobs=(up("R1", 2, ("B", None)), up("R1", 3, None)), skip_on_409=True, crash=1, touch="new", workers=1),
    ),
    "f-skip409-edges": (
        "409 on the record = skip deriving, with edges",
        "any",
        big(**two_ab, jobs=(up("R1", 2, ("B", None)), up("R1", 3, ("A", None))), skip_on_409=True, crash=1),
    ),
    "h-clock-back": (
        "Redis lost, clock behind the last ticket",
        "BROKEN",
        big(init=[C1], jobs=(up("CA", 2, "x"), up("CA", 3, "y")), loss=1, clock_back=2, floor=False, workers=1),
    ),
    "h-equal": (
        "Redis lost, the last ticket given again",
        "BROKEN",
        big(init=[C1], jobs=(up("CA", 2, "x"), up("CA", 3, "y")), loss=1, clock_back=1, floor=False, workers=1),
    ),
    "h-floor": ("Redis lost, floor kept outside Redis", "safe", big(init=[C1, R1], jobs=upd, loss=1, clock_back=2, floor=True, crash=1)),
    "h-targets-redis": (
        "Redis lost, target list was in Redis",
        "BROKEN",
        big(**{**RB, "jobs": (upd[1],), "workers": 1}, loss=1, targets_in="redis", swap="blind"),
    ),
    "h-targets-es": (
        "Redis lost, target list in Elasticsearch",
        "safe",
        big(**{**RB, "jobs": (upd[1],), "workers": 1}, loss=1, targets_in="es"),
    ),
    "h-lost-jobs": ("Redis lost with its queue", "BROKEN", big(init=[C1], jobs=(up("CA", 2, "x"),), loss=1, lose_jobs=True, workers=1)),
    "h-lost-jobs-sweep": (
        "Redis lost with its queue, sweep of stored records",
        "safe",
        big(**two_ab, jobs=(up("CA", 2, "x"), up("R1", 2, ("B", None))), loss=1, lose_jobs=True, sweep=True),
    ),
    "i-fan": (
        "investor rename fans out in follow-ups, concurrent round write, crash",
        "safe",
        big(init=[C1, ("IX", 1, "x"), ("R1", 1, ("A", "X"))], jobs=(up("IX", 2, "x2"), up("R2", 1, ("A", "X"))), fan=True, crash=1),
    ),
    "i-fan-after-ack": (
        "follow-ups enqueued after the ack (coalesced), crash",
        "BROKEN",
        big(
            init=[C1, ("IX", 1, "x"), ("R1", 1, ("A", "X"))], jobs=(up("IX", 2, "x2"),), fan=True, fan_before_ack=False, crash=1, workers=1
        ),
    ),
    "i-fan-skip409": (
        "as i-fan, retry with 409 skips (two renames)",
        "any",
        big(
            init=[C1, ("IX", 1, "x"), ("R1", 1, ("A", "X"))],
            jobs=(up("IX", 2, "x2"), up("IX", 3, "x3")),
            fan=True,
            crash=1,
            skip_on_409=True,
        ),
    ),
    "j-rollback": ("previous stays a target; rollback", "safe", big(**{**RB, "jobs": (upd[1],), "workers": 1}, rollback=1, crash=1)),
    "j-rollback-2w": ("as j, two workers", "safe", big(**RB, rollback=1)),
}
