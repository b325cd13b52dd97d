"""Scenarios of the feed: with every rule they are safe, and without the rule that they are about they are not."""

from feed_protocol import Job, feed

# The reader's conditions on two groups of fields, such as a country and a score, and the rest of the document.
YES, NO, LOW, NONE = ((True, True), "a"), ((False, True), "a"), ((True, False), "a"), ((False, False), "a")
YES2, NO2 = ((True, True), "b"), ((False, True), "b")


def up(d, version, value, **options):
    return Job("%s v%d" % (d, version), ((d, version, value),), (d,), **options)


def two(version, value, name="both"):
    return Job(name, (("x", version, value), ("y", version, value)), ("x", "y"))


X = dict(init=(("x", YES),))
XY = dict(docs=("x", "y"), init=(("x", YES), ("y", YES)))
# Steps of a worker that no other step has to come between, where no worker dies.
SHORT = ("records", "read", "refresh", "take back")

# The rule, what it says, the smallest installation in which it matters, and the setting that leaves it out.
PAIRS = {
    "1-note": ("ticket and note in one step", dict(**X, jobs=(up("x", 2, YES2),)), dict(note="after the ticket")),
    "2-split": (
        "a note is removed for documents written under a higher ticket",
        dict(**XY, jobs=(two(2, YES2),), crash=1, zombie=1, split=True, again="compares"),
        dict(take_back="all of the job"),
    ),
    "2-gone": ("a writer that finds its note gone writes again", dict(**X, jobs=(up("x", 2, YES2),), failover=1), dict(missing_note="goes on")),
    "2-again": (
        "a job that runs again does not compare",
        dict(**X, jobs=(up("x", 2, YES2),), failover=1, crash=1, zombie=1),
        dict(again="compares"),
    ),
    "3-orphan": (
        "orphaned notes are published again",
        dict(**X, due=(("x", YES2),), jobs=(Job("due", (), ("x",), repeat=False),), crash=1, zombie=1),
        dict(orphans="left"),
    ),
    "4-compare": (
        "a writer that is not alone does not compare",
        dict(**X, jobs=(up("x", 2, YES2), up("x", 3, YES)), workers=2),
        dict(not_alone="compares"),
    ),
    "5-part": (
        "a copy that is not alone with a document does not compare",
        dict(**X, jobs=(up("x", 2, YES2), up("x", 3, YES)), workers=2, rebuild=True, building=True, coarse=SHORT),
        dict(copy="compares"),
    ),
    "5-beside-copy": (
        "a writer beside a copy does not compare",
        dict(**X, jobs=(up("x", 2, YES2), up("x", 3, YES)), workers=2, rebuild=True, building=True, coarse=SHORT),
        dict(beside_copy="compares"),
    ),
    "6-marks": ("what a rebuild derives otherwise is published after it", dict(**X, rebuild=True, new_rules=True), dict(marks="none")),
    "6-rollback": (
        "what differs is published after a rollback",
        dict(**X, rebuild=True, new_rules=True, rollback=1),
        dict(after_rollback="nothing"),
    ),
    "7-gone": ("a rebuild keeps what is gone", dict(**X, jobs=(up("x", 2, None),), rebuild=True), dict(gone="dropped")),
    "7-revived": (
        "a rebuild derives what is gone",
        dict(docs=("x",), jobs=(up("x", 2, None), up("x", 3, YES)), init=(("x", YES),), workers=1, rebuild=True),
        dict(gone="as seen"),
    ),
    "7-created": (
        "what is listed again keeps its first ticket",
        dict(**X, jobs=(up("x", 2, None), up("x", 3, YES), up("x", 4, None))),
        dict(revived="created anew"),
    ),
    "8-before": ("no feed from an index without tickets", dict(**X, old_index=True), dict(before="served")),
    "8-older": (
        "an indexer from before the feed writes nothing",
        dict(**X, jobs=(up("x", 2, YES2),), old_indexer=True),
        dict(older="writes"),
    ),
    "9-loss": (
        "what is derived again after a loss is a change",
        dict(**X, jobs=(up("x", 2, YES2),), loss=1, crash=1),
        dict(after_loss="compares"),
    ),
    "9-restore": ("a restore ends positions", dict(**X, jobs=(up("x", 2, YES2),), restore=1), dict(after_restore="same epoch")),
    "10-alias": (
        "the horizon names the index",
        dict(**X, jobs=(up("x", 2, YES2),), rebuild=True, retire=True, lagging=True),
        dict(search="alias"),
    ),
    "10-copies": ("a refresh counts on every copy", dict(**X, jobs=(up("x", 2, YES2),), copies=2), dict(refresh="some copies")),
    "11-wake": ("readers wake on the horizon", dict(**X, jobs=(up("x", 2, YES2),)), dict(wake="generation")),
    "11-purge": (
        "the purge floor is read after the search",
        dict(**X, jobs=(up("x", 2, None),), purge=1),
        dict(purge_floor="before the search"),
    ),
    "11-floor": (
        "the horizon is a floor of the clock",
        dict(**X, jobs=(Job("ticket without documents"), up("x", 2, YES2)), failover=1),
        dict(floor="none"),
    ),
    "12-moved": (
        "a removal is due for what has moved since the walk began",
        dict(**XY, jobs=(up("x", 2, NO), up("y", 2, YES2), up("x", 3, NO2)), coarse=SHORT),
        dict(moved="since the position"),
    ),
    "13-unanswered": (
        "a reader that takes a page without storing its position gets what has moved since",
        dict(docs=("x",), jobs=(up("x", 2, YES), up("x", 3, NO)), unanswered=1),
        dict(unacknowledged="forgotten"),
    ),
    "13-exported": (
        "an export may show what was created above its horizon",
        dict(docs=("x",), jobs=(up("x", 2, YES), up("x", 3, NO)), export=True),
        dict(exported="forgotten"),
    ),
    "14-hidden": (
        "a walk is not over while a removal is above its horizon",
        dict(**X, jobs=(up("x", 2, NO), up("x", 3, NO2))),
        dict(hidden="is passed"),
    ),
    "14-hidden-groups": (
        "a walk is not over while one of the groups that fail has moved below the horizon",
        dict(**X, jobs=(up("x", 2, NO), up("x", 3, NONE))),
        dict(hidden_groups="all below"),
    ),
    "14-hidden-gone": (
        "what is gone may be hidden, because it keeps the fields that filters use",
        dict(**X, jobs=(up("x", 2, NO), up("x", 3, None))),
        dict(hidden_gone="no"),
    ),
    "15-due": (
        "a removal is due only where every group that fails has moved",
        dict(init=(("x", NO),), jobs=(up("x", 2, NONE), up("x", 3, None)), quiet=True),
        dict(removal="a group that fails has moved"),
    ),
    "15-kept": (
        "what is gone keeps the fields that filters use",
        dict(init=(("x", NO),), jobs=(up("x", 2, None),), quiet=True),
        dict(gone_fields="dropped"),
    ),
    "16-restart": (
        "a restart of Redis is no loss only after the number of every writer's end",
        dict(**X, jobs=(up("x", 2, YES2, repeat=False),), restarts=1, crash=1),
        dict(restart="never a loss"),
    ),
    "17-lost-numbers": (
        "what has changed under a number that Redis has lost is published again",
        dict(**X, jobs=(up("x", 2, YES2, repeat=False),), restarts=1, crash=1, zombie=1),
        dict(lost_numbers="left"),
    ),
    "17-moved": (
        "what has moved under a lost number is published again, also when it has changed since",
        dict(**X, jobs=(up("x", 2, NO, repeat=False), up("x", 3, NO2, repeat=False)), restarts=1, past=2, crash=1, zombie=1, coarse=("records", "refresh")),
        dict(lost_numbers="what has changed"),
    ),
    "18-settling": (
        "nobody compares while dead writers whose notes are lost may still write",
        dict(**X, jobs=(up("x", 2, YES2), up("x", 3, YES)), restarts=1, past=3, crash=1, zombie=1, refreshes=True, coarse=("records", "refresh")),
        dict(settling="compares"),
    ),
    "19-served": (
        "readers search what Elasticsearch says before a Redis that went back gives a number",
        dict(**X, rebuild=True, new_rules=True, restarts=1, past=3),
        dict(served="after a while"),
    ),
}

OTHERS = {
    "0-writers": (
        "two writers, one dies and its request arrives late",
        dict(**X, jobs=(up("x", 2, YES2), up("x", 3, NO)), workers=2, crash=1, zombie=1, coarse=("records", "read")),
    ),
    "0-rollback": (
        "a writer beside a rebuild with new rules, and a rollback",
        dict(**X, jobs=(up("x", 2, YES2),), rebuild=True, new_rules=True, rollback=1, coarse=("records", "read")),
    ),
    "0-moves": ("a document leaves the filter and comes back", dict(**X, jobs=(up("x", 2, NO), up("x", 3, YES2)), readers=1, workers=2)),
    "0-old-index": ("the feed opens with the first rebuild", dict(**X, old_index=True, rebuild=True, jobs=(up("x", 2, YES2),))),
    "0-readers": ("two readers, pages of one", dict(**XY, jobs=(two(2, NO),), readers=2)),
    "0-unanswered": (
        "pages of one that are taken and not acknowledged, twice",
        dict(**XY, jobs=(two(2, YES2), two(3, NO), up("x", 4, None)), unanswered=2, coarse=("records", "read", "refresh")),
    ),
    "0-unanswered-rebuild": (
        "a page that is not acknowledged beside a rebuild",
        dict(docs=("x",), jobs=(up("x", 2, YES), up("x", 3, NO)), unanswered=1, rebuild=True, coarse=SHORT),
    ),
    "0-many-moves": (
        "moves and other changes of two documents, pages of one",
        dict(**XY, jobs=(two(2, NO), up("x", 3, NO2), two(4, YES, "back"), up("y", 5, NO), up("y", 6, NO2)), coarse=("records", "read", "refresh")),
    ),
    "0-export": (
        "an export beside two writers and a rebuild, and its changes",
        dict(docs=("x",), jobs=(up("x", 2, YES), up("x", 3, NO2)), workers=2, rebuild=True, export=True, coarse=SHORT),
    ),
    "0-restarts": (
        "two restarts beside writers that end in order or are killed",
        dict(**X, jobs=(up("x", 2, YES2), up("x", 3, NO)), restarts=2, crash=1, coarse=("records", "read")),
    ),
    "0-unchanged": ("a rebuild of what is the same is no change", dict(**XY, rebuild=True, unchanged=True)),
}



def random_feed(rnd):
    """An installation with every rule on."""
    docs = ("x", "y", "z")[: rnd.randint(1, 3)]
    value = lambda: rnd.choice((YES, YES2, NO, NO2, LOW, NONE, None))
    jobs = []
    for version in range(2, 2 + rnd.randint(1, 5)):
        ids = tuple(sorted(rnd.sample(docs, rnd.randint(1, len(docs)))))
        jobs.append(Job("v%d" % version, tuple((d, version, value()) for d in ids), ids))
    rebuild = rnd.random() < 0.6
    restarts = rnd.choice((0, 0, 0, 1, 2))
    return feed(
        docs=docs,
        init=tuple((d, value()) for d in docs),
        jobs=tuple(jobs),
        workers=rnd.randint(1, 3),
        readers=rnd.randint(1, 2),
        crash=rnd.randint(0, 3),
        zombie=rnd.randint(0, 2),
        split=rnd.random() < 0.5,
        rebuild=rebuild,
        new_rules=rebuild and rnd.random() < 0.4,
        rollback=int(rebuild and rnd.random() < 0.4),
        retire=rebuild and rnd.random() < 0.3,
        lagging=rnd.random() < 0.3,
        loss=int(rnd.random() < 0.3),
        # A failover that nobody notices. With restarts, which are noticed, it is one of them that goes back.
        failover=int(not restarts and rnd.random() < 0.3),
        purge=int(rnd.random() < 0.3),
        restarts=restarts,
        past=rnd.randint(0, 6),
        refreshes=rnd.random() < 0.3,
        unanswered=rnd.randint(0, 2),
        export=rnd.random() < 0.3,
        copies=rnd.randint(1, 2),
        page=rnd.randint(1, 3),
    )


def scenarios():
    found = {name: (what, "safe", feed(**world)) for name, (what, world) in OTHERS.items()}
    for name, (what, world, without) in PAIRS.items():
        found["feed-" + name] = (what, "safe", feed(**world))
        found["feed-" + name + "-left-out"] = ("left out: " + what, "BROKEN", feed(**{**world, **without}))
    return {name if name.startswith("feed-") else "feed-" + name: scenario for name, scenario in found.items()}
