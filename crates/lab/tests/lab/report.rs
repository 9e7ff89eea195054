//! Reports as a reader gets them: stored figures, well-formed pages, files on disk, and data that ought not be.
//!
//! `AJI_BLESS=1 cargo test -p aji-lab --test lab report` stores the golden files anew. Look at them before committing.

use aji_lab::report::{
    Axis, Cell, Claim, Figure, Foot, Measured, Page, Paper, Picture, Point, Section, Series, Statement,
    Style, Table, Verdict,
};
use std::fs;
use std::path::{Path, PathBuf};

/// Four measured series and two bounds over a logarithmic axis.
fn win_rates() -> Figure {
    let names = ["uct c=1.0", "uct c=0.5", "flat Monte Carlo", "puct"];
    let mut series: Vec<Series> = names.iter().zip(1..).map(|(name, number)| rising(name, number)).collect();
    let budgets = [100.0, 1_000.0, 10_000.0, 100_000.0, 1_000_000.0];
    let bound = |value: f64| budgets.iter().map(|&budget| Point::new(budget, value)).collect();
    series.push(Series::dashed("even", bound(0.5)));
    series.push(Series::dashed("perfect play", bound(0.97)));
    Figure {
        name: "win-rates".into(),
        title: "Win rate against uniform play, by simulations a move".into(),
        caption: "95% intervals of 400 games a point.".into(),
        x: Axis::log("simulations a move"),
        y: Axis::linear("win rate"),
        series,
    }
}

fn rising(name: &str, number: i32) -> Series {
    let points = (0..9).map(|step| {
        let x = 100.0 * 10f64.powf(f64::from(step) / 2.0);
        let y = 0.95 - 0.5 / (1.0 + f64::from(step) * 0.3 * f64::from(number));
        Point::with_error(x, y, 0.06 / (1.0 + f64::from(step) / 4.0))
    });
    Series::line(name, points.collect())
}

/// Errors that fall over both axes logarithmic, with a crowded series, dots, and an interval that reaches zero.
fn errors() -> Figure {
    let falling =
        |scale: f64| (1..=300).map(move |pulls| (f64::from(pulls) * 10.0, scale / f64::from(pulls).sqrt()));
    let crowded = falling(0.3).map(|(x, y)| Point { x, y, low: y * 0.8, high: y * 1.25 }).collect();
    let theory = falling(0.9).map(|(x, y)| Point::new(x, y)).collect();
    let wide = Point { x: 3000.0, y: 0.03, low: -0.01, high: 0.07 };
    let dots = vec![Point::with_error(10.0, 0.5, 0.2), Point::with_error(200.0, 0.15, 0.05), wide];
    Figure {
        name: "errors".into(),
        title: "Error of the mean by pulls".into(),
        caption: "Log-log.".into(),
        x: Axis::log("pulls"),
        y: Axis::log("absolute error"),
        series: vec![
            Series::line("UCB1", crowded),
            Series::dashed("Hoeffding's bound", theory),
            Series::dots("as published", dots),
        ],
    }
}

/// Eleven series with long names over linear axes, some values below zero.
fn many() -> Figure {
    let series = (0..11).map(|index| {
        let points =
            (0..6).map(|x| Point::new(f64::from(x) * 5_000.0, f64::from(x * (index - 5)) * 13.0)).collect();
        let name = format!("agent number {index}{}", ", with a long name".repeat((index % 3) as usize));
        if index % 4 == 3 { Series::dashed(name, points) } else { Series::line(name, points) }
    });
    Figure {
        name: "many".into(),
        title: "A figure with a title so long that it does not fit into one line of a figure of this width"
            .into(),
        caption: String::new(),
        x: Axis::linear("nodes in the tree"),
        y: Axis::linear("rating difference (Elo)"),
        series: series.collect(),
    }
}

fn page() -> Page {
    let mut table =
        Table::new("Win rates", &["agent", "games", "win rate"]).with_note("95% Wilson intervals.");
    table.push(vec!["uct c=1.0".into(), 400u32.into(), Cell::estimate(0.512_345_678_9, 0.012_9, 3)]);
    table.push(vec!["flat, \"plain\" & <slow>".into(), 400u32.into(), Cell::number(1.0 / 3.0, 3)]);
    let claims = [
        Claim::greater(
            Statement::new("UCT beats flat search", "\"always\", figure 2"),
            Measured::with_error(0.61, 0.02),
            0.5,
        ),
        Claim::within(
            Statement::new("exponent of the error", "-0.5"),
            Measured::with_error(-0.4, 0.2),
            -0.5,
            0.1,
        ),
        Claim::less(Statement::new("failure rate", "below 1%"), Measured::exact(0.03), 0.01),
    ];
    let claims = claims.map(|claim| claim.of_paper("ks06", "aji reproduce ks06 --seed 7")).to_vec();
    let section = Section {
        title: "Error by samples".into(),
        prose: vec!["The game is `pgame b=2 d=8`, each leaf drawn once & kept.".into()],
        tables: vec![table],
        figures: vec![win_rates(), errors()],
        claims,
        left_out: Some("Figure 3, for which the paper gives no parameters.".into()),
        ..Section::default()
    };
    let paper = |title: &str| Paper {
        title: title.into(),
        authors: "A. Author and B. Author, ECML 2006".into(),
        sections: vec![section.clone(), Section { title: "Nothing".into(), ..Section::default() }],
    };
    let foot = Foot {
        machine: "a machine, 2 cores".into(),
        version: "0.1.0".into(),
        commit: "0123abc".into(),
        seed: 7,
        time: "2026-01-02 03:04, 12 s".into(),
        command: "aji reproduce all --seed 7".into(),
        quick: true,
    };
    Page {
        title: "Papers, measured again".into(),
        papers: vec![paper("Bandit based planning"), paper("Bandit based planning")],
        foot,
    }
}

/// Compares with a stored file, byte for byte.
fn check_golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("AJI_BLESS").is_some() {
        fs::write(&path, text).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == text, "{} differs from what is drawn; see the head of tests/report.rs", path.display());
}

/// Panics unless every tag is closed in order, attributes are quoted, and `&` begins an entity.
fn check_well_formed(text: &str) {
    const VOID: [&str; 3] = ["meta", "br", "!DOCTYPE"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let inside = &rest[start + 1..];
        let end = inside.find('>').expect("a tag ends");
        let tag = &inside[..end];
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes in <{tag}>");
        assert!(!tag.contains('<'), "< in <{tag}>");
        let name = tag.split([' ', '/', '\n']).find(|word| !word.is_empty()).expect("a tag has a name");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "</{name}>");
        } else if !tag.ends_with('/') && !VOID.contains(&name) {
            open.push(name);
        }
        rest = &inside[end + 1..];
    }
    assert!(open.is_empty(), "left open: {open:?}");
    for entity in text.split('&').skip(1) {
        let known = ["amp;", "lt;", "gt;", "quot;", "apos;", "#39;"];
        assert!(known.iter().any(|name| entity.starts_with(name)), "&{:.10}", entity);
    }
}

/// A directory of a test's own.
fn room(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

#[test]
fn figures_are_drawn_as_stored() {
    for figure in [win_rates(), errors(), many()] {
        let svg = figure.to_svg();
        check_well_formed(&svg);
        check_golden(&format!("{}.svg", figure.name), &svg);
    }
}

#[test]
fn every_series_has_its_legend_and_every_interval_its_bar() {
    let svg = win_rates().to_svg();
    for series in &win_rates().series {
        assert_eq!(svg.matches(&format!("\n{}\n", series.name)).count(), 1, "{}", series.name);
    }
    // A bar is the only line of six corners: two caps and the stroke between.
    let lines = svg.split("<polyline").skip(1).map(|line| line.split("points=\"").nth(1).unwrap());
    let bars = lines.filter(|line| line.split('"').next().unwrap().split_whitespace().count() == 6).count();
    assert_eq!(bars, 4 * 9);
}

#[test]
fn words_are_large_enough_at_half_size_and_no_font_of_a_machine_is_asked_for() {
    let svg = win_rates().to_svg();
    for text in svg.split("<text").skip(1) {
        let attribute =
            |name: &str| text.split(&format!("{name}=\"")).nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(attribute("font-family"), "sans-serif");
        assert!(attribute("font-size").parse::<f64>().unwrap() >= 150.0, "ten units a pixel: {text:.80}");
    }
    assert!(svg.contains("role=\"img\"") && svg.contains("aria-label=\"Win rate"));
    assert!(!svg.contains("id=\""));
}

/// The shaded strip of a range reaches from its low end to its high end, over the whole plot.
#[test]
fn ranges_are_strips() {
    let corners = |low: f64, high: f64| {
        let line = Series::line("l", vec![Point::new(0.0, 0.0), Point::new(10.0, 1.0)]);
        let series = vec![line, Series::span("best", (low, high), 0.5)];
        let svg = Figure { series, ..Figure::default() }.to_svg();
        check_well_formed(&svg);
        let strip =
            svg.split("<polygon").filter(|shape| shape.contains("opacity=\"0.15\"")).nth(1).expect("a strip");
        let corners =
            strip.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("corners");
        let number = |text: &str| text.parse::<i32>().expect("a number");
        let corner = |text: &str| text.split_once(',').map(|(x, y)| (number(x), number(y))).expect("x,y");
        corners.split_whitespace().map(corner).collect::<Vec<_>>()
    };
    let (narrow, wide) = (corners(4.0, 6.0), corners(2.0, 8.0));
    let width = |corners: &[(i32, i32)]| corners[1].0 - corners[0].0;
    assert!((width(&wide) - 3 * width(&narrow)).abs() <= 3, "{narrow:?} {wide:?}");
    assert!(wide[2].1 - wide[1].1 > 2_000, "as high as the plot: {wide:?}");
}

#[test]
fn odd_data_are_drawn_or_left_out_and_counted() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, -1.0, 1.0, 1e300, 1e308, 5e-324];
    let mut clouds: Vec<Vec<Point>> =
        vec![vec![], vec![Point::new(3.0, 7.0)], vec![Point::with_error(1.0, 2.0, f64::NAN); 3]];
    clouds.push((0..60).map(|x| Point::new(f64::from(x), 5.0)).collect());
    clouds
        .push(odd.iter().flat_map(|&x| odd.iter().map(move |&y| Point { x, y, low: x, high: y })).collect());
    for points in clouds {
        for (log_x, log_y) in [(false, false), (true, false), (false, true), (true, true)] {
            let styles = [
                Series::line("l", points.clone()),
                Series::dashed("d", points.clone()),
                Series::dots("o", points.clone()),
                Series { style: Style::Span, ..Series::dots("s", points.clone()) },
            ];
            let figure = Figure {
                x: Axis { label: "x".into(), log: log_x },
                y: Axis { label: "y".into(), log: log_y },
                series: styles.to_vec(),
                ..Figure::default()
            };
            let svg = figure.to_svg();
            check_well_formed(&svg);
            assert!(!svg.contains("NaN") && !svg.contains("inf"));
        }
    }
    check_well_formed(&Figure::default().to_svg());
    assert!(Figure::default().to_svg().contains("no points to draw"));
    assert!(!win_rates().to_svg().contains("no points to draw"));
}

#[test]
fn captions_count_what_is_left_out() {
    let points =
        vec![Point::new(0.0, 1.0), Point::new(-1.0, 1.0), Point::new(1.0, f64::NAN), Point::new(1.0, 1.0)];
    let figure = Figure {
        caption: "C.".into(),
        x: Axis::log("x"),
        series: vec![Series::line("s", points)],
        ..Figure::default()
    };
    let expect =
        "C. Left out, zero or less on a logarithmic axis: 2 points. Left out, not a finite number: 1 point.";
    assert_eq!(figure.full_caption(), expect);
    assert!(figure.to_svg().contains(expect));
    assert_eq!(win_rates().full_caption(), win_rates().caption);
}

#[test]
fn names_cannot_break_out() {
    let evil = "<script>alert(\"1\")</script> & 'x' \u{0}\u{b}| `";
    let mut table = Table::new(evil, &[evil]).with_note(evil);
    table.push(vec![evil.into()]);
    let figure = Figure {
        name: evil.into(),
        title: evil.into(),
        caption: evil.into(),
        x: Axis::linear(evil),
        y: Axis::linear(evil),
        series: vec![Series::line(evil, vec![Point::new(1.0, 1.0)])],
    };
    let claim = Claim::decided(Statement::new(evil, evil), evil.into(), Verdict::Holds, evil);
    let claim = claim.of_paper(evil, evil);
    let section = Section {
        title: evil.into(),
        prose: vec![evil.into()],
        tables: vec![table],
        figures: vec![figure],
        pictures: vec![Picture {
            name: evil.into(),
            title: evil.into(),
            caption: evil.into(),
            svg: "<svg></svg>".into(),
        }],
        claims: vec![claim],
        left_out: Some(evil.into()),
    };
    let paper = Paper { title: evil.into(), authors: evil.into(), sections: vec![section] };
    let markdown = paper.to_markdown();
    // A command is code, where marks mean nothing; anywhere else they are escaped.
    for (index, _) in markdown.match_indices("<script>") {
        assert!(markdown[..index].ends_with('`'), "{markdown}");
    }
    let foot = Foot { machine: evil.into(), command: evil.into(), ..Foot::default() };
    let html = Page::of_paper(paper, foot).to_html();
    assert!(!html.contains("<script") && !html.contains('\u{0}'));
    check_well_formed(&html);
}

#[test]
fn the_page_is_whole_and_its_anchors_are_unique() {
    let html = page().to_html();
    check_well_formed(&html);
    let ids: Vec<&str> = html.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let mut distinct = ids.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), ids.len(), "{ids:?}");
    for target in html.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(ids.contains(&target), "{target}");
    }
    // In the tally once, and of each paper in the contents and below what shows it.
    assert_eq!(html.matches("class=\"verdict holds\">holds<").count(), 1 + 2 * 2);
    assert!(
        html.contains("<b>2</b> <span class=\"verdict open\">open</span></dt><dd>Too few trials"),
        "{html}"
    );
    assert!(html.contains("<dt>To decide it</dt><dd>more than 1,000 times"), "{html}");
    let places =
        ["<nav", "<article", "What was asked", "<figure", "<table", "<h4>Verdicts", "Left out.", "<footer"];
    let places = places.map(|part| html.find(part).unwrap_or_else(|| panic!("{part} in {html}")));
    assert!(places.is_sorted(), "{places:?}");
    for outside in ["src=", "url(", "@import", "<link", "href=\"http"] {
        assert!(!html.contains(outside), "{outside}");
    }
}

#[test]
fn csv_comes_back_in_full_precision() {
    let page = page();
    let table = &page.papers[0].sections[0].tables[0];
    let text = table.to_csv();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    assert_eq!(reader.headers().unwrap(), vec!["agent", "games", "win rate", "win rate error"]);
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows[0][2].parse::<f64>().unwrap(), 0.512_345_678_9);
    assert_eq!(rows[0][3].parse::<f64>().unwrap(), 0.012_9);
    assert_eq!(&rows[1][0], "flat, \"plain\" & <slow>");
    assert_eq!(rows[1][2].parse::<f64>().unwrap(), 1.0 / 3.0);
    assert_eq!(&rows[1][3], "");
}

#[test]
fn claims_are_a_list_of_ten_fields() {
    let json: serde_json::Value = serde_json::from_str(&page().claims_json()).unwrap();
    let claims = json.as_array().unwrap();
    assert_eq!(claims.len(), 6);
    for claim in claims {
        let mut fields: Vec<&str> = claim.as_object().unwrap().keys().map(String::as_str).collect();
        fields.sort_unstable();
        let expect =
            ["claim", "command", "error", "measured", "needs", "paper", "parts", "rule", "said", "verdict"];
        assert_eq!(fields, expect);
        assert!(claim["measured"].is_number());
    }
    let verdicts: Vec<&str> = claims[..3].iter().map(|claim| claim["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["holds", "open", "fails"]);
    assert!(claims[0]["error"].is_number() && claims[2]["error"].is_null());
    let back: Vec<Claim> = serde_json::from_str(&page().claims_json()).unwrap();
    assert!(page().claims().eq(back.iter()));
    let words = Claim::decided(Statement::new("c", "s"), f64::NAN.into(), Verdict::Fails, "r");
    assert_eq!(serde_json::to_value(words).unwrap()["measured"], "NaN");
}

/// Pages written before claims had parts and needs can still be read.
#[test]
fn claims_without_needs_and_parts_are_read() {
    let text = r#"{"paper": "p", "claim": "c", "said": "s", "measured": 1.0, "error": null, "verdict": "partly",
                   "rule": "r", "command": "x"}"#;
    let claim: Claim = serde_json::from_str(text).unwrap();
    assert_eq!((claim.verdict, claim.needs, claim.parts.len()), (Verdict::Partly, None, 0));
}

#[test]
fn a_page_shows_the_parts_of_a_claim() {
    let part = |name: &str, value: f64| {
        let measured = Measured::with_error(value, 0.04).over(400);
        Claim::greater(Statement::new(name, "said"), measured, 0.5)
    };
    let whole = Claim::all_of(Statement::new("stronger", "said"), &[part("hex", 0.6), part("go", 0.52)]);
    let section = Section { title: "S".into(), claims: vec![whole], ..Section::default() };
    let paper = Paper { title: "P".into(), authors: String::new(), sections: vec![section] };
    let html = Page::of_paper(paper.clone(), Foot::default()).to_html();
    check_well_formed(&html);
    for expect in [
        "<span class=\"verdict holds\">holds</span> hex: <b>0.600 ± 0.040</b>",
        "To decide it: about 1,600 trials, where 400 were made.",
    ] {
        assert!(html.contains(expect), "{expect} in {html}");
    }
    assert!(
        paper.to_markdown().contains("**open**; to decide: go: about 1,600 trials, where 400 were made |")
    );
}

#[test]
fn a_page_is_written_whole_and_again_the_same() {
    let directory = room("page").join("not/yet/there");
    page().write(&directory).unwrap();
    let read = |name: &str| fs::read_to_string(directory.join(name)).unwrap();
    assert_eq!(read("index.html"), page().to_html());
    assert_eq!(read("claims.json"), page().claims_json());
    assert_eq!(read("results.md"), page().to_markdown());
    assert_eq!(read("figures/win-rates.svg"), read("figures/win-rates-2.svg"));
    assert_eq!(read("tables/win-rates.csv"), page().papers[0].sections[0].tables[0].to_csv());
    let moved =
        Page { foot: Foot { machine: "another".into(), time: "later".into(), ..page().foot }, ..page() };
    let (svg, csv, json) = (read("figures/errors.svg"), read("tables/win-rates-2.csv"), read("claims.json"));
    moved.write(&directory).unwrap();
    assert_eq!(
        (svg, csv, json),
        (read("figures/errors.svg"), read("tables/win-rates-2.csv"), read("claims.json"))
    );
    assert!(read("index.html").contains("another"));
    for (folder, count) in [(".", 5), ("figures", 4), ("tables", 2)] {
        assert_eq!(fs::read_dir(directory.join(folder)).unwrap().count(), count, "{folder}");
    }
}

/// A picture and a figure of the same name have files of their own, which page and Markdown name alike.
#[test]
fn pictures_are_written_beside_figures() {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>\n";
    let picture = Picture {
        name: "errors".into(),
        title: "A tree".into(),
        caption: "Read it from the left.".into(),
        svg: svg.into(),
    };
    let figure = Figure { name: "errors".into(), ..Figure::default() };
    let section = Section { figures: vec![figure], pictures: vec![picture], ..Section::default() };
    let paper = Paper { sections: vec![section], ..Paper::default() };
    let (page, directory) = (Page::of_paper(paper, Foot::default()), room("pictures"));
    page.write(&directory).unwrap();
    assert_eq!(fs::read_to_string(directory.join("figures/errors-2.svg")).unwrap(), svg);
    let (html, markdown) = (page.to_html(), page.to_markdown());
    check_well_formed(&html);
    assert!(html.contains(svg) && html.contains("href=\"figures/errors-2.svg\""), "{html}");
    assert!(markdown.contains("![A tree](figures/errors-2.svg)\n\nRead it from the left."), "{markdown}");
}

#[test]
fn what_cannot_be_written_is_told_in_a_line() {
    let directory = room("refused");
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("file"), "").unwrap();
    let below = directory.join("file/below");
    let error = page().write(&below).unwrap_err().to_string();
    assert_eq!(error, format!("cannot write {}: not a directory", below.display()));
    // A directory stands where a file should.
    fs::create_dir_all(directory.join("claims.json/full")).unwrap();
    let error = page().write(&directory).unwrap_err().to_string();
    assert_eq!(error, format!("cannot write {}: is a directory", directory.join("claims.json").display()));
    let left = fs::read_dir(&directory)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(".part"));
    assert_eq!(left.count(), 0);
}

#[test]
fn markdown_shows_claims_tables_and_links_to_figures() {
    check_golden("results.md", &page().papers[0].to_markdown());
}
