#!/usr/bin/env python3
"""Makes tests/data/seed_run: the raw rows of the scenario `seed`, from the independent reference and not from Deferbench.

usage: seed_run.py SHARED_DIR OUT_DIR     SHARED_DIR holds tools/seed_reference.py and data/seed-benchmark

Only numbers and the ids of the queries leave the data: no name, description or schema of a tool does.
"""
import json, runpy, shutil, sys, tempfile

shared, out = sys.argv[1:]
work = tempfile.mkdtemp()
for name in ("first_party.json", "mcp_fixtures.json", "search_tool.json", "queries.jsonl"):
    shutil.copyfile(f"{shared}/data/seed-benchmark/{name}", f"{work}/{name}")
sys.argv = ["seed_reference.py", work]
ref = runpy.run_path(f"{shared}/tools/seed_reference.py")
wire, units, rank, mix, count = (ref[name] for name in ("wire", "units", "rank", "mix", "tokens"))
SEARCH, QUERIES, COUNTER = ref["SEARCH"], ref["QUERIES"], "chars4@1"
length = lambda tools: len(units(wire(tools))) // 2


def section(before, now):
    row = {"units": length(now), "tokens": {COUNTER: count(now)}, "kept": None, "survival": None, "coverage": None}
    if before is not None:
        a, b = units(wire(before)), units(wire(now))
        same = next((i for i in range(0, min(len(a), len(b)), 2) if a[i:i + 2] != b[i:i + 2]), min(len(a), len(b)))
        kept = same // 2
        row |= {"kept": kept, "survival": kept / length(before), "coverage": kept / length(now)}
    return row


def requests(steps):
    rows, before = [], None
    for place, now in enumerate(steps):
        part = section(before, now)
        rows.append({"request": place, "turn": 0, "cause": "search" if place else "user",
                     "active_tools": sum(t is not SEARCH for t in now), "tools_sent": len(now), "schema_bytes": 0,
                     "tools": part, "prompt": part, "divergence": None})
        before = now
    return rows


def session(corpus, script, policy, order, limit, steps, extra):
    deferred = policy != "eager"
    return {"corpus": corpus, "script": script, "policy": policy, "order": order, "entry": "list", "layout": "seed-json",
            "unit": "utf16", "ranker": "dsh" if deferred else None, "limit": limit, "basis": "measured", "needs": 0, "met": 0,
            "searches": len(steps) - 1, "retried": 0, "empty_searches": 0, "activated": 0, "activated_unneeded": None,
            "extra_turns": extra, "requests": requests(steps), "notes": []}


def ordered(order, catalog, active):
    by = {t["name"]: t for t in catalog}
    chosen, name = [by[n] for n in active], lambda t: t["name"]
    return {"registry": [t for t in catalog if t["name"] in active] + [SEARCH], "sorted": sorted(chosen + [SEARCH], key=name),
            "search_first": [SEARCH] + sorted(chosen, key=name), "append": [SEARCH] + chosen}[order]


def walk(order, catalog, texts, limit):
    active, steps = [], [[SEARCH]]
    for text in texts:
        active = active + [n for n in rank(text, catalog)[:limit] if n not in active]
        steps.append(ordered(order, catalog, active))
    return steps


corpora, retrieval, sessions = [], [], []
for size in (10, 30, 50, 100):
    catalog, first = mix(size)
    corpus = f"mix-{size}"
    corpora.append({"name": corpus, "sha256": f"{size:064x}", "tools": size, "generated_tools": size, "servers": None,
                    "parts": {"first_party": first, "mcp": size - first}, "queries": len(QUERIES), "schema_bytes": 0,
                    "resolved_names": [], "notes": []})
    rows = []
    for q in QUERIES:
        found = rank(q["text"], catalog)
        place = found.index(q["relevant"][0]) + 1 if q["relevant"][0] in found else None
        rows.append({"id": q["id"], "class": None, "cluster": None, "overlap": None, "needed": 1, "ranks": [place],
                     "returned": len(found), "values": {"hit@5": float(place is not None and place <= 5)}})
    names = [{"tool": f"tool-{i}", "values": {"exact_name@1": float(rank(t["name"], catalog)[0] == t["name"])}} for i, t in enumerate(catalog)]
    retrieval.append({"corpus": corpus, "ranker": "dsh", "queries": rows, "names": names})
    sessions.append(session(corpus, "full", "eager", "registry", None, [catalog], 0))
    sessions.append(session(corpus, "one-selection", "cumulative", "registry", 1, walk("registry", catalog, ["read", "read"], 1), None))
    sessions.append(session(corpus, "one-call", "cumulative", "registry", 1, walk("registry", catalog, ["read"], 1), 1))
    if size == 100:
        texts = [q["text"] for q in QUERIES]
        for order in ("append", "registry", "search_first", "sorted"):
            for limit in (5, 1):
                sessions.append(session(corpus, "ten-queries", "cumulative", order, limit, walk(order, catalog, texts, limit), None))
        sessions += [session(corpus, f"single/{q['id']}", "cumulative", "registry", 5, walk("registry", catalog, [q["text"]], 5), None) for q in QUERIES]

metric = lambda name: {"name": name, "version": 1, "level": "name" if "_name@" in name else "query", "summary": f"{name}.", "unit": "share", "better": "higher", "undefined": "never", "source": "the seed"}
scores = {"schema_version": 1, "suite_version": "0.1.0", "scenario": "seed", "limits": ["The queries and the tools were written together."],
          "metrics": [metric("exact_name@1"), metric("hit@5")],
          "counters": [{"name": COUNTER, "basis": "estimated", "summary": "UTF-16 length / 4, rounded up, plus 4.", "vocabulary_sha256": None}],
          "corpora": corpora[::-1], "retrieval": retrieval, "sessions": sessions}
manifest = {"schema_version": 1, "status": "finished",
            "identity": {"suite_version": "0.1.0", "scenario": "seed", "given": "seed", "resolved": {}, "seed": 7, "replicates": 100,
                         "corpora": {c["name"]: c["sha256"] for c in corpora}, "metrics": {"exact_name@1": 1, "hit@5": 1}, "counters": [COUNTER]},
            "environment": {"command": ["seed_run.py"], "started": "2025-01-01T00:00:00Z", "finished": None, "platform": "any", "processors": 1, "threads": 1}}
for name, value in (("scores.json", scores), ("manifest.json", manifest)):
    open(f"{out}/{name}", "w").write(json.dumps(value, separators=(",", ":")) + "\n")
