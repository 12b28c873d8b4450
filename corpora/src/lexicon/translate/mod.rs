//! stub
#![allow(missing_docs)]
pub struct Translation {
    pub name: &'static str,
}
#[derive(Clone, Copy)]
pub enum Language {
    Zh,
    Ja,
    De,
    Es,
}
impl Language {
    pub const ALL: &'static [Language] = &[Language::Zh, Language::Ja, Language::De, Language::Es];
    pub fn code(self) -> &'static str {
        "zh"
    }
}
pub fn of_action(_: &str) -> Option<&'static Translation> {
    None
}
pub fn of_object(_: &str) -> Option<&'static Translation> {
    None
}
pub fn of_service(_: &str) -> Option<&'static Translation> {
    None
}
pub fn query(_: Language, _: &Translation, _: &Translation, _: Option<&Translation>) -> String {
    String::new()
}
