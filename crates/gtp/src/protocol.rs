//! Lines of the protocol: a controller's commands and their answers (GTP 2, sections 2 and 3).

/// Longer lines are refused. The longest sensible one lists every point of the largest board.
pub(crate) const LINE_MAX: usize = 1 << 14;

/// A command as it was received.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// The number before it, as written.
    pub(crate) id: String,
    /// The command's name; empty if the line has only a number.
    pub(crate) name: String,
    /// The words that follow.
    pub(crate) arguments: Vec<String>,
}

/// The text after `=` or `?`: one or more lines.
pub(crate) type Answer = Result<String, String>;

/// Parses a line. Drops control characters and comments, and turns tabs into spaces. None if nothing is left.
pub(crate) fn parse(line: &[u8]) -> Option<Request> {
    let text: String = String::from_utf8_lossy(line)
        .chars()
        .map(|letter| if letter == '\t' { ' ' } else { letter })
        .take_while(|&letter| letter != '#')
        .filter(|letter| !letter.is_control())
        .collect();
    let mut words = text.split(' ').filter(|word| !word.is_empty()).map(str::to_string).peekable();
    words.peek()?;
    let is_number = |word: &String| word.bytes().all(|letter| letter.is_ascii_digit());
    let id = words.next_if(is_number).unwrap_or_default();
    Some(Request { id, name: words.next().unwrap_or_default(), arguments: words.collect() })
}

/// An answer as it is sent, with the blank line that ends it.
pub(crate) fn response(id: &str, answer: &Answer) -> String {
    let (sign, text) = match answer {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    // A blank line would end the answer too early.
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    let (first, rest) = lines.split_first().unwrap_or((&"", &[]));
    let rest: String = rest.iter().filter(|line| !line.is_empty()).map(|line| format!("\n{line}")).collect();
    format!("{sign}{id} {first}{rest}\n\n")
}

/// The start of an answer that continues line by line.
pub(crate) fn stream_opening(id: &str) -> String {
    format!("={id}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &[u8], expect: Option<(&str, &str, &[&str])>) {
        let expect = expect.map(|(id, name, arguments)| Request {
            id: id.into(),
            name: name.into(),
            arguments: arguments.iter().map(|word| word.to_string()).collect(),
        });
        assert_eq!(parse(line), expect, "{:?}", String::from_utf8_lossy(line));
    }

    #[test]
    fn lines_are_read_by_the_standard() {
        check(b"name", Some(("", "name", &[])));
        check(b"12 play B D4\r", Some(("12", "play", &["B", "D4"])));
        check(b"  play\tb \t d4 # a comment", Some(("", "play", &["b", "d4"])));
        check(b"\x01na\x07me\x7f", Some(("", "name", &[])));
        check(b"", None);
        check(b" \t\r", None);
        check(b"# only a comment", None);
        check(b"7", Some(("7", "", &[])));
        check(b"7 7", Some(("7", "7", &[])));
        check(b"99999999999999999999999 quit", Some(("99999999999999999999999", "quit", &[])));
        check(b"\xff\xfe", Some(("", "\u{fffd}\u{fffd}", &[])));
        check(b"-1 name", Some(("", "-1", &["name"])));
    }

    #[test]
    fn answers_end_with_one_blank_line() {
        let check = |id, answer: Answer, expect| assert_eq!(response(id, &answer), expect);
        check("", Ok("".into()), "= \n\n");
        check("3", Ok("D4".into()), "=3 D4\n\n");
        check("", Err("illegal move".into()), "? illegal move\n\n");
        check("", Ok("\na\n\nb \n\n".into()), "= \na\nb\n\n");
        assert_eq!(stream_opening("4"), "=4\n");
    }
}
