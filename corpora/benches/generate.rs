//! What does a generated corpus cost at 1,000, 10,000 and 100,000 tools?
//!
//! Texts alone, and the whole corpus: texts, validated tools, catalog, queries and hash. Asked: 10,000 tools under 1 s,
//! 100,000 under 10 s.
#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn generation(c: &mut Criterion) {
    let mut group = c.benchmark_group("generate");
    group.sample_size(10).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(5));
    for tools in [1_000_usize, 10_000, 100_000] {
        group.throughput(Throughput::Elements(tools as u64));
        group.bench_with_input(BenchmarkId::new("texts", tools), &tools, |b, tools| {
            b.iter(|| black_box(deferbench_corpora::generate::generate(*tools, 7).unwrap()));
        });
        group.bench_with_input(BenchmarkId::new("corpus", tools), &tools, |b, tools| {
            let spec = format!("gen(tools={tools})");
            b.iter(|| black_box(deferbench_corpora::open(&spec, &Default::default()).unwrap()));
        });
    }
    group.finish();
}

criterion_group!(benches, generation);
criterion_main!(benches);
