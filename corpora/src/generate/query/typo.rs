//! A request with a slip of the finger.

use super::{QueryClass, one};
use crate::generate::draw::Draw;

/// Rows of a keyboard: a wrong letter is a neighbour.
const ROWS: &[&str] = &["qwertyuiop", "asdfghjkl", "zxcvbnm"];

pub(super) static ENTRY: QueryClass = QueryClass {
    name: "typo",
    summary: "words of the description, the longest and the second one of which hold a slip: swapped, left out, doubled or neighbouring letters",
    source: "",
    pose: |front| {
        front.each("typo", |draw, tool| {
            let text = format!("{} {} {}", tool.written.verb, tool.written.noun, tool.place());
            let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            let mut order: Vec<usize> = (0..words.len()).filter(|at| words[*at].len() >= 5).collect();
            order.sort_by_key(|at| std::cmp::Reverse(words[*at].len()));
            if order.is_empty() {
                return Vec::new();
            }
            for at in order.into_iter().take(if words.len() > 3 { 2 } else { 1 }) {
                words[at] = slip(draw, &words[at]);
            }
            vec![one(tool, words.join(" "))]
        })
    },
};

/// The word with one slip behind its first letter; never the word itself.
fn slip(draw: &mut Draw, word: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    let at = 1 + draw.index(letters.len() - 2);
    let mut out = letters.clone();
    match draw.below(4) {
        0 if letters[at] != letters[at + 1] => out.swap(at, at + 1),
        1 => {
            out.remove(at);
        }
        2 => out.insert(at, letters[at]),
        _ => {
            let row = ROWS.iter().find_map(|row| row.find(letters[at]).map(|place| (row, place)));
            match row {
                Some((row, place)) => {
                    let near = if place == 0 { 1 } else { place - 1 };
                    out[at] = row.chars().nth(near).unwrap_or('x');
                }
                None => {
                    out.remove(at);
                }
            }
        }
    }
    out.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::slip;
    use crate::generate::draw::Draw;

    #[test]
    fn a_slip_changes_the_word_but_not_its_first_letter() {
        let mut draw = Draw::new(1, "test", 0);
        for _ in 0..200 {
            let wrong = slip(&mut draw, "letters");
            assert!(wrong != "letters" && wrong.starts_with('l') && wrong.len().abs_diff(7) <= 1, "{wrong}");
        }
    }
}
