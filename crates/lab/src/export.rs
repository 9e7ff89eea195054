//! Exports records as a table for other programs.

use crate::{Error, Journal};
use serde::Serialize;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// Records as CSV: one line per trial, its id first, then a column for each field in the order of the record.
///
/// Text is written as it is, numbers and booleans as in JSON. A missing value (an `Option`, a number that is not
/// finite) is an empty cell. A value that does not fit in a cell, such as a `Vec` or a nested struct, is JSON in its
/// cell. A field that a record leaves out is an empty cell. A record that is not a struct has one column, `record`.
pub fn export_csv<R: Serialize>(records: &[(u64, R)]) -> Result<String, Error> {
    let text = |(trial, record): &(u64, R)| {
        let text = serde_json::to_string(record);
        text.map(|text| (*trial, text)).map_err(|error| Error::new(format!("trial {trial}: {error}")))
    };
    let texts: Vec<(u64, String)> = records.iter().map(text).collect::<Result<_, _>>()?;
    table(texts.into_iter().map(Ok))
}

impl Journal {
    /// Its records as CSV, as [`export_csv`] writes them.
    pub fn csv(&self) -> Result<String, Error> {
        table(self.entries().map(|entry| entry.map(|(trial, entry)| (trial, entry.record))))
    }
}

fn table(records: impl Iterator<Item = Result<(u64, String), Error>>) -> Result<String, Error> {
    let mut columns: Vec<String> = Vec::new();
    let mut rows = Vec::new();
    for record in records {
        let (trial, text) = record?;
        let mut cells = vec![String::new(); columns.len()];
        for (name, value) in fields(&text) {
            let column = columns.iter().position(|column| *column == name).unwrap_or(columns.len());
            if column == columns.len() {
                columns.push(name);
                cells.push(String::new());
            }
            cells[column] = cell(&value);
        }
        rows.push((trial, cells));
    }
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    let head = std::iter::once("trial").chain(columns.iter().map(String::as_str));
    writer.write_record(head).map_err(unwritten)?;
    for (trial, mut cells) in rows {
        cells.resize(columns.len(), String::new());
        cells.insert(0, trial.to_string());
        writer.write_record(&cells).map_err(unwritten)?;
    }
    let bytes = writer.into_inner().map_err(|error| Error::new(format!("CSV: {error}")))?;
    Ok(String::from_utf8(bytes).expect("cells are text"))
}

fn unwritten(error: csv::Error) -> Error {
    Error::new(format!("CSV: {error}"))
}

/// A record's fields in their order. A map of `serde_json` would sort them.
fn fields(text: &str) -> Vec<(String, String)> {
    match serde_json::from_str::<Fields>(text) {
        Ok(Fields(fields)) => fields,
        Err(_) => vec![("record".into(), text.into())],
    }
}

fn cell(json: &str) -> String {
    match json {
        "null" => String::new(),
        _ => serde_json::from_str::<String>(json).unwrap_or_else(|_| json.into()),
    }
}

struct Fields(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fields, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a struct")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    fields.push((name, value.get().to_string()));
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<R: Serialize>(records: &[R], expect: &str) {
        let records: Vec<(u64, &R)> = (3..).zip(records).collect();
        assert_eq!(export_csv(&records).unwrap(), expect);
    }

    #[test]
    fn every_kind_of_field() {
        #[derive(Serialize)]
        struct Row {
            winner: Option<String>,
            mean: f64,
            fair: bool,
            counts: Vec<u32>,
            at: (u8, Option<u8>),
        }
        let row = |winner: Option<&str>, mean, counts: &[u32]| Row {
            winner: winner.map(str::to_string),
            mean,
            fair: mean > 0.0,
            counts: counts.to_vec(),
            at: (1, None),
        };
        let rows = [
            row(Some("Left"), 0.1, &[1, 2]),
            row(None, f64::NAN, &[]),
            row(Some("a \"b\", c\nd"), -2.0, &[7]),
        ];
        let expect = "trial,winner,mean,fair,counts,at\n\
            3,Left,0.1,true,\"[1,2]\",\"[1,null]\"\n\
            4,,,false,[],\"[1,null]\"\n\
            5,\"a \"\"b\"\", c\nd\",-2.0,false,[7],\"[1,null]\"\n";
        check(&rows, expect);
    }

    #[test]
    fn records_that_are_no_structs() {
        check::<u8>(&[], "trial\n");
        check(&[1.5, 2.0], "trial,record\n3,1.5\n4,2.0\n");
        check(&["a", "b,c"], "trial,record\n3,a\n4,\"b,c\"\n");
    }

    #[test]
    fn fields_that_come_and_go() {
        let records = [r#"{"b":1}"#, r#"{"a":{"x":[1]},"b":2}"#, r#"{"c":"","a":null}"#];
        let records: Vec<Box<RawValue>> =
            records.iter().map(|text| RawValue::from_string(text.to_string()).unwrap()).collect();
        check(&records, "trial,b,a,c\n3,1,,\n4,2,\"{\"\"x\"\":[1]}\",\n5,,,\n");
    }
}
