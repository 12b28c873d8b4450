use super::*;

fn value(name: &str, judged: &Judged) -> Option<f64> {
    of_query(judged).into_iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("no metric {name}")).1
}

fn judged(ranks: &[Option<usize>]) -> Judged {
    Judged { ranks: ranks.to_vec(), returned: 10, poison: None }
}

/// B05: three needs at ranks 2, 6 and nowhere, by hand.
/// DCG = 1/log2(3) + 1/log2(7) = 0.6309297536 + 0.3562071871; ideal = 1 + 0.6309297536 + 0.5 = 2.1309297536.
#[test]
fn three_needs_by_hand() {
    let j = judged(&[Some(6), None, Some(2)]);
    for (name, expected) in [
        ("hit@1", 0.0),
        ("hit@5", 1.0),
        ("recall@1", 0.0),
        ("recall@5", 1.0 / 3.0),
        ("recall@10", 2.0 / 3.0),
        ("complete@5", 0.0),
        ("complete@10", 0.0),
        ("mrr@10", 0.5),
        ("ndcg@10", 0.987_136_940_7 / 2.130_929_753_6),
    ] {
        let found = value(name, &j).unwrap();
        assert!((found - expected).abs() < 1e-9, "{name}: {found} {expected}");
    }
    assert_eq!(value("no_answer_recall", &j), None);
}

#[test]
fn a_perfect_answer_is_one_everywhere() {
    let j = judged(&[Some(1)]);
    assert!(of_query(&j).iter().all(
        |(n, v)| *v == Some(1.0) || ["no_answer", "poison", "rank_shift"].iter().any(|other| n.starts_with(other))
    ));
}

/// Undefined is null, never 0: a query that needs nothing has no recall.
#[test]
fn a_query_without_needs_is_undefined() {
    let nothing = Judged { ranks: vec![], returned: 0, poison: None };
    assert!(of_query(&nothing).iter().all(|(n, v)| v.is_none() != n.starts_with("no_answer")));
    assert_eq!(value("no_answer_recall", &nothing), Some(1.0));
    assert_eq!(value("no_answer_recall", &Judged { ranks: vec![], returned: 3, poison: None }), Some(0.0));
    assert_eq!(value("no_answer_precision", &nothing), Some(1.0));
    assert_eq!(value("no_answer_precision", &Judged { ranks: vec![], returned: 3, poison: None }), None);
    assert_eq!(value("no_answer_precision", &Judged { ranks: vec![None], returned: 0, poison: None }), Some(0.0));
}

/// More needs than the cut-off: the ideal is cut as well.
#[test]
fn the_ideal_ranking_ends_at_the_cut() {
    let ranks: Vec<Option<usize>> = (1..=10).map(Some).chain([None, None]).collect();
    assert_eq!(value("ndcg@10", &judged(&ranks)), Some(1.0));
    assert_eq!(value("complete@10", &judged(&ranks)), Some(0.0));
    assert_eq!(value("recall@10", &judged(&ranks)), Some(10.0 / 12.0));
}

#[test]
fn every_metric_says_when_it_is_null() {
    for metric in METRICS {
        assert!(
            !metric.undefined.is_empty() && !metric.summary.is_empty() && !metric.source.is_empty(),
            "{}",
            metric.name
        );
    }
}

/// N11, by hand: of the answer poison, a, poison, needed, b two places are lost; without a needed tool there is no shift.
#[test]
fn poison_by_hand() {
    let judged = |needed: Option<usize>, poison: Option<&[usize]>| Judged {
        ranks: vec![needed],
        returned: 5,
        poison: poison.map(<[usize]>::to_vec),
    };
    let stuffed = judged(Some(4), Some(&[1, 3]));
    assert_eq!(value("rank_shift", &stuffed), Some(2.0));
    assert_eq!(["poison@1", "poison@5"].map(|name| value(name, &stuffed)), [Some(1.0), Some(1.0)]);
    assert_eq!(value("rank_shift", &judged(None, Some(&[1]))), None);
    assert_eq!(value("poison@1", &judged(Some(1), Some(&[2]))), Some(0.0));
    assert_eq!(["poison@5", "rank_shift"].map(|name| value(name, &judged(Some(1), None))), [None, None]);
}
