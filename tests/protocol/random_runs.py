"""Random installations with every rule of the protocol on."""

from write_protocol import big, up


def random_cfg(rnd):
    comp, inv = "ABD", "XY"
    ver = {}

    def rv():
        return (rnd.choice(comp), rnd.choice((None, "X", "Y")))

    init = [("C" + c, 1, c) for c in comp if rnd.random() < 0.7] + [("I" + i, 1, i) for i in inv if rnd.random() < 0.7]
    init += [("R%d" % r, 1, rv()) for r in range(1, 4) if rnd.random() < 0.7]
    jobs = []
    for _ in range(rnd.randint(2, 8)):
        k = rnd.choice(["C" + c for c in comp] + ["I" + i for i in inv] + ["R1", "R2", "R3", "R1", "R2"])
        ver[k] = ver.get(k, 1) + 1
        v = None if rnd.random() < 0.2 else (rv() if k[0] == "R" else "%s%d" % (k, ver[k]))
        jobs.append(up(k, ver[k], v))
    return big(
        init=init,
        jobs=tuple(jobs),
        workers=rnd.randint(2, 4),
        crash=rnd.randint(0, 4),
        redeliver=rnd.randint(0, 3),
        bcrash=rnd.randint(0, 2),
        rebuild=rnd.random() < 0.8,
        cancel=int(rnd.random() < 0.15),
        rollback=int(rnd.random() < 0.3),
        acked_only=True,
        refresh_first=True,
        preswap="refresh",
        retire=False,
        itemwise=rnd.random() < 0.5,
        autorec=True,
        realtime=rnd.random() < 0.3,
        page=rnd.randint(1, 3),
        fan=rnd.random() < 0.5,
        loss=int(rnd.random() < 0.3),
        lose_jobs=rnd.random() < 0.5,
        sweep=True,
        reader=rnd.random() < 0.3,
    )
