//! How long shall the name and the description of each tool be, how many parameters and bytes shall its schema have?
//!
//! A latent value of each tool mixes the habit of its server with a draw of its own, in the measured proportion. Within a
//! part of the catalog the ranks of these values, not the values themselves, choose from the measured distribution: so every part has
//! it exactly, while servers differ and the quantities of one tool hang together as in real lists.

use super::draw::Draw;
use super::measured::{DESCRIPTION, Measured, NAME, OUTPUT, PARAMETERS, SCHEMA};
use super::name::goes_without_saying;
use super::parameters::{needed, needs_list};
use super::plan::Slot;
use super::poison;
use super::style::{Dialect, Style};
use crate::lexicon::Effect;

/// What one tool shall look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Target {
    /// Characters of its name.
    pub name: u32,
    /// Characters of its description.
    pub description: u32,
    /// Number of parameters.
    pub parameters: u32,
    /// How many of them the action does not need.
    pub free: u32,
    /// UTF-8 bytes of its compact schema.
    pub schema: u32,
    /// Whether a parameter is a choice between words.
    pub choice: bool,
    /// Whether a parameter is a list.
    pub list: bool,
    /// Whether a parameter has members of its own.
    pub nested: bool,
    /// Whether a parameter has alternatives.
    pub any_of: bool,
    /// Whether a part of the schema is a reference.
    pub reference: bool,
    /// Whether it has annotations.
    pub annotated: bool,
    /// Whether it has a title.
    pub titled: bool,
    /// UTF-8 bytes of its output schema; 0: none.
    pub output: u32,
}

/// The targets of a part of a block; `first` is the position of its first tool, `style` the style of each tool's server.
#[must_use]
pub fn targets(seed: u64, first: usize, slots: &[Slot], style: impl Fn(&Slot) -> Style) -> Vec<Target> {
    let mut latent: Vec<[f64; 12]> = Vec::with_capacity(slots.len());
    for (at, slot) in slots.iter().enumerate() {
        let mut draw = Draw::new(seed, "target", (first + at) as u64);
        let style = style(slot);
        let [name, description, parameters, schema, annotated, output] = style.habits;
        let mut own = || draw.bell();
        let weight = match (slot.action.name, slot.action.effect) {
            ("create" | "update", _) => 0.5,
            ("list" | "count", _) => -0.5,
            (_, Effect::List) => -0.2,
            _ => 0.0,
        };
        let room = match style.dialect {
            Dialect::Plain => -0.4,
            Dialect::SchemaLast | Dialect::SchemaFirst => 0.6,
            Dialect::Titled => 0.2,
            Dialect::Closed => 0.0,
        };
        let parameters = 0.65 * parameters + 0.76 * own() + weight;
        let schema = 0.8 * parameters + 0.3 * schema + 0.35 * own() + room;
        let closely = |server: f64, own: f64| 0.95 * server + 0.3 * own;
        let union = if style.dialect == Dialect::Titled { 3.0 } else { 0.0 };
        latent.push([
            0.62 * name + 0.78 * own() + if style.prefixed { 1.3 } else { -0.4 } + wordiness(slot),
            0.25 * parameters + 0.75 * description + 0.6 * own(),
            parameters,
            schema,
            0.5 * schema + own(),
            0.5 * schema + own(),
            1.4 * schema + own(),
            0.3 * schema + union + own(),
            union + own(),
            closely(annotated, own()),
            closely(output + annotated, own()),
            closely(output, own()),
        ]);
        if poison::is_poison(slot) {
            // Its text is longer than most, its schema short, and it has nothing else.
            latent[at] = [-100.0; 12];
            (latent[at][1], latent[at][2]) = (100.0, -0.5);
        }
    }
    let mut out = vec![Target::default(); slots.len()];
    spread(&latent, 0, &mut out, NAME, |t| &mut t.name);
    spread(&latent, 1, &mut out, DESCRIPTION, |t| &mut t.description);
    spread(&latent, 2, &mut out, PARAMETERS, |t| &mut t.parameters);
    give_what_is_needed(slots, &latent, &mut out);
    // A schema without parameters is among the shortest.
    for (values, _) in latent.iter_mut().zip(&out).filter(|(_, target)| target.parameters == 0) {
        values[3] -= 10.0;
    }
    spread(&latent, 3, &mut out, SCHEMA, |t| &mut t.schema);
    slots.iter().zip(&mut latent).filter(|(slot, _)| needs_list(slot)).for_each(|(_, values)| values[5] = 100.0);
    // What is rounded off in one part is made up for in the next.
    let dealt = |share: usize| (share * (first + slots.len()) + 500) / 1000 - (share * first + 500) / 1000;
    let mut most = |column: usize, share: usize, fits: fn(&Target) -> bool, field: fn(&mut Target) -> &mut bool| {
        let fitting = ranked(&latent, column).into_iter().rev().filter(|at| fits(&out[*at]));
        let chosen: Vec<usize> = fitting.take(dealt(share)).collect();
        chosen.into_iter().for_each(|at| *field(&mut out[at]) = true);
    };
    // Tools of 1,000 that have each feature, as measured.
    most(4, 210, |t| t.free > 0 && t.schema > 150, |t| &mut t.choice);
    most(5, 197, |t| t.parameters > 0 && t.schema > 100, |t| &mut t.list);
    most(6, 155, |t| t.free > 0 && t.schema > 350, |t| &mut t.nested);
    most(7, 166, |t| t.parameters > 1 && t.schema > 250, |t| &mut t.any_of);
    most(8, 13, |t| t.nested && t.schema > 600, |t| &mut t.reference);
    most(9, 505, |_| true, |t| &mut t.annotated);
    most(10, 299, |_| true, |t| &mut t.titled);
    let with_output: Vec<usize> = ranked(&latent, 11).into_iter().rev().take(dealt(238)).collect();
    for (rank, at) in with_output.iter().enumerate() {
        out[*at].output = OUTPUT.at((rank * 7) % with_output.len(), with_output.len());
    }
    out
}

/// How much longer than others a name has to be: short names are for short words.
fn wordiness(slot: &Slot) -> f64 {
    let nouns = slot.object.describe.iter().copied().chain([slot.object.name]);
    let shortest = nouns.map(str::len).min().unwrap_or_default();
    let verb = if goes_without_saying(slot.action) { -0.6 } else { 0.0 };
    0.2 * (shortest as f64 - 6.0) + verb
}

/// Where a tool has fewer parameters than its action needs, it changes places with the tool of the lowest latent value that can
/// do with so few.
fn give_what_is_needed(slots: &[Slot], latent: &[[f64; 12]], out: &mut [Target]) {
    let order = ranked(latent, 2);
    for at in order.iter().copied() {
        let (has, needs) = (out[at].parameters, needed(&slots[at]));
        if has < needs {
            let content = |other: &usize| out[*other].parameters >= needs && needed(&slots[*other]) <= has;
            let free = |other: &usize| !poison::is_poison(&slots[*other]) && content(other);
            match order.iter().copied().find(free) {
                Some(other) => {
                    out[at].parameters = out[other].parameters;
                    out[other].parameters = has;
                }
                None => out[at].parameters = needs,
            }
        }
    }
    for (target, slot) in out.iter_mut().zip(slots) {
        target.free = target.parameters.saturating_sub(needed(slot));
    }
}

/// Gives each tool the measured value at the rank of a latent one.
fn spread(
    latent: &[[f64; 12]],
    column: usize,
    out: &mut [Target],
    measured: Measured,
    field: fn(&mut Target) -> &mut u32,
) {
    let count = out.len();
    for (rank, at) in ranked(latent, column).into_iter().enumerate() {
        *field(&mut out[at]) = measured.at(rank, count);
    }
}

/// Positions by the size of a latent value; equal values keep their order.
fn ranked(latent: &[[f64; 12]], column: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..latent.len()).collect();
    order.sort_by(|a, b| latent[*a][column].total_cmp(&latent[*b][column]));
    order
}

#[cfg(test)]
mod tests {
    use super::targets;
    use crate::generate::plan::{BLOCK, plan};
    use crate::generate::style::styles;

    /// Medians of real tools: name 19, description 152, parameters 3, schema 398; enum 21 %, nested 15.5 %, output 23.8 %.
    #[test]
    fn a_block_has_the_measured_medians() {
        let plan = plan(3, BLOCK);
        let styles = styles(3, 0, &plan.sizes(0));
        let all = targets(3, 0, &plan.slots, |slot| styles[slot.server]);
        let median = |of: &dyn Fn(&super::Target) -> u32| {
            let mut values: Vec<u32> = all.iter().map(of).collect();
            values.sort_unstable();
            values[500]
        };
        let found = [median(&|t| t.name), median(&|t| t.description), median(&|t| t.parameters), median(&|t| t.schema)];
        assert_eq!(found, [19, 152, 3, 399], "the middle of rank 500 is just above the median, 398");
        let count = |has: &dyn Fn(&super::Target) -> bool| all.iter().filter(|t| has(t)).count();
        assert_eq!([count(&|t| t.choice), count(&|t| t.nested), count(&|t| t.output > 0)], [210, 155, 238]);
    }
}
