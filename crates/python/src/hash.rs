//! Hashes of positions, by what `hash()` gives. They are the same in every process.
//!
//! Python's own hash does not serve: that of -1 is that of -2, also within a tuple, and that of text differs between
//! processes.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyFrozenSet, PyInt, PyString, PyTuple};

/// Python hashes what is deeper than this: each level takes stack.
const DEPTH_MAX: u32 = 64;

/// Every whole float below this number is an `i64` too.
const WHOLE_MAX: f64 = (1u64 << 63) as f64;

/// What a hash is of, so that values of different types differ. Frozen.
#[derive(Clone, Copy)]
enum Tag {
    None = 1,
    Number,
    LongNumber,
    Float,
    Text,
    Bytes,
    Tuple,
    Set,
    Other,
}

/// A hash of numbers, text, bytes, None, and tuples and frozen sets of them, by their values. Equal numbers have equal
/// hashes. Other objects are hashed by Python.
pub fn hash_of(found: &Bound<'_, PyAny>) -> PyResult<u64> {
    nested(found, DEPTH_MAX)
}

fn nested(found: &Bound<'_, PyAny>, depth: u32) -> PyResult<u64> {
    if let Ok(number) = found.cast::<PyInt>() {
        return whole(number);
    }
    if let Ok(number) = found.cast::<PyFloat>() {
        return Ok(fractional(number.value()));
    }
    if let Ok(text) = found.cast::<PyString>()
        && let Ok(text) = text.to_cow()
    {
        return Ok(of_bytes(Tag::Text, text.as_bytes()));
    }
    if let Ok(bytes) = found.cast::<PyBytes>() {
        return Ok(of_bytes(Tag::Bytes, bytes.as_bytes()));
    }
    if found.is_none() {
        return Ok(join(Tag::None as u64, 0));
    }
    if let Ok(parts) = found.cast::<PyTuple>()
        && depth > 0
    {
        let begin = join(Tag::Tuple as u64, parts.len() as u64);
        return parts.iter().try_fold(begin, |hash, part| Ok(join(hash, nested(&part, depth - 1)?)));
    }
    if let Ok(parts) = found.cast::<PyFrozenSet>()
        && depth > 0
    {
        // The order of a set means nothing.
        let sum = parts
            .iter()
            .try_fold(0u64, |sum, part| PyResult::Ok(sum.wrapping_add(nested(&part, depth - 1)?)))?;
        return Ok(join(join(Tag::Set as u64, parts.len() as u64), sum));
    }
    // Numbers of numpy.
    if let Ok(number) = found.extract::<i64>() {
        return Ok(of_number(number));
    }
    Ok(join(Tag::Other as u64, found.hash()? as u64))
}

fn whole(number: &Bound<'_, PyInt>) -> PyResult<u64> {
    if let Ok(number) = number.extract::<i64>() {
        return Ok(of_number(number));
    }
    let digits: String = number.call_method1("__format__", ("x",))?.extract()?;
    Ok(of_bytes(Tag::LongNumber, digits.as_bytes()))
}

fn fractional(number: f64) -> u64 {
    match number.fract() == 0.0 && (-WHOLE_MAX..WHOLE_MAX).contains(&number) {
        true => of_number(number as i64),
        false => join(Tag::Float as u64, number.to_bits()),
    }
}

fn of_number(number: i64) -> u64 {
    join(Tag::Number as u64, number as u64)
}

fn of_bytes(tag: Tag, bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let words = words.iter().chain([&last]).map(|word| u64::from_le_bytes(*word));
    words.fold(join(tag as u64, bytes.len() as u64), join)
}

/// A hash with one word more. Small words differ in few bits; tables want many.
fn join(hash: u64, word: u64) -> u64 {
    let bits = hash.wrapping_add(0x9E37_79B9_7F4A_7C15) ^ word;
    let bits = (bits ^ (bits >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    let bits = (bits ^ (bits >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    bits ^ (bits >> 32)
}
