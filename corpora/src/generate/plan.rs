//! Which tools exist, on which server, and in which order do they stand?

use super::draw::Draw;
use crate::lexicon::{self, Action, Object, Service, actions, services};

/// One tool as a combination of concepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Position of the service in the lexicon.
    pub server: usize,
    /// Its service.
    pub service: &'static Service,
    /// What it works on.
    pub object: &'static Object,
    /// What it does.
    pub action: &'static Action,
}

/// Numbers of tools that servers have, from the measured distribution (4 to 90, median 20).
const SIZES: &[usize] = &[
    4, 4, 5, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 18, 19, 20, 20, 21, 21, 22, 23, 24, 25, 26, 28, 30, 32,
    34, 36, 38, 40, 43, 47, 51, 55, 60, 66, 72, 80, 90,
];

/// Servers that hand out tools at the same time.
const OPEN: usize = 6;

/// The first `count` tools for a seed.
#[must_use]
pub fn plan(seed: u64, count: usize) -> Vec<Slot> {
    let mut queues = servers(seed, count);
    let mut draw = Draw::new(seed, "order", 0);
    let mut waiting: Vec<usize> = (0..queues.len()).collect();
    draw.shuffle(&mut waiting);
    waiting.reverse();
    let mut open: Vec<usize> = Vec::new();
    let mut order = Vec::with_capacity(count);
    let mut turn = 0;
    while order.len() < count {
        while open.len() < OPEN {
            let Some(next) = waiting.pop() else { break };
            open.push(next);
        }
        if open.is_empty() {
            break;
        }
        turn %= open.len();
        let run = draw.between(2, 4) as usize;
        let queue = open.get(turn).and_then(|server| queues.get_mut(*server));
        if let Some(queue) = queue {
            order.extend(queue.drain(..run.min(queue.len())));
            if queue.is_empty() {
                open.remove(turn);
                continue;
            }
        }
        turn += 1;
    }
    order.truncate(count);
    order
}

/// Every server's tools in its own order; together at least `count`, as far as the lexicon reaches.
fn servers(seed: u64, count: usize) -> Vec<Vec<Slot>> {
    let mut draw = Draw::new(seed, "sizes", 0);
    let mut sizes = SIZES.to_vec();
    draw.shuffle(&mut sizes);
    let all: Vec<Vec<Slot>> = (0..services::SERVICES.len()).map(|server| families(seed, server)).collect();
    let mut wanted: Vec<usize> = all
        .iter()
        .enumerate()
        .map(|(at, tools)| sizes.get(at % SIZES.len()).copied().unwrap_or(20).min(tools.len()))
        .collect();
    // Where a service is too small for its size, the others with room take over.
    let mut missing = count.saturating_sub(wanted.iter().sum());
    while missing > 0 {
        let before = missing;
        for (have, tools) in wanted.iter_mut().zip(&all) {
            if missing > 0 && *have >= 12 && *have < tools.len() {
                *have += 1;
                missing -= 1;
            }
        }
        if missing == before {
            break;
        }
    }
    all.into_iter().zip(wanted).map(|(tools, size)| tools.into_iter().take(size).collect()).collect()
}

/// All tools of one service: families of actions around one object, the rest at the end.
fn families(seed: u64, server: usize) -> Vec<Slot> {
    let mut draw = Draw::new(seed, "family", server as u64);
    let Some(service) = services::SERVICES.get(server) else {
        return Vec::new();
    };
    let mut objects: Vec<&'static Object> = service.objects.iter().filter_map(|name| lexicon::object(name)).collect();
    draw.shuffle(&mut objects);
    let mut first = Vec::new();
    let mut rest = Vec::new();
    for object in objects {
        let mut core: Vec<&str> = actions::FAMILY.to_vec();
        let mut more: Vec<&str> = object.actions.to_vec();
        draw.shuffle(&mut core);
        draw.shuffle(&mut more);
        let size = draw.between(3, 9) as usize;
        let from_core = (size * 2 / 3).clamp(2, core.len());
        let from_more = size.saturating_sub(from_core).min(more.len());
        let later = core.split_off(from_core);
        core.sort_by_key(|name| actions::FAMILY.iter().position(|known| known == name));
        let last = more.split_off(from_more);
        let slot = |name: &&str| lexicon::action(name).map(|action| Slot { server, service, object, action });
        first.extend(core.iter().chain(&more).filter_map(slot));
        rest.extend(later.iter().chain(&last).filter_map(slot));
    }
    first.extend(rest);
    first
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::plan;

    #[test]
    fn combinations_are_unique_and_repeat_with_the_seed() {
        for seed in 0..20 {
            let long = plan(seed, 1_000);
            assert_eq!(long.len(), 1_000);
            let keys: BTreeSet<_> = long.iter().map(|s| (s.service.name, s.object.name, s.action.name)).collect();
            assert_eq!(keys.len(), 1_000);
            assert_eq!(long, plan(seed, 1_000));
        }
    }

    #[test]
    fn several_servers_stand_at_the_front_and_sizes_are_skewed() {
        for seed in 0..50 {
            let all = plan(seed, 1_000);
            let servers = |n: usize| all[..n].iter().map(|s| s.server).collect::<BTreeSet<_>>().len();
            assert!(servers(10) >= 2 && servers(100) >= 5, "seed {seed}");
            let mut sizes: Vec<usize> = (0..crate::lexicon::services::SERVICES.len())
                .map(|server| all.iter().filter(|s| s.server == server).count())
                .filter(|n| *n > 0)
                .collect();
            sizes.sort_unstable();
            let median = sizes[sizes.len() / 2];
            assert!((12..=28).contains(&median), "seed {seed}: {median}");
            assert!(*sizes.last().unwrap() >= 45, "seed {seed}: {sizes:?}");
        }
    }
}
