//! Which tools exist, on which server, and in which order do they stand?
//!
//! Tools come in blocks of [`BLOCK`]; the servers of a block are complete at its end, so a catalog of whole blocks has the
//! measured numbers of tools per server. All queries need tools among the first [`FRONT`]; what they ask for is kept out
//! of every later place, so a larger catalog adds distractors only.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::draw::Draw;
use super::style::Size;
use super::{measured, poison, vendor};
use crate::lexicon::related::{related, related_actions};
use crate::lexicon::{self, Action, Object, Service, actions, services};

/// Tools that are planned together.
pub const BLOCK: usize = 1_000;
/// Tools at the front of a catalog that queries ask for.
pub const FRONT: usize = 100;
/// Servers of a block: real ones have 44.4 tools on average.
const SERVERS: usize = 23;
/// Servers that hand out tools at the same time, in the first block and in later ones. There a catalog may end anywhere, and
/// few of its servers shall be cut.
const OPEN: [usize; 2] = [8, 2];
/// Percent of the combinations of object and action at the front that no later tool has.
const PRIVATE: u32 = 70;

/// One server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Its label: the service's own name, or an invented one where several servers offer one service.
    pub label: String,
    /// The service it offers.
    pub service: &'static Service,
    /// How many tools it has.
    pub size: usize,
}

/// One tool as a combination of concepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Position of its server in the plan.
    pub server: usize,
    /// What its server is.
    pub service: &'static Service,
    /// What it works on.
    pub object: &'static Object,
    /// What it does.
    pub action: &'static Action,
}

/// The tools of whole blocks, and their servers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// The servers in the order in which they were planned.
    pub servers: Vec<Server>,
    /// The tools in registration order.
    pub slots: Vec<Slot>,
    /// First server of each block.
    pub blocks: Vec<usize>,
    /// Object and action of tools at the front that stand for themselves: no other tool has them.
    private: BTreeSet<Key>,
    /// Object and action of tools at the front that share them with other servers.
    shared: BTreeMap<Key, BTreeSet<&'static str>>,
}

type Key = (&'static str, &'static str);

impl Plan {
    /// True if no other tool of any size has the object and the action of this one.
    #[must_use]
    pub fn alone(&self, slot: &Slot) -> bool {
        self.private.contains(&key(slot.object, slot.action))
    }

    /// The sizes of the servers of a block.
    #[must_use]
    pub fn sizes(&self, block: usize) -> Vec<Size> {
        let first = self.blocks.get(block).copied().unwrap_or(self.servers.len());
        let end = self.blocks.get(block + 1).copied().unwrap_or(self.servers.len());
        let front = |server: usize| self.slots.iter().take(FRONT).filter(|slot| slot.server == server).count();
        (first..end).map(|at| Size { front: front(at), whole: self.servers[at].size }).collect()
    }

    /// Whether a tool at this place may have this object and action on this service. Whoever asks for an action on an object
    /// would take a related one too, so all of them count as one.
    fn admits(&mut self, draw: &mut Draw, at: usize, service: &Service, object: &Object, action: &Action) -> bool {
        let same = likes(object, action);
        if same.iter().any(|key| self.private.contains(key)) {
            return false;
        }
        let offered = |services: &BTreeSet<&str>| services.contains(service.name);
        if same.iter().filter_map(|key| self.shared.get(key)).any(offered) {
            return false;
        }
        if at < FRONT {
            let known = same.iter().any(|key| self.shared.contains_key(key));
            if !known && draw.percent(PRIVATE) {
                self.private.insert(key(object, action));
            } else {
                self.shared.entry(key(object, action)).or_default().insert(service.name);
            }
        }
        true
    }
}

/// The combination and all that whoever asks for it would take too.
fn likes(object: &Object, action: &Action) -> Vec<Key> {
    let objects = || std::iter::once(object.name).chain(related(object).iter().copied());
    let actions = std::iter::once(action.name).chain(related_actions(action).iter().copied());
    actions.flat_map(|action| objects().map(move |object| (object, action))).collect()
}

fn key(object: &Object, action: &Action) -> Key {
    (object.name, action.name)
}

/// Plans whole blocks until there are at least `count` tools.
#[must_use]
pub fn plan(seed: u64, count: usize) -> Plan {
    let mut plan = Plan::default();
    let mut kinds: Vec<usize> = (0..services::SERVICES.len()).collect();
    Draw::new(seed, "kinds", 0).shuffle(&mut kinds);
    let mut labels = HashSet::new();
    while plan.slots.len() < count {
        let block = plan.blocks.len();
        plan.blocks.push(plan.servers.len());
        let mut draw = Draw::new(seed, "block", block as u64);
        let mut sizes = sizes(&mut draw);
        if block == 0 {
            sizes = with_poison(&sizes);
            let service = &poison::SERVICE;
            plan.servers.push(Server { label: service.name.to_owned(), service, size: poison::PLACES.len() });
        }
        for size in sizes {
            let at = plan.servers.len();
            let Some(service) = services::SERVICES.get(kinds[at % kinds.len()]) else { continue };
            let label = if at < kinds.len() { service.name.to_owned() } else { vendor::label(seed, at, &labels) };
            labels.insert(label.clone());
            plan.servers.push(Server { label, service, size });
        }
        hand_out(seed, &mut draw, block, &mut plan);
    }
    plan
}

/// Numbers of tools of the servers of one block; together [`BLOCK`].
fn sizes(draw: &mut Draw) -> Vec<usize> {
    let count = SERVERS;
    let mut sizes: Vec<usize> = (0..count).map(|rank| (measured::SERVER.at(rank, count) as usize).max(1)).collect();
    let others: usize = sizes.iter().take(count - 1).sum();
    if let Some(largest) = sizes.last_mut() {
        *largest = BLOCK - others;
    }
    draw.shuffle(&mut sizes);
    sizes
}

/// The sizes of the other servers, once the server of the poisonous tools stands for the one that is nearest to it in size.
fn with_poison(sizes: &[usize]) -> Vec<usize> {
    let nearest = (0..sizes.len()).min_by_key(|at| sizes[*at].abs_diff(poison::PLACES.len())).unwrap_or(0);
    let largest = (0..sizes.len()).max_by_key(|at| sizes[*at]).unwrap_or(0);
    let mut sizes = sizes.to_vec();
    sizes[largest] = sizes[largest] + sizes[nearest] - poison::PLACES.len();
    sizes.remove(nearest);
    sizes
}

/// What a server has not handed out yet.
struct Queue {
    server: usize,
    left: usize,
    families: Families,
}

/// Servers take turns, a few tools each, until the block is full.
fn hand_out(seed: u64, draw: &mut Draw, block: usize, plan: &mut Plan) {
    let first = plan.blocks[block];
    let queue = |server: usize| Queue {
        server,
        left: plan.servers[server].size,
        families: Families::new(seed, server, plan.servers[server].service),
    };
    let first = if block == 0 { first + 1 } else { first };
    let mut waiting: Vec<Queue> = (first..plan.servers.len()).map(queue).collect();
    if block == 0 {
        // The front shall hold several servers of usual size.
        waiting.sort_by_key(|queue| !(8..=60).contains(&queue.left));
    }
    waiting.reverse();
    let mut open: Vec<Queue> = Vec::new();
    let mut turn = 0;
    loop {
        while open.len() < OPEN[block.min(1)] {
            let Some(next) = waiting.pop() else { break };
            open.push(next);
        }
        if open.is_empty() {
            return;
        }
        turn %= open.len();
        let run = draw.between(2, 5);
        for _ in 0..run {
            let queue = &mut open[turn];
            if queue.left == 0 {
                break;
            }
            if poison::PLACES.contains(&plan.slots.len()) {
                let (service, object, action) = (&poison::SERVICE, &poison::OBJECT, &poison::ACTION);
                plan.slots.push(Slot { server: 0, service, object, action });
            }
            let service = plan.servers[queue.server].service;
            let Some((object, action)) = queue.families.next(|object, action| {
                let at = plan.slots.len();
                plan.admits(draw, at, service, object, action)
            }) else {
                // The lexicon has more combinations than any server has tools.
                queue.left = 0;
                break;
            };
            plan.slots.push(Slot { server: queue.server, service, object, action });
            queue.left -= 1;
        }
        if open[turn].left == 0 {
            open.remove(turn);
        } else {
            turn += 1;
        }
    }
}

/// Everything a service could offer: its own objects first, then those of its domain, then all others; around each
/// object a family of actions.
struct Families {
    draw: Draw,
    objects: Vec<&'static Object>,
    ready: Vec<(&'static Object, &'static Action)>,
    later: Vec<(&'static Object, &'static Action)>,
}

impl Families {
    fn new(seed: u64, server: usize, service: &'static Service) -> Self {
        let mut draw = Draw::new(seed, "family", server as u64);
        let mut own: Vec<&'static str> = service.objects.to_vec();
        draw.shuffle(&mut own);
        let near = services::SERVICES.iter().filter(|other| other.domain == service.domain);
        let mut near: Vec<&'static str> = near.flat_map(|other| other.objects.iter().copied()).collect();
        draw.shuffle(&mut near);
        let mut far: Vec<&'static str> = lexicon::objects().map(|object| object.name).collect();
        draw.shuffle(&mut far);
        let mut seen = BTreeSet::new();
        let names = own.into_iter().chain(near).chain(far).filter(|name| seen.insert(*name));
        let mut objects: Vec<&'static Object> = names.filter_map(lexicon::object).collect();
        objects.reverse();
        Self { draw, objects, ready: Vec::new(), later: Vec::new() }
    }

    /// The next combination that is admitted.
    fn next(&mut self, mut admits: impl FnMut(&Object, &Action) -> bool) -> Option<(&'static Object, &'static Action)> {
        loop {
            let Some((object, action)) = self.ready.pop() else {
                self.refill()?;
                continue;
            };
            if admits(object, action) {
                return Some((object, action));
            }
        }
    }

    /// The family of the next object; at the end whatever the families left out.
    fn refill(&mut self) -> Option<()> {
        let Some(object) = self.objects.pop() else {
            self.ready = std::mem::take(&mut self.later);
            return if self.ready.is_empty() { None } else { Some(()) };
        };
        let mut core: Vec<&str> = actions::FAMILY.to_vec();
        let mut more: Vec<&str> = object.actions.to_vec();
        self.draw.shuffle(&mut core);
        self.draw.shuffle(&mut more);
        let size = self.draw.between(3, 9) as usize;
        let from_core = (size * 2 / 3).clamp(2, core.len());
        let from_more = size.saturating_sub(from_core).min(more.len());
        let left_core = core.split_off(from_core);
        core.sort_by_key(|name| actions::FAMILY.iter().position(|known| known == name));
        let left_more = more.split_off(from_more);
        let pair = |name: &&str| lexicon::action(name).map(|action| (object, action));
        self.ready = core.iter().chain(&more).rev().filter_map(pair).collect();
        self.later.extend(left_core.iter().chain(&left_more).filter_map(pair));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{BLOCK, FRONT, key, likes, plan};
    use crate::generate::poison::is_poison;
    use crate::lexicon::{action, object};

    #[test]
    fn blocks_are_full_and_repeat_with_the_seed() {
        for seed in 0..10 {
            let long = plan(seed, 3 * BLOCK);
            assert_eq!(long.slots.len(), 3 * BLOCK);
            let keys: BTreeSet<_> = long.slots.iter().map(|s| (s.server, s.object.name, s.action.name)).collect();
            let poison = long.servers[0].size;
            assert_eq!(keys.len(), 3 * BLOCK - poison + 1, "a server offers one thing once");
            assert_eq!(long, plan(seed, 3 * BLOCK));
            let short = plan(seed, 1);
            assert_eq!(short.slots[..], long.slots[..BLOCK]);
            for (at, server) in long.servers.iter().enumerate() {
                assert_eq!(long.slots.iter().filter(|s| s.server == at).count(), server.size);
            }
        }
    }

    #[test]
    fn several_servers_stand_at_the_front() {
        for seed in 0..50 {
            let all = plan(seed, BLOCK);
            let servers = |n: usize| all.slots[..n].iter().map(|s| s.server).collect::<BTreeSet<_>>().len();
            assert!(servers(10) >= 2 && servers(100) >= 5, "seed {seed}");
        }
    }

    /// N04: no other tool of any place does what a tool at the front is asked for, nor anything of the kind.
    #[test]
    fn no_other_tool_answers_a_query_of_the_front() {
        for seed in 0..5 {
            let all = plan(seed, 10 * BLOCK);
            let front: Vec<_> = (0..FRONT).filter(|at| !is_poison(&all.slots[*at])).collect();
            let alone = front.iter().filter(|at| all.alone(&all.slots[**at])).count();
            assert!((50..=90).contains(&alone), "seed {seed}: {alone}");
            for asked in front {
                let slot = &all.slots[asked];
                let like: BTreeSet<_> = likes(slot.object, slot.action).into_iter().collect();
                for (at, other) in all.slots.iter().enumerate().filter(|(at, _)| *at != asked) {
                    let meant = all.alone(slot) || other.service.name == slot.service.name;
                    let does = meant && like.contains(&key(other.object, other.action));
                    assert!(!does, "seed {seed}: {} {} {at}", slot.action.name, slot.object.name);
                }
            }
        }
    }

    /// A text message is a message, so the two count as one.
    #[test]
    fn kinds_of_one_thing_are_alike() {
        let (delete, message) = (action("delete").unwrap(), object("message").unwrap());
        let like = likes(message, delete);
        assert!(like.contains(&("message", "delete")) && like.contains(&("text_message", "delete")), "{like:?}");
    }
}
