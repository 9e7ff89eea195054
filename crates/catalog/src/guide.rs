//! A guide to each game for newcomers: its rules in plain words, how moves are written, and what its options do.

/// The rules of a game, and its options.
pub struct Guide {
    /// The game's word.
    pub word: &'static str,
    /// The rules: what a move is, the goal, who owns what, and how moves are written.
    pub rules: &'static str,
    /// Each option with what it does and what it takes.
    pub options: &'static [(&'static str, &'static str, &'static str)],
}

/// The guide of a game, by its word.
pub fn guide(word: &str) -> Option<&'static Guide> {
    GUIDES.iter().find(|guide| guide.word == word)
}

const ROWS: (&str, &str, &str) = ("rows", "rows of the board", "1..8 (8)");
const COLUMNS: (&str, &str, &str) = ("columns", "columns of the board", "1..8 (8)");
const FIRST: (&str, &str, &str) = ("first", "who moves first", "left or right (left)");

static GUIDES: &[Guide] = &[
    Guide {
        word: "tic-tac-toe",
        rules: "x and o take turns to mark an empty cell; x begins. Three of your own marks in a row, across, up or \
            diagonal, win. A full board without a row is a draw. A move is a cell such as b2; a1 is at the lower left.",
        options: &[],
    },
    Guide {
        word: "mnk",
        rules: "x and o take turns to put a stone on an empty cell; x begins. The first with k or more of their own stones \
            in a row, across, up or diagonal, wins. A full board without a row is a draw. A move is a cell such as b2; a1 is \
            at the lower left.",
        options: &[
            ("m", "columns of the board", "1..19 (3)"),
            ("n", "rows of the board", "1..19 (3)"),
            ("k", "stones in a row that win", "1..19 (3)"),
        ],
    },
    Guide {
        word: "connect-four",
        rules: "x and o take turns to drop a piece into a column that is not full; x begins. The piece falls to the lowest \
            empty cell. Four of your own pieces in a row, across, up or diagonal, win. A full board without a row is a draw. \
            A move is a column, a to g.",
        options: &[],
    },
    Guide {
        word: "othello",
        rules: "x and o take turns to put a disc on an empty cell; x begins. The new disc and another of yours must enclose \
            an unbroken line of the other player's discs, across, up or diagonal. All enclosed discs become yours. If you can \
            enclose nothing, you pass. When neither player can move, the one with more discs wins. A move is a cell such as \
            d3, or pass; a1 is at the upper left.",
        options: &[("size", "rows and columns of the board", "4, 6 or 8 (8)")],
    },
    Guide {
        word: "hex",
        rules: "x and o take turns to put a stone on an empty cell; x begins. x owns the top and the bottom edge, and wins \
            with a chain of neighbouring x stones from top to bottom. o owns the left and the right edge, and wins with a chain \
            from left to right. There are no draws. A cell touches six others: left, right, above, above right, below left and \
            below. A move is a cell such as c2: column letter, then row number from the top.",
        options: &[("size", "rows and columns of the board", "2..19 (11)")],
    },
    Guide {
        word: "go",
        rules: "Black and white take turns to put a stone on an empty point, or pass; black begins. Stones of one colour that \
            touch along the lines form a chain. A chain without an empty point next to it is taken off the board. Two passes \
            in a row end the game. Your area is your stones and the empty points that only your stones reach. The larger area \
            wins; white gets komi on top. A move is a point such as D4, or pass; A1 is at the lower left, and there is no \
            column I.",
        options: &[
            ("size", "lines of the board", "2..25 (9)"),
            ("komi", "points that white gets for moving second", "points and halves (7.5)"),
            ("ko", "which positions must not come again", "positional, situational or simple (positional)"),
            ("suicide", "whether a move may take off its own chain", "on or off (off)"),
            ("eyes", "whether players may fill their own eyes", "fill or keep (fill)"),
        ],
    },
    Guide {
        word: "breakthrough",
        rules: "x begins at the bottom and moves up; o begins at the top and moves down. A move takes one piece one cell \
            forward, straight or diagonally, onto an empty cell. A diagonal move may also capture a piece of the other player. \
            x wins by reaching row 8, o by reaching row 1; so does the player who captures all pieces. There are no draws. x \
            begins. A move is its two cells, such as a2a3.",
        options: &[],
    },
    Guide {
        word: "nim",
        rules: "The players take turns to take one or more objects from one heap. Whoever takes the last object wins; in \
            misere play, that player loses. A move is the heap and the number taken: 2:3 takes three from the second heap.",
        options: &[
            ("heaps", "the sizes of the heaps", "sizes, separated by commas (3,4,5)"),
            ("players", "how many play", "2..4 (2)"),
            ("misere", "whether whoever takes the last object loses", "on or off (off)"),
        ],
    },
    Guide {
        word: "heap-go",
        rules: "Each heap is a pile of blue (B) and red (R) counters with weights, the top one written first. Left and Right \
            take turns; Left begins. A move picks a heap and takes counters from its top. Left stops after a red counter, Right \
            after a blue one, both at an empty heap. You score the weight of what you take. When all heaps are empty, the higher \
            score wins, by the difference. A move is the number of a heap, from 1.",
        options: &[
            ("heaps", "how many heaps", "1..1000 (5)"),
            ("counters", "counters in each heap", "1..1000 (5)"),
            ("weights", "the range of the weights", "a range (1..10)"),
            ("seed", "the seed of the random heaps", "a whole number (1)"),
            ("start", "the heaps themselves, top counters first, in place of the other options", "R3B5/B2R7"),
        ],
    },
    Guide {
        word: "domineering",
        rules: "Left and Right take turns to lay a domino on two empty neighbouring cells. Left's dominoes stand upright, one \
            cell above the other. Right's lie across, side by side. Whoever cannot lay a domino loses. A move is its two cells, \
            the lower or left one first, such as b2-b3; a1 is at the lower left.",
        options: &[ROWS, COLUMNS, FIRST],
    },
    Guide {
        word: "clobber",
        rules: "Left has the stones x and Right the stones o. A move takes one of your stones to a neighbouring cell, across, \
            up or down, that holds a stone of the other player. That stone leaves the board. Whoever cannot move loses. A move \
            is its two cells, such as b2-b3; a1 is at the lower left.",
        options: &[ROWS, COLUMNS, FIRST],
    },
    Guide {
        word: "toads-and-frogs",
        rules: "Left moves a toad (T) to the right, Right moves a frog (F) to the left. A move is a step to the next cell if \
            that is empty, or a jump over one animal of the other kind to an empty cell behind it. Nothing is taken. Whoever \
            cannot move loses. A move is its two cells, such as a1-b1.",
        options: &[
            ("rows", "strips of cells", "1..8 (1)"),
            ("toads", "toads in each strip", "0..8 (3)"),
            ("gap", "empty cells between toads and frogs", "0..8 (2)"),
            ("frogs", "frogs in each strip", "0..8 (3)"),
            FIRST,
        ],
    },
    Guide {
        word: "sum",
        rules: "Several boards of one game lie side by side. Left and Right take turns, and a move is a move on one of the \
            boards. Whoever cannot move on any board loses. A move is the number of the board, from 1, and the move on it, such \
            as 2:b1-b2. The rules of the boards are those of domineering, clobber or toads-and-frogs.",
        options: &[
            ("game", "the game of the boards", "domineering, clobber or toads-and-frogs (domineering)"),
            ("boards", "the boards, separated by +; / separates rows, from the top", "../..+.../..."),
            FIRST,
        ],
    },
    Guide {
        word: "pig",
        rules: "The players take turns with one die. In your turn you roll or hold. A roll of 2 to 6 is added to the total of \
            the turn, and you choose again. A roll of 1 loses that total and ends the turn. Holding adds the total to your score \
            and ends the turn. The first whose score reaches the goal wins. A move is roll or hold; the program rolls the die.",
        options: &[
            ("players", "how many play", "2..4 (2)"),
            ("goal", "the score that wins", "10..200 (100)"),
        ],
    },
    Guide {
        word: "sailing",
        rules: "You steer a boat (@) from the lower left to the upper right corner (*) in few minutes. A leg goes to one of \
            eight neighbouring points, but never straight into the wind. It takes 4 minutes at 45 degrees to the wind, 3 at 90, \
            2 at 135, and 1 with the wind from behind; diagonal legs take longer. Changing the tack costs 3 minutes. After each \
            leg the wind may turn. A move is a heading: n, ne, e, se, s, sw, w or nw.",
        options: &[
            ("size", "points of a side of the lake", "2..40 (5)"),
            ("wind", "where the wind comes from at first, clockwise from north", "0..7 (0)"),
        ],
    },
    Guide {
        word: "2048",
        rules: "A move slides all tiles as far as they go. Two equal tiles that meet become one of their sum, which is added to \
            the score. A move must change the board. Then a new tile appears on an empty cell, a 2 or sometimes a 4. The game \
            ends when no move changes the board; the goal is a high score. A move is up, down, left or right.",
        options: &[("seed", "the seed of the first two tiles", "a whole number (1)")],
    },
    Guide {
        word: "canadian-traveller",
        rules: "You travel from the first vertex of a map to the last, and pay for the length of each road. Snow blocks each \
            road with the probability shown. You see whether a road is open when you stand at one of its ends. At any vertex you \
            may take the taxi to the goal at a fixed price. The goal is to pay little. A move is the letter of the next vertex, \
            or taxi.",
        options: &[
            ("vertices", "vertices of the map", "3..20 (8)"),
            ("seed", "the seed of the map", "a whole number (1)"),
            ("blocked", "the highest probability that a road is blocked", "0..1 (0.5)"),
        ],
    },
];
