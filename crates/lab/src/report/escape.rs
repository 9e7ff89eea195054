//! Text made safe to stand in HTML, SVG and Markdown.

/// Text as HTML or XML shows it, in an element or in a quoted attribute. Characters that XML forbids are dropped.
pub(super) fn html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ if is_printable(character) => escaped.push(character),
            _ => {}
        }
    }
    escaped
}

/// As [`html`], with `code` between backticks set as code.
pub(super) fn html_prose(text: &str) -> String {
    let mut pieces = text.split('`').peekable();
    let mut prose = String::new();
    let mut is_code = false;
    while let Some(piece) = pieces.next() {
        // A backtick without its partner is an ordinary character.
        match (is_code, pieces.peek()) {
            (true, Some(_)) => prose += &format!("<code>{}</code>", html(piece)),
            (true, None) => prose += &format!("`{}", html(piece)),
            (false, _) => prose += &html(piece),
        }
        is_code = !is_code;
    }
    prose
}

/// Text as Markdown shows it, on one line and also in a cell of a table. Pairs of backticks keep their meaning.
pub(super) fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut backticks_left = text.matches('`').count();
    let mut is_code = false;
    for character in text.chars() {
        match character {
            '`' => {
                backticks_left -= 1;
                let is_paired = is_code || backticks_left > 0;
                escaped.push_str(if is_paired { "`" } else { "\\`" });
                is_code = is_paired && !is_code;
            }
            '|' => escaped.push_str("\\|"),
            '\n' | '\r' | '\t' => escaped.push(' '),
            '<' if !is_code => escaped.push_str("&lt;"),
            '\\' | '*' | '_' | '[' | ']' if !is_code => escaped.extend(['\\', character]),
            _ if is_printable(character) => escaped.push(character),
            _ => {}
        }
    }
    escaped
}

/// A command or a name as Markdown's code.
pub(super) fn markdown_code(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    // Between backticks only a cell's border and the end of its line need care.
    format!("`{}`", text.replace('`', "'").replace('|', "\\|").replace(['\n', '\r', '\t'], " "))
}

/// Text without the characters that XML forbids.
pub(super) fn printable(text: &str) -> String {
    text.chars().filter(|&character| is_printable(character)).collect()
}

fn is_printable(character: char) -> bool {
    !character.is_control() && !matches!(character, '\u{fffe}' | '\u{ffff}')
        || matches!(character, '\n' | '\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_html_are_shown_not_obeyed() {
        assert_eq!(html("<a b=\"c\">&'\u{0}"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;");
    }

    #[test]
    fn backticks_make_code_in_pairs() {
        assert_eq!(html_prose("run `a<b` and ` on"), "run <code>a&lt;b</code> and ` on");
    }

    #[test]
    fn a_cell_of_markdown_stays_one_cell() {
        assert_eq!(markdown("a|b\nc*d <e> `f*<g>`"), "a\\|b c\\*d &lt;e> `f*<g>`");
        assert_eq!(markdown("a `<b>` ` <c>"), "a `<b>` \\` &lt;c>");
        assert_eq!(markdown_code("a <b> _c_ `d`"), "`a <b> _c_ 'd'`");
    }
}
