//! Does every concept have words of its own in every language, and do they make requests?

use std::collections::{BTreeMap, BTreeSet};

use super::{Language, Translation, of_action, of_object, of_service, query};
use crate::lexicon;
use crate::lexicon::related::related;

type Kind = (&'static str, Vec<&'static str>, Vec<&'static Translation>);

fn kinds() -> [Kind; 3] {
    [
        ("service", lexicon::services::SERVICES.iter().map(|s| s.name).collect(), super::services().collect()),
        ("object", lexicon::objects().map(|o| o.name).collect(), super::objects().collect()),
        ("action", lexicon::actions::ACTIONS.iter().map(|a| a.name).collect(), super::actions().collect()),
    ]
}

fn is_east_asian(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}')
}

#[test]
fn every_concept_is_translated_once_and_nothing_else() {
    for (kind, names, words) in kinds() {
        let translated: Vec<_> = words.iter().map(|word| word.name).collect();
        assert_eq!(names, translated, "{kind}");
    }
}

#[test]
fn every_word_is_there_and_in_its_script() {
    for (kind, _, words) in kinds() {
        for word in words {
            for language in Language::ALL {
                let text = word.text(language);
                assert!(!text.is_empty() && text.trim() == text, "{kind} {}", word.name);
                let asian = matches!(language, Language::Zh | Language::Ja);
                assert_eq!(text.chars().any(is_east_asian), asian, "{kind} {text}");
                assert!(!asian || !text.contains(' '), "{kind} {text}");
            }
        }
    }
}

#[test]
fn no_two_concepts_of_a_kind_share_a_word() {
    let mut bad = Vec::new();
    for (kind, _, words) in kinds() {
        for language in Language::ALL {
            let mut seen = BTreeMap::new();
            for word in &words {
                if let Some(other) = seen.insert(word.text(language).to_lowercase(), word.name) {
                    bad.push(format!("{} {kind} {other} / {}", language.code(), word.name));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// Chinese, Japanese and German put the head of a noun last, Spanish puts it first: `Firewall-Regel` is a `Regel`.
#[test]
fn a_word_that_is_a_kind_of_another_word_names_a_related_object() {
    let kind = |language: Language, long: &str, short: &str| match language {
        Language::Es => long == short || long.starts_with(&format!("{short} ")),
        _ => long.to_lowercase().ends_with(&short.to_lowercase()),
    };
    let mut bad = Vec::new();
    for one in super::objects() {
        let related = related(lexicon::object(one.name).unwrap());
        for other in super::objects().filter(|other| other.name != one.name && !related.contains(&other.name)) {
            for language in Language::ALL {
                let (long, short) = (one.text(language), other.text(language));
                if kind(language, long, short) {
                    bad.push(format!("{} {} / {}: {long} / {short}", language.code(), one.name, other.name));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn words_have_the_form_of_their_kind() {
    for action in super::actions() {
        assert!(action.ja.ends_with(['る', 'す', 'む']), "{}", action.ja);
        assert!(action.de.ends_with("en") || action.de.ends_with("eln"), "{}", action.de);
        assert!(["ar", "er", "ir"].iter().any(|end| action.es.ends_with(end)), "{}", action.es);
    }
    for object in super::objects() {
        assert!(object.de.split(' ').next_back().unwrap().starts_with(char::is_uppercase), "{}", object.de);
        assert!(object.es.starts_with(char::is_lowercase), "{}", object.es);
        for article in ["der ", "die ", "das ", "ein ", "eine ", "el ", "la ", "los ", "las ", "un ", "una "] {
            assert!(!object.de.starts_with(article) && !object.es.starts_with(article), "{}", object.name);
        }
    }
}

#[test]
fn requests_are_composed_in_every_language() {
    let (create, get, merge) = (of_action("create").unwrap(), of_action("get").unwrap(), of_action("merge").unwrap());
    let (invoice, branch) = (of_object("invoice").unwrap(), of_object("branch").unwrap());
    let (books, chat) = (of_service("ledgerloom").unwrap(), of_service("quillhut").unwrap());
    let message = of_object("message").unwrap();
    assert_eq!(query(Language::Zh, create, message, Some(chat)), "在团队聊天工具中创建消息");
    assert_eq!(query(Language::Zh, merge, branch, None), "合并代码分支");
    assert_eq!(query(Language::Ja, create, message, Some(chat)), "チームチャットでメッセージを作成する");
    assert_eq!(query(Language::Ja, get, invoice, None), "請求書を取得する");
    assert_eq!(query(Language::De, create, invoice, Some(books)), "Rechnung erstellen – Buchhaltung");
    assert_eq!(query(Language::De, get, invoice, None), "Rechnung abrufen");
    assert_eq!(query(Language::Es, create, message, Some(chat)), "crear mensaje – chat de equipo");
    assert_eq!(query(Language::Es, merge, branch, None), "fusionar rama de código");
}

#[test]
fn languages_have_distinct_codes_and_unknown_names_no_words() {
    let codes: BTreeSet<_> = Language::ALL.iter().map(|language| language.code()).collect();
    assert_eq!(codes.into_iter().collect::<Vec<_>>(), ["de", "es", "ja", "zh"]);
    assert_eq!(of_service("create"), None);
    assert_eq!(of_object("quillhut"), None);
    assert_eq!(of_action(""), None);
}
