//! How does a folder of parts register itself with one line each?

/// Declares the modules of a folder and the list of their `ENTRY` constants.
///
/// The file name is the module name; a test lists the folder and compares.
/// `rustfmt` does not follow modules that a macro declares: format the files by name.
///
/// ```text
/// entries! {
///     /// Every order, in the sequence of the reports.
///     pub static ORDERS: [Order] = { registry, sorted }
/// }
/// ```
#[macro_export]
macro_rules! entries {
    ($(#[$meta:meta])* $vis:vis static $all:ident: [$ty:ty] = { $($name:ident),* $(,)? }) => {
        $(mod $name;)*
        $(#[$meta])*
        $vis static $all: &[&$ty] = &[$(&$name::ENTRY),*];
    };
}
