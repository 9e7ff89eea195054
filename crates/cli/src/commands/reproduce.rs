//! `aji reproduce`: runs a paper's studies, and says which of its claims hold.

use crate::machine::{machine, now};
use crate::output::{print, table};
use crate::progress::{Bar, duration, note};
use crate::stop;
use crate::trials::{Running, origin};
use aji_catalog::unknown;
use aji_lab::report::{Claim, Foot, Page, Paper as Measured, Section, Table, Verdict};
use aji_lab::{Error, Header, Lab, Runner, Scale, Shard};
use aji_papers::{PAPERS, Paper, Study, find};
use anyhow::{Result, anyhow, bail};
use clap::Args;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Run a paper's experiments again, and judge its claims
#[derive(Args)]
#[command(
    after_help = "Writes to DIR: index.html, one page that needs no other file; results.md, the same for a README; claims.json;
tables/*.csv; figures/*.svg; and journals/, from which a stopped or killed run continues. Runs with --quick, with
another seed, and of other papers have separate journals.

Examples:
  aji reproduce --list
  aji reproduce strass2026 --quick
  aji reproduce tolpin2012 --study go
  aji reproduce all --out results --seed 7 --threads 8"
)]
pub struct Options {
    /// The paper, or all; `aji list papers` shows them, and --list how long they take
    paper: Option<String>,

    /// Only these studies of the paper, separated by commas; `aji list papers` names them. The page then shows no
    /// others
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    study: Vec<String>,

    /// The same studies with fewer trials and so larger errors: a minute instead of hours
    #[arg(long)]
    quick: bool,

    /// The folder to write to
    #[arg(long, value_name = "DIR", default_value = DEFAULT_OUT)]
    out: PathBuf,

    #[command(flatten)]
    running: Running,

    /// Of the first experiment that is not complete, run only this part of the trials, such as 1/3 or 100..200, and end. Join
    /// its journals with `aji merge`; the same command then goes on
    #[arg(long, value_name = "I/N", conflicts_with = "fresh")]
    shard: Option<Shard>,

    /// Delete the journals of an earlier run with the same options, and begin again
    #[arg(long)]
    fresh: bool,

    /// Only list the studies that would run, and how long they take
    #[arg(long)]
    list: bool,

    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// The folder to which reports are written.
pub const DEFAULT_OUT: &str = "reproduction";

impl Options {
    /// The paper that was asked for; all if none was named for --list.
    fn paper(&self) -> &str {
        self.paper.as_deref().unwrap_or("all")
    }

    fn scale(&self) -> Scale {
        if self.quick { Scale::Quick } else { Scale::Full }
    }

    /// The folder of a paper's journals: one for all runs that can go on from each other.
    fn journals(&self, paper: &Paper) -> PathBuf {
        let run = format!("{}-seed-{}", self.scale().pick("quick", "full"), self.running.seed());
        self.out.join("journals").join(run).join(paper.name)
    }

    /// The studies of a paper that are asked for.
    fn studies<'a>(&self, paper: &'a Paper) -> Vec<&'a Study> {
        let is_asked =
            |study: &&Study| self.study.is_empty() || self.study.iter().any(|name| name == study.name);
        paper.studies.iter().filter(is_asked).collect()
    }

    /// Refuses names of studies that no paper has.
    fn check_studies(&self, papers: &[Paper]) -> Result<()> {
        let known: Vec<&str> =
            papers.iter().flat_map(|paper| paper.studies).map(|study| study.name).collect();
        match self.study.iter().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(unknown("study", name, &known).into()),
            None => Ok(()),
        }
    }

    /// The command that gives the same numbers.
    fn command(&self) -> String {
        let mut command = format!("aji reproduce {}", self.paper());
        if !self.study.is_empty() {
            command += &format!(" --study {}", self.study.join(","));
        }
        if self.quick {
            command += " --quick";
        }
        if self.out != Path::new(DEFAULT_OUT) {
            command += &format!(" --out {}", quoted(&self.out.to_string_lossy()));
        }
        command + &format!(" --seed {}", self.running.seed())
    }
}

/// A word, quoted for a shell.
fn quoted(text: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "/._-".contains(character);
    if text.chars().all(is_plain) { text.into() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// Runs the studies, writes the page, and prints the claims.
pub fn run(options: &Options) -> Result<()> {
    if options.paper.is_none() && !options.list {
        let known: Vec<&str> = PAPERS.iter().map(|paper| paper.name).collect();
        bail!("which paper? expected {} or all (see aji reproduce --help)", known.join(", "));
    }
    let papers = find(options.paper())?;
    options.check_studies(papers)?;
    if options.list {
        return list(papers, options);
    }
    let begun = Instant::now();
    let page = match reproduce(papers, options, stop::flag()) {
        Ok(page) => page,
        Err(error) => return ended(error),
    };
    let at = options.out.join("index.html");
    if options.json {
        return print(&json(&page, &at, begun.elapsed().as_secs_f64())?);
    }
    print(&format!("{}\nthe page: {}\n", text(&page), at.display()))
}

/// Tells of a part of the trials that was run as asked. Other errors stay errors.
fn ended(error: anyhow::Error) -> Result<()> {
    match error.downcast_ref::<Error>().filter(|error| error.is_part()) {
        Some(part) => print(&format!("{part}\n")),
        None => Err(error),
    }
}

/// About how long studies take here.
fn cost<'a>(studies: impl IntoIterator<Item = &'a Study>, scale: Scale, threads: usize) -> f64 {
    let seconds = |study: &Study| scale.pick(study.seconds.0, study.seconds.1);
    // More threads than cores are no faster.
    let cores = std::thread::available_parallelism().map_or(threads, usize::from);
    studies.into_iter().map(seconds).sum::<f64>() / threads.min(cores) as f64
}

/// "strass2026: 7 studies, about 40 s on 2 threads".
fn told_cost(paper: &Paper, options: &Options) -> String {
    let (asked, threads) = (options.studies(paper), options.running.threads());
    let count = asked.len();
    let studies = if count == 1 { "study" } else { "studies" };
    let time = duration(cost(asked.iter().copied(), options.scale(), threads));
    let plural = if threads == 1 { "" } else { "s" };
    let full = duration(cost(asked, Scale::Full, threads));
    let rest = if options.quick { format!("; in full, with more trials, {full}") } else { String::new() };
    format!("{}: {count} {studies}, about {time} on {threads} thread{plural}{rest}", paper.name)
}

#[derive(Serialize)]
struct Listed<'a> {
    paper: &'a str,
    study: &'a str,
    quick_seconds: f64,
    full_seconds: f64,
}

/// Prints the studies that would run, with their times.
fn list(papers: &[Paper], options: &Options) -> Result<()> {
    let threads = options.running.threads();
    let all = || {
        papers.iter().flat_map(|paper| options.studies(paper).into_iter().map(move |study| (paper, study)))
    };
    if options.json {
        let listed: Vec<Listed> = all()
            .map(|(paper, study)| Listed {
                paper: paper.name,
                study: study.name,
                quick_seconds: cost([study], Scale::Quick, threads),
                full_seconds: cost([study], Scale::Full, threads),
            })
            .collect();
        return print(&(serde_json::to_string(&listed)? + "\n"));
    }
    let times = |study: &Study| {
        [Scale::Quick, Scale::Full].map(|scale| duration(cost([study], scale, threads))).to_vec()
    };
    let rows =
        all().map(|(paper, study)| [vec![format!("{} {}", paper.name, study.name)], times(study)].concat());
    let told: String = papers.iter().map(|paper| told_cost(paper, options) + "\n").collect();
    print(&format!("{}\n{told}", table(&["study", "with --quick", "in full"], rows)))
}

/// Runs the studies of papers and writes their page.
fn reproduce(papers: &[Paper], options: &Options, stop: &AtomicBool) -> Result<Page> {
    let begun = Instant::now();
    prepare(papers, options)?;
    let mut measured = Vec::new();
    let is_left_out = |paper: &&Paper| !options.study.is_empty() && options.studies(paper).is_empty();
    for paper in papers.iter().filter(|paper| !is_left_out(paper)) {
        note(&told_cost(paper, options));
        let sections = sections(paper, options, stop)?;
        measured.push(Measured { title: paper.title.into(), authors: paper.authors.into(), sections });
    }
    let origin = origin();
    let foot = Foot {
        machine: machine(),
        version: origin.version,
        commit: if origin.commit.is_empty() { "unknown".into() } else { origin.commit },
        seed: options.running.seed(),
        time: format!("{}, after {}", now(), duration(begun.elapsed().as_secs_f64())),
        command: options.command(),
        quick: options.quick,
    };
    let title = if let [paper] = papers { paper.title } else { "What aji reproduces" };
    let page = Page { title: title.into(), papers: measured, foot };
    // The one line of the error already names the cause.
    page.write(&options.out).map_err(|error| anyhow!("{error}"))?;
    Ok(page)
}

/// Runs the studies of one paper.
fn sections(paper: &Paper, options: &Options, stop: &AtomicBool) -> Result<Vec<Section>> {
    let bar = Bar::new(paper.name);
    let lab = Lab {
        runner: Runner { shard: options.shard.unwrap_or_default(), ..options.running.runner() },
        scale: options.scale(),
        journals: Some(options.journals(paper)),
        progress: &bar,
        stop,
    };
    let mut sections = Vec::new();
    let studies = options.studies(paper);
    for (index, study) in studies.iter().enumerate() {
        let place = format!("{} {} of {}", paper.name, index + 1, studies.len());
        bar.label(&place);
        let begun = Instant::now();
        let section = study.measure(paper, &lab).map_err(|error| match stop.load(Ordering::Relaxed) {
            _ if error.is_part() => error.into(),
            // After a request to stop, any error is a consequence of it. The user needs to know only how to continue.
            true => {
                let without = if options.fresh { " without --fresh" } else { "" };
                anyhow!(
                    "{}: stopped in {}; the same command{without} continues from there",
                    paper.name,
                    study.name
                )
            }
            false => anyhow!("{} {}: {error}", paper.name, study.name),
        })?;
        note(&format!("{place}: {}, {}", study.name, duration(begun.elapsed().as_secs_f64())));
        sections.push(section);
    }
    Ok(sections)
}

/// Makes the folders. Before any study runs, refuses a folder that cannot be written and journals that this program
/// cannot continue.
fn prepare(papers: &[Paper], options: &Options) -> Result<()> {
    let out = &options.out;
    let unwritable = |error| anyhow!("--out {}: cannot write there: {error}", out.display());
    if out.join("index.html").exists() && !out.join("claims.json").exists() {
        bail!("--out {}: has an index.html that aji did not write; name another folder", out.display());
    }
    fs::create_dir_all(out).map_err(unwritable)?;
    let probe = out.join(format!(".aji.{}.part", std::process::id()));
    fs::write(&probe, "").and_then(|()| fs::remove_file(&probe)).map_err(unwritable)?;
    for paper in papers {
        let folder = options.journals(paper);
        fs::create_dir_all(&folder).map_err(unwritable)?;
        let journals = journals(&folder).map_err(unwritable)?;
        if options.fresh {
            journals.iter().try_for_each(fs::remove_file).map_err(unwritable)?;
        } else if !journals.is_empty() {
            journals.iter().try_for_each(|path| check_origin(path))?;
            note(&format!("continuing from the journals in {}; --fresh begins again", folder.display()));
        }
    }
    Ok(())
}

/// The journals in a folder.
fn journals(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let paths = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let is_journal = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "jsonl");
    let mut journals: Vec<PathBuf> = paths.collect::<Result<_, _>>()?;
    journals.retain(is_journal);
    journals.sort();
    Ok(journals)
}

/// Refuses a journal of another version: it may measure differently, and a page must not mix records of both.
fn check_origin(path: &Path) -> Result<()> {
    let Some(header) = Header::of_file(path)? else { return Ok(()) };
    let origin = origin();
    if (&header.version, &header.commit) == (&origin.version, &origin.commit) {
        return Ok(());
    }
    let told = |version: &str, commit: &str| match commit {
        "" => format!("{version} of an unknown commit"),
        _ => format!("{version} of commit {commit}"),
    };
    bail!(
        "{}: a journal of aji {}, and this is aji {}; --fresh deletes it and begins again, --out DIR keeps it",
        path.display(),
        told(&header.version, &header.commit),
        told(&origin.version, &origin.commit)
    )
}

#[derive(Serialize)]
struct Reproduced<'a> {
    page: &'a Path,
    quick: bool,
    seed: u64,
    version: &'a str,
    commit: &'a str,
    seconds: f64,
    claims: Vec<&'a Claim>,
}

fn json(page: &Page, at: &Path, seconds: f64) -> Result<String> {
    let Foot { version, commit, seed, quick, .. } = &page.foot;
    let claims = page.claims().collect();
    let reproduced = Reproduced { page: at, quick: *quick, seed: *seed, version, commit, seconds, claims };
    Ok(serde_json::to_string(&reproduced)? + "\n")
}

/// The claims of each paper in a table, and how many hold.
fn text(page: &Page) -> String {
    let mut text = String::new();
    for paper in &page.papers {
        let mut table = Table::new(&paper.title, &["claim", "the paper says", "measured", "verdict"]);
        for claim in paper.claims() {
            let verdict = claim.verdict.to_string();
            table.push(vec![
                claim.claim.as_str().into(),
                claim.said.as_str().into(),
                claim.shown().into(),
                verdict.into(),
            ]);
        }
        text += &(table.to_text() + "\n");
    }
    text += &Verdict::tally(page.claims().map(|claim| claim.verdict));
    if page.claims().any(|claim| claim.needs.is_some()) {
        text += "\nopen: too few trials to tell; the page says how many would decide each claim";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_lab::report::{Cell, Measured as Value, Statement};
    use aji_lab::{Experiment, Trial};
    use clap::Parser;
    use std::process::{Command, Stdio};
    use std::time::Duration;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    struct Dice {
        rolls: u64,
    }

    impl Experiment for Dice {
        type Record = usize;

        fn name(&self) -> String {
            "dice-rolls".into()
        }

        fn parameters(&self) -> serde_json::Value {
            serde_json::json!({ "rolls": self.rolls })
        }

        fn trials(&self) -> u64 {
            self.rolls
        }

        fn run(&self, trial: Trial) -> Result<usize, Error> {
            // Slow enough to be interrupted.
            std::thread::sleep(Duration::from_millis(2));
            Ok(1 + trial.rng().below(6))
        }
    }

    fn dice(lab: &Lab) -> Result<Section, Error> {
        let rolls = lab.run(&Dice { rolls: lab.scale.pick(100, 200) })?;
        let mean = rolls.iter().sum::<usize>() as f64 / rolls.len() as f64;
        let mut table = Table::new("Rolls", &["rolls", "mean"]);
        table.push(vec![rolls.len().into(), Cell::number(mean, 2)]);
        let statement = Statement::new("a die shows more than 3", "3.5");
        let claims = vec![Claim::greater(statement, Value::exact(mean), 3.0)];
        Ok(Section { title: "Dice".into(), tables: vec![table], claims, ..Section::default() })
    }

    fn broken(_: &Lab) -> Result<Section, Error> {
        Err(Error::new("the die fell off the table"))
    }

    const DICE: Paper = Paper {
        name: "dice",
        title: "On dice",
        authors: "Nobody, 2026",
        studies: &[Study { name: "rolls", seconds: (0.2, 400.0), run: dice }],
    };

    const BROKEN: Paper =
        Paper { studies: &[Study { name: "fall", seconds: (0.0, 0.0), run: broken }], ..DICE };

    /// A folder that goes away at the end of its test.
    struct Room(PathBuf);

    impl Room {
        fn new(name: &str) -> Room {
            let path = std::env::temp_dir().join(format!("aji-reproduce-{}-{name}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            Room(path)
        }

        fn options(&self, more: &[&str]) -> Options {
            options(&self.0, more)
        }

        fn journal(&self) -> PathBuf {
            self.0.join("journals/full-seed-7/dice/dice-rolls.jsonl")
        }

        /// How many trials the journal holds by now.
        fn recorded(&self) -> usize {
            fs::read_to_string(self.journal()).unwrap_or_default().lines().skip(1).count()
        }

        /// The files that must not depend on where, when and how often the run was started.
        fn contents(&self) -> [String; 4] {
            let paths = ["claims.json", "results.md", "tables/rolls.csv"].map(|name| self.0.join(name));
            let [claims, results, rolls] = paths.map(|path| fs::read_to_string(path).unwrap());
            [claims, results, rolls, fs::read_to_string(self.journal()).unwrap()]
        }
    }

    impl Drop for Room {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn options(out: &Path, more: &[&str]) -> Options {
        let out = out.to_str().unwrap();
        let line = [&["aji", "dice", "--seed", "7", "--threads", "1", "--out", out], more].concat();
        Line::try_parse_from(line).unwrap().options
    }

    fn reproduced(options: &Options) -> Result<Page> {
        reproduce(&[DICE], options, &AtomicBool::new(false))
    }

    #[test]
    fn a_page_with_claims_and_how_it_was_made() {
        let room = Room::new("page");
        let options = room.options(&["--quick"]);
        let page = reproduced(&options).unwrap();
        let html = fs::read_to_string(room.0.join("index.html")).unwrap();
        for expect in ["On dice", "a die shows more than 3", "holds", "--quick", "--seed 7", "UTC"] {
            assert!(html.contains(expect), "{expect} in {html}");
        }
        let told = text(&page);
        assert!(
            told.contains("On dice\n") && told.ends_with("holds: 1, partly: 0, fails: 0, open: 0"),
            "{told}"
        );
        let json: serde_json::Value =
            serde_json::from_str(&json(&page, Path::new("x"), 1.0).unwrap()).unwrap();
        assert_eq!((&json["claims"][0]["verdict"], &json["seed"]), (&"holds".into(), &7.into()));
        // A full run has separate journals, and continues none of these.
        reproduced(&room.options(&[])).unwrap();
        assert_eq!(room.recorded(), 200);
        assert!(room.0.join("journals/quick-seed-7/dice/dice-rolls.jsonl").exists());
    }

    #[test]
    fn open_claims_are_explained() {
        let statement = || Statement::new("a die shows more than 3", "3.5");
        let last_line = |mean: f64| {
            let claim = Claim::greater(statement(), Value::with_error(mean, 0.2), 3.0);
            let section = Section { claims: vec![claim], ..Section::default() };
            let page =
                Page::of_paper(Measured { sections: vec![section], ..Measured::default() }, Foot::default());
            text(&page).lines().last().map(str::to_string).unwrap_or_default()
        };
        assert_eq!(last_line(3.5), "holds: 1, partly: 0, fails: 0, open: 0");
        assert_eq!(
            last_line(3.1),
            "open: too few trials to tell; the page says how many would decide each claim"
        );
    }

    #[test]
    fn some_studies_only() {
        let room = Room::new("study");
        let asked = |name: &str| {
            let options = room.options(&["--study", name]);
            let count = options.studies(&DICE).len();
            (count, options.check_studies(&[DICE]).map_err(|error| error.to_string()), options.command())
        };
        let (count, known, command) = asked("rolls");
        assert!(count == 1 && known.is_ok() && command.contains("dice --study rolls"), "{command}");
        let error = asked("roll").1.unwrap_err();
        assert!(error.contains("unknown study \"roll\"; did you mean rolls?"), "{error}");
        // A paper that has none of them is left out.
        let page = reproduce(
            &[BROKEN, DICE],
            &room.options(&["--quick", "--study", "rolls"]),
            &AtomicBool::new(false),
        );
        assert_eq!(page.unwrap().papers.len(), 1);
    }

    #[test]
    fn costs_are_told() {
        let room = Room::new("costs");
        let check = |more: &[&str], expect: &str| assert_eq!(told_cost(&DICE, &room.options(more)), expect);
        check(&[], "dice: 1 study, about 7 min on 1 thread");
        check(&["--quick"], "dice: 1 study, about 1 s on 1 thread; in full, with more trials, 7 min");
    }

    #[test]
    fn commands_can_be_pasted() {
        let check = |out: &str, more: &[&str], expect: &str| {
            assert_eq!(options(Path::new(out), more).command(), expect);
        };
        check("reproduction", &["--quick", "--fresh"], "aji reproduce dice --quick --seed 7");
        check("a/b-c.d", &[], "aji reproduce dice --out a/b-c.d --seed 7");
        check("it's here", &[], r"aji reproduce dice --out 'it'\''s here' --seed 7");
    }

    #[test]
    fn stopped_runs_go_on_to_the_same_bytes() {
        let (whole, parted) = (Room::new("whole"), Room::new("parted"));
        reproduced(&whole.options(&[])).unwrap();
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while parted.recorded() < 10 {
                    std::thread::sleep(Duration::from_millis(1));
                }
                stop.store(true, Ordering::Relaxed);
            });
            let error = reproduce(&[DICE], &parted.options(&["--fresh"]), &stop).unwrap_err().to_string();
            assert_eq!(
                error,
                "dice: stopped in rolls; the same command without --fresh continues from there"
            );
        });
        assert!((10..200).contains(&parted.recorded()) && !parted.0.join("index.html").exists());
        reproduced(&parted.options(&[])).unwrap();
        assert_eq!(whole.contents(), parted.contents());
        // A second run takes everything from the journals.
        reproduced(&parted.options(&[])).unwrap();
        assert_eq!(whole.contents(), parted.contents());
    }

    #[test]
    fn shards_join_to_the_same_bytes() {
        let (whole, parted) = (Room::new("unsharded"), Room::new("sharded"));
        reproduced(&whole.options(&[])).unwrap();
        let run = |room: &Room, shard: &str| {
            let error = reproduced(&room.options(&["--shard", shard])).unwrap_err();
            let told = "dice-rolls: shard SHARD is in its journal; join the shards with aji merge, and the same command goes on";
            assert_eq!(error.to_string(), told.replace("SHARD", shard));
            assert!(ended(error).is_ok() && !room.0.join("index.html").exists());
            fs::read_to_string(room.journal()).unwrap()
        };
        let header = run(&parted, "0..0");
        assert_eq!(header.lines().count(), 1);
        let parts = ["1/3", "2/3", "3/3"].map(|shard| {
            let part = run(&Room::new(&shard.replace('/', "-of-")), shard);
            assert!(part.starts_with(&header) && [67, 68].contains(&part.lines().count()), "{shard}");
            part[header.len()..].to_string()
        });
        fs::write(parted.journal(), header + &parts.concat()).unwrap();
        reproduced(&parted.options(&["--shard", "2/3"])).unwrap();
        assert_eq!(whole.contents(), parted.contents());
    }

    const CHILD_OUT: &str = "AJI_TEST_CHILD_OUT";

    /// The process that the next test kills.
    #[test]
    #[ignore = "run by killed_runs_go_on_to_the_same_bytes"]
    fn child() {
        if let Some(out) = std::env::var_os(CHILD_OUT) {
            reproduced(&options(Path::new(&out), &[])).unwrap();
        }
    }

    #[test]
    fn killed_runs_go_on_to_the_same_bytes() {
        let (whole, killed) = (Room::new("unkilled"), Room::new("killed"));
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "commands::reproduce::tests::child", "--ignored"])
            .env(CHILD_OUT, &killed.0)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while killed.recorded() < 10 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!((10..200).contains(&killed.recorded()), "{} trials", killed.recorded());
        reproduced(&killed.options(&[])).unwrap();
        reproduced(&whole.options(&[])).unwrap();
        assert_eq!(whole.contents(), killed.contents());
    }

    #[test]
    fn journals_of_another_program_are_refused_with_a_way_out() {
        let room = Room::new("foreign");
        reproduced(&room.options(&[])).unwrap();
        let text = fs::read_to_string(room.journal()).unwrap();
        let own = format!("\"commit\":\"{}\"", origin().commit);
        fs::write(room.journal(), text.replace(&own, "\"commit\":\"0123456789\"")).unwrap();
        let error = reproduced(&room.options(&[])).unwrap_err().to_string();
        assert!(error.contains("of commit 0123456789, and this is aji"), "{error}");
        assert!(error.ends_with("--fresh deletes it and begins again, --out DIR keeps it"), "{error}");
        reproduced(&room.options(&["--fresh"])).unwrap();
        assert_eq!(fs::read_to_string(room.journal()).unwrap(), text);
    }

    #[test]
    fn what_goes_wrong_is_told_with_its_study() {
        let room = Room::new("broken");
        let error = reproduce(&[BROKEN], &room.options(&[]), &AtomicBool::new(false)).unwrap_err();
        assert_eq!(error.to_string(), "dice fall: the die fell off the table");
    }

    #[test]
    fn several_papers_and_none() {
        let room = Room::new("several");
        let other = Paper { name: "other", title: "On other dice", studies: &[], ..DICE };
        let page = reproduce(&[DICE, other], &room.options(&[]), &AtomicBool::new(false)).unwrap();
        assert_eq!((page.title.as_str(), page.claims().count()), ("What aji reproduces", 1));
        assert!(text(&page).contains("On other dice"));
    }
}
