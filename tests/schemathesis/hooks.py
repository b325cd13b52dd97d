"""Rules that OpenAPI has no words for, so that what schemathesis takes for valid is valid.

Two parameters bound each other, numbers are plain digits and amounts have cents, a country is any of some 700 codes and names, every
name has a letter or a digit of some script, no list both includes and excludes an item, Excel reads no NDJSON, and a cursor or a position
of the feed comes from the page before.
"""

import schemathesis

BOUNDS = [("from", "to"), ("min_amount_usd", "max_amount_usd"), ("min_total_raised_usd", "max_total_raised_usd")]
NAMES = ["investors", "lead_investors", "companies", "city", "category", "kind", "tech_stack"]
WORDS = ["deal_types", "deal_type", "signal"]
DECIMALS = {
    "min_amount_usd": 2,
    "max_amount_usd": 2,
    "min_total_raised_usd": 2,
    "max_total_raised_usd": 2,
    "min_signal_score": 6,
}


def items(value):
    """The items of a list, which is repeated or separated by commas."""
    return value if isinstance(value, list) else str(value).split(",")


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None or not case.meta.generation.mode.is_positive or not case.query:
        return
    query = case.query
    query.pop("cursor", None)
    if query.get("since") != "start":
        query.pop("since", None)
    if "wait" in query:
        # schemathesis waits for ten seconds.
        query["wait"] = min(int(query["wait"]), 2)
    # The document describes whole rows.
    query.pop("fields", None)
    for low, high in BOUNDS:
        if low in query and high in query:
            kind = float if low in DECIMALS else str
            query[low], query[high] = sorted([query[low], query[high]], key=kind)
    for name, decimals in DECIMALS.items():
        if name in query:
            query[name] = f"{float(query[name]):.{decimals}f}"
    if "country" in query:
        query["country"] = ["US", "deu", "!United Kingdom"]
    if query.get("format") == "ndjson":
        query.pop("excel", None)
    if "q" in query:
        query["q"] = query["q"][:99] + "a"
    for name in NAMES:
        if name in query:
            query[name] = [item[:97] + f"a{n}" for n, item in enumerate(items(query[name]))]
    for name in WORDS:
        if name in query:
            kept = {item.lstrip("!"): item for item in items(query[name])}
            query[name] = list(kept.values())
