//! Names of rules for bandits.

use aji_catalog::BanditName;

#[test]
fn names_are_read_and_printed() {
    let check = |text: &str, expect: &[&str]| {
        let names = BanditName::read_all(text).expect(text);
        assert_eq!(names.iter().map(BanditName::to_string).collect::<Vec<_>>(), expect);
        let again = BanditName::read_all(&expect.join(", ")).expect("what was printed");
        assert_eq!(again, names);
    };
    check("ucb1 c=0.5, uniform", &["ucb1(c=0.5)", "uniform"]);
    check("puct(c=1,untried=0) recommend=mean,uniform", &["puct(c=1,untried=0) recommend=mean", "uniform"]);
    check("uniform recommend=mean", &["uniform"]);
}

#[test]
fn mistakes_are_named() {
    let check = |text: &str, expect: &str| {
        assert_eq!(BanditName::read_all(text).expect_err(text).to_string(), expect);
    };
    check("", "the name of the rule is empty");
    check("ucb1,", "the name of the rule is empty");
    check("ucb1 c=x", "rule ucb1: c=x: expected a number from 0 to 1000000");
    check("ucb1 recommend=all", "rule ucb1: recommend=all: expected pulls or mean or posterior");
    check("ucb1(c=1) c=2", "rule ucb1: c= is given twice");
}
