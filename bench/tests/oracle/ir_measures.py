#!/usr/bin/env python3
"""Independent reference for the retrieval metrics: ir_measures over a dozen invented rankings.

needs      pip install ir_measures pytrec_eval-terrier
usage      ir_measures.py > ir_measures.json        (from inside this folder)

Each case is a ranking (tool names, best first) and the needed tools. Scores handed to the tools are 1/rank, so no two are equal: trec_eval would break
ties by name. Success@k is our hit@k, R@k our recall@k, nDCG@10 our ndcg@10, RR@10 our mrr@10.
"""
import importlib.metadata, json, os, sys

# This file has the name of the package it imports: its own folder must not be searched.
sys.path = [p for p in sys.path if os.path.abspath(p) != os.path.dirname(os.path.abspath(__file__))]
import ir_measures
from ir_measures import R, RR, Success, nDCG

MEASURES = {"hit@1": Success @ 1, "hit@5": Success @ 5, "recall@1": R @ 1, "recall@5": R @ 5, "recall@10": R @ 10, "ndcg@10": nDCG @ 10, "mrr@10": RR @ 10}

NOISE = [f"noise_{i:02}" for i in range(20)]


def ranking(length, places):
    """`length` tools; the needed ones stand at the given ranks, counted from 1."""
    out = NOISE[:length]
    for name, place in places.items():
        out[place - 1] = name
    return out


CASES = {
    "one need, first": (ranking(10, {"a": 1}), ["a"]),
    "one need, second": (ranking(10, {"a": 2}), ["a"]),
    "one need, fifth": (ranking(10, {"a": 5}), ["a"]),
    "one need, sixth": (ranking(10, {"a": 6}), ["a"]),
    "one need, tenth": (ranking(10, {"a": 10}), ["a"]),
    "one need, eleventh: past the cut": (ranking(14, {"a": 11}), ["a"]),
    "two needs, the worse one listed first": (ranking(10, {"b": 2, "a": 7}), ["a", "b"]),
    "three needs at 1, 4 and nowhere": (ranking(10, {"a": 1, "c": 4}), ["a", "b", "c"]),
    "four needs, all in the first five": (ranking(10, {"a": 1, "b": 2, "c": 3, "d": 5}), ["a", "b", "c", "d"]),
    "three needs, none found": (ranking(10, {}), ["a", "b", "c"]),
    "a short answer with one of two": (ranking(3, {"b": 3}), ["a", "b"]),
    "twelve needs, ten ranks, a perfect answer": (list("abcdefghij"), list("abcdefghijkl")),
    "twelve needs, odd ranks": (ranking(10, dict(zip("abcde", (1, 3, 5, 7, 9)))), list("abcdefghijkl")),
}


def main():
    qrels = [ir_measures.Qrel(q, tool, 1) for q, (_, needs) in CASES.items() for tool in needs]
    run = [ir_measures.ScoredDoc(q, tool, 1 / (i + 1)) for q, (tools, _) in CASES.items() for i, tool in enumerate(tools)]
    assert all(len(set(tools)) == len(tools) for tools, _ in CASES.values())
    values = {q: {} for q in CASES}
    for name, measure in MEASURES.items():
        for found in ir_measures.iter_calc([measure], qrels, run):
            values[found.query_id][name] = found.value
    versions = {p: importlib.metadata.version(p) for p in ("ir_measures", "pytrec_eval-terrier")}
    versions["python"] = sys.version.split()[0]
    lines = [json.dumps({"case": q, "ranking": tools, "needed": needs, "values": values[q]}) for q, (tools, needs) in CASES.items()]
    print('{"made_by": "ir_measures.py", "versions": %s, "cases": [\n%s\n]}' % (json.dumps(versions), ",\n".join(lines)))


main()
