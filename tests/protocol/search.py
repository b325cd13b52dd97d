"""Two ways through the states of a model: all of them, the shortest counterexample first, and one at random."""

import time
from collections import deque


def bfs(init, succ, check, limit=1_500_000, tmax=150):
    k0 = init.key()
    seen = {k0: (None, None)}
    q = deque([(k0, init)])
    t0 = time.time()
    while q:
        k, s = q.popleft()
        why = check(s)
        if why:
            tr = []
            while k is not None:
                p, lab = seen[k]
                if lab:
                    tr.append(lab)
                k = p
            return "BROKEN", why, tr[::-1], len(seen)
        if len(seen) > limit or time.time() - t0 > tmax:
            return "bounded", "no violation in the part searched", [], len(seen)
        for lab, n in succ(s):
            kk = n.key()
            if kk not in seen:
                seen[kk] = (k, lab)
                q.append((kk, n))
    return "safe", "exhaustive", [], len(seen)


def walk(init, succ, check, rnd, maxsteps=400):
    s = init
    tr = []
    for _ in range(maxsteps):
        why = check(s)
        if why:
            return why, tr
        nx = list(succ(s))
        if not nx:
            return None, tr
        # steer: crash / redeliver / loss / refresh rarely
        lab, s = rnd.choices(nx, [0.25 if l.startswith("*") else 1 for l, _ in nx])[0]
        tr.append(lab)
    return None, tr
