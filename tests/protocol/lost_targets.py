"""Targets that can't be written to (t): nodes that lag behind a move of roles, shards that are away, and indices that are given up."""

from search import walk

RULES = dict(
    master=True,  # roles are read from the master, not from a node that may lag
    role_first=True,  # an index is left out only after its role is gone
    read_back=True,  # and that is read back, because a swap or rollback may have come first
    own_alias=True,  # an index that was given up can't get a role again
    checked=True,  # a refresh without its shard does not count
    wait=False,  # nothing is given up: writers wait for ever
)
LIVE, BUILDING, PREVIOUS = 0, 1, 2
FIELDS = ("stored", "seen", "clk", "idx", "roles", "lag", "own", "away", "jobs", "state", "a", "z", "losses", "back", "bad")


class T:
    __slots__ = FIELDS

    def key(s):
        return tuple(getattr(s, f) for f in FIELDS)


def model(jobs=2, losses=2, rollbacks=1, zombie=True, **left_out):
    """One document of one record; writer i stores version i. L is live and P previous; a rebuild fills B. Its worker A copies and swaps,
    worker Z has read its first state and opens B once more, late. `idx`: (ticket, version) of L, B, P."""
    c = {**RULES, **left_out}
    names = "LBP"

    def put(idx, t, tk, ver):
        i = names.index(t)
        return idx if idx[i][0] >= tk else idx[:i] + ((tk, ver),) + idx[i + 1 :]

    def version(s, t):
        return s.idx[names.index(t)][1]

    def succ(s):
        out = []
        if s.bad:
            return out

        def go(label, **change):
            n = T()
            for f in FIELDS:
                setattr(n, f, change.get(f, getattr(s, f)))
            # What was acknowledged and shown by live may not be hidden again.
            old, new = s.roles[LIVE], n.roles[LIVE]
            acked = max([0] + [i + 1 for i, j in enumerate(s.jobs) if j[0] == "done"])
            if old != new and version(n, new) < min(version(s, old), acked):
                n.bad = "readers saw version %d, and version %d after %s" % (version(s, old), version(n, new), label)
            out.append((label, n))

        for i, (pc, tk, sees, todo) in enumerate(s.jobs):
            who = "W%d " % (i + 1)

            def job(*now):
                return s.jobs[:i] + (now,) + s.jobs[i + 1 :]

            if pc == "store":
                go(who + "stores version %d" % (i + 1), stored=max(s.stored, i + 1), jobs=job("refresh", 0, 0, ""))
            elif pc == "refresh":
                if "R" not in s.away:
                    go(who + "refreshes", seen=s.stored, jobs=job("ticket", 0, 0, ""))
                elif not c["checked"]:
                    go(who + "refreshes, without the shard", jobs=job("ticket", 0, 0, ""))
            elif pc == "ticket":
                go(who + "ticket %d" % (s.clk + 1), clk=s.clk + 1, jobs=job("roles", s.clk + 1, 0, ""))
            elif pc == "roles":
                views = [("the master", s.roles)] + ([("a lagging node", s.lag)] if not c["master"] and s.lag != s.roles else [])
                for where, (live, building, previous) in views:
                    targets = "".join(x for x in (building, previous, live) if x)
                    go(who + "reads roles from %s: writes to %s" % (where, targets), jobs=job("read", tk, 0, targets))
            elif pc == "read":
                go(who + "reads version %d" % s.seen, jobs=job("write", tk, s.seen, todo))
            elif pc == "write":
                t, rest = todo[0], todo[1:]
                after = job("write" if rest else "done", tk, sees, rest)
                if t not in s.own:
                    # The alias is missing: the roles are read again.
                    if t not in s.roles:
                        go(who + "leaves out %s, which has no role" % t, jobs=after)
                elif t not in s.away:
                    go(who + "writes version %d to %s with ticket %d" % (sees, t, tk), idx=put(s.idx, t, tk, sees), jobs=after)
                elif t not in s.roles:
                    go(who + "leaves out %s, which has no role" % t, jobs=after)
                elif t != s.roles[LIVE] and not c["wait"]:
                    if not c["role_first"]:
                        go(who + "leaves out %s, which is away" % t, jobs=after)
                    else:
                        role = s.roles.index(t)
                        go(who + "decides to give up %s" % t, jobs=job("give%d" % role, tk, sees, todo))
            elif pc[:4] == "give":
                t, rest, role = todo[0], todo[1:], int(pc[4])
                left = job("back" if c["read_back"] else ("write" if rest else "done"), tk, sees, todo if c["read_back"] else rest)
                if s.roles[role] == t:
                    roles = tuple(None if r == role else x for r, x in enumerate(s.roles))
                    state = "failed" if role == BUILDING else s.state
                    own = s.own - {t} if c["own_alias"] else s.own
                    go(who + "takes the role of %s" % t, roles=roles, state=state, own=own, jobs=left)
                else:
                    go(who + "is refused the role of %s" % t, jobs=left)
            elif pc == "back":
                t, rest = todo[0], todo[1:]
                if t in s.roles:
                    go(who + "reads back: %s still has a role" % t, jobs=job("write", tk, sees, todo))
                else:
                    go(who + "reads back: %s has no role" % t, jobs=job("write" if rest else "done", tk, sees, rest))

        for x, (pc, tk, sees, was) in (("a", s.a), ("z", s.z)):
            who = x.upper() + " "

            def now(*worker, x=x):
                return {x: worker}

            if pc == "open":
                if "B" in s.own or not c["own_alias"]:
                    go(who + "opens B", roles=(s.roles[LIVE], "B", s.roles[PREVIOUS]), **now("opened", 0, 0, None))
                else:
                    go(who + "is refused to open B", state="failed", **now("done", 0, 0, None))
            elif pc == "opened":
                on = s.state == "running" and x == "a"
                go(who + ("copies" if on else "ends"), **now("cticket" if on else "done", 0, 0, None))
            elif pc == "cticket":
                go(who + "ticket %d" % (s.clk + 1), clk=s.clk + 1, **now("cread", s.clk + 1, 0, None))
            elif pc == "cread":
                go(who + "reads version %d" % s.seen, **now("cwrite", tk, s.seen, None))
            elif pc == "cwrite":
                if "B" not in s.own or s.state != "running":
                    go(who + "sees that the rebuild is over", **now("done", 0, 0, None))
                elif "B" not in s.away:
                    go(who + "copies version %d to B" % sees, idx=put(s.idx, "B", tk, sees), **now("verify", 0, 0, None))
            elif pc == "verify":
                if s.state != "running":
                    go(who + "sees that the rebuild is over", **now("done", 0, 0, None))
                elif "B" not in s.away:
                    go(who + "verifies", **now("swap", 0, 0, s.roles))
            elif pc == "swap":
                live, _, previous = was
                # Without a previous index the call is made again.
                if s.roles == (live, "B", previous) or s.roles == (live, "B", None):
                    go(who + "swaps", roles=("B", None, live), state="swapped", **now("done", 0, 0, None))
                else:
                    go(who + "is refused the swap", **now("done", 0, 0, None))
        if s.state != "running" and s.roles[BUILDING] == "B":
            go("upkeep removes an abandoned role", roles=(s.roles[LIVE], None, s.roles[PREVIOUS]))
        if s.back and s.roles[PREVIOUS] and s.state != "running":
            go("*ROLLBACK", roles=(s.roles[PREVIOUS], s.roles[BUILDING], s.roles[LIVE]), back=s.back - 1)
        if s.losses:
            for t in sorted(set("LBPR") - s.away):
                go("*a shard of %s is LOST" % ("the records" if t == "R" else t), away=s.away | {t}, losses=s.losses - 1)
        for t in sorted(s.away):
            go("the shard of %s is back" % ("the records" if t == "R" else t), away=s.away - {t})
        if not c["master"] and s.lag != s.roles:
            go("*the lagging node catches up", lag=s.roles)
        return out

    def check(s):
        if s.bad:
            return s.bad
        if any(pc != "done" for pc, *_ in s.jobs):
            # A wait for building or previous alone holds up live: nothing but the return of the shard helps.
            if c["wait"] and any(pc == "write" and todo[0] in s.away and todo[0] != s.roles[LIVE] for pc, _, _, todo in s.jobs):
                return "a write to live waits for an index that is not live"
            return None
        if s.a[0] != "done" or s.z[0] != "done":
            return None
        for role, what in ((LIVE, "live"), (PREVIOUS, "previous")):
            t = s.roles[role]
            if t and version(s, t) != s.stored:
                return "%s index %s has version %d for good, the record has %d" % (what, t, version(s, t), s.stored)
        return None

    init = T()
    roles = ("L", None, "P")
    worker = ("open", 0, 0, None)
    first = dict(
        stored=0, seen=0, clk=0, idx=((0, 0), (-1, -1), (0, 0)), roles=roles, lag=roles, own=frozenset("LBP"), away=frozenset(),
        jobs=(("store", 0, 0, ""),) * jobs, state="running", a=worker, z=worker if zombie else ("done", 0, 0, None),
        losses=losses, back=rollbacks, bad=None,
    )  # fmt: skip
    for f in FIELDS:
        setattr(init, f, first[f])
    return init, succ, check


LOST = {
    "t-one": ("one writer, a rebuild, shards lost, a rollback", "safe", lambda: model(jobs=1)),
    "t-two": ("two writers, one loss", "safe", lambda: model(losses=1, rollbacks=0)),
    "t-lagging": ("roles are read from a node that lags", "BROKEN", lambda: model(losses=0, rollbacks=0, zombie=False, master=False)),
    "t-skip": ("a target that is away is left out, and keeps its role", "BROKEN", lambda: model(jobs=1, role_first=False)),
    "t-no-read-back": ("left out though the removal of its role was refused", "BROKEN", lambda: model(jobs=1, losses=1, rollbacks=0, zombie=False, read_back=False)),
    "t-own-alias": ("an index that was given up can get a role again", "BROKEN", lambda: model(jobs=1, own_alias=False)),
    "t-refresh": ("a refresh without its shard counts", "BROKEN", lambda: model(jobs=1, losses=1, rollbacks=0, checked=False)),
    "t-wait": ("nothing is given up", "BROKEN", lambda: model(jobs=1, losses=1, wait=True)),
}


def random_loss(rnd):
    """A larger case with every rule on: why it broke, or None, and its steps."""
    init, succ, check = model(jobs=rnd.randint(2, 5), losses=rnd.randint(1, 5), rollbacks=rnd.randint(0, 3), zombie=rnd.random() < 0.5)
    return walk(init, succ, check, rnd, 400)
