//! The two loops that compute all layers, on tiles that stay in registers.
//!
//! [`Layout`] says where the rows of a layer begin: a row of its input is `depth` numbers for each tap, a row of its
//! output is `width` numbers. For a convolution a row is a cell, and the taps are the cell and its neighbours. For a
//! dense layer a row is a position, and there is one tap.
//!
//! - [`multiply`]: output row = bias + sum over taps and depth of input * weight. Every output is one sum, in the
//!   order of taps and then of depth, so that a row's result does not depend on the rows beside it.
//! - [`accumulate`]: gradient of a weight = sum over rows of input * gradient of the output, in the order of the rows.
//!
//! Both give the same bits on every CPU (`fused.rs`).

use crate::fused::{Cpu, LANES};
use aji_cpu::dispatch;
use std::array::from_fn;

/// Outputs that are computed together: two vectors.
pub const BLOCK: usize = 2 * LANES;

/// Rows that are computed together. With two vectors each, 12 of the 16 registers are sums.
const ROWS: usize = 6;

/// Inputs whose weights' gradients are computed together.
const INPUTS: usize = 4;

/// Rows whose numbers stay in the L1 cache while the gradients of all weights are computed.
const ROWS_CACHED: usize = 96;

/// Where the rows of a layer's input and output begin.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'a> {
    /// Where each row's first tap begins in the input.
    pub inputs: &'a [u32],
    /// Where each row begins in the output.
    pub outputs: &'a [u32],
    /// The distance of each tap from the first.
    pub taps: &'a [u32],
    /// The numbers per tap.
    pub depth: usize,
    /// The numbers per output row: a multiple of [`LANES`].
    pub width: usize,
}

/// How a sum is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// As it is.
    Store,
    /// As 0 if it is negative (a rectifier).
    Relu,
    /// Added to the stored number, then as 0 if negative.
    AddRelu,
    /// Added to the stored number.
    Add,
}

struct Loops;

impl Loops {
    dispatch! {
        fn add_rows, add_rows_v3(places: &[u32], weights: &[f32], bias: &[f32], output: &mut [f32]) = add_rows_by
    }

    dispatch! {
        fn multiply, multiply_v3(input: &[f32], layout: Layout, weights: &[f32], bias: &[f32], finish: Finish, output: &mut [f32]) = multiply_by
    }

    dispatch! {
        fn accumulate, accumulate_v3(input: &[f32], layout: Layout, output: &[f32], gradient: &mut [f32]) = accumulate_by
    }
}

/// Computes all rows of a layer's output. `weights` are packed ([`pack`]); `bias` has `width` numbers.
pub fn multiply(
    input: &[f32],
    layout: Layout,
    weights: &[f32],
    bias: &[f32],
    finish: Finish,
    output: &mut [f32],
) {
    Loops::multiply(input, layout, weights, bias, finish, output);
}

/// Adds the gradients of all weights, in the order tap, depth, width, for this gradient of the output.
pub fn accumulate(input: &[f32], layout: Layout, output: &[f32], gradient: &mut [f32]) {
    Loops::accumulate(input, layout, output, gradient);
}

/// Computes an output row for an input that is 1 at these places and 0 elsewhere. It gives the same bits as
/// [`multiply`] with [`Finish::Relu`].
pub fn add_rows(places: &[u32], weights: &[f32], bias: &[f32], output: &mut [f32]) {
    Loops::add_rows(places, weights, bias, output);
}

/// Weights in the order in which [`multiply`] reads them: blocks of outputs, and in each the taps and their depth.
pub fn pack(weights: &[f32], width: usize, packed: &mut Vec<f32>) {
    packed.clear();
    let mut start = 0;
    while start < width {
        let block = BLOCK.min(width - start);
        for row in weights.chunks_exact(width) {
            packed.extend_from_slice(&row[start..start + block]);
        }
        start += block;
    }
}

#[inline(always)]
fn multiply_by<C: Cpu>(
    cpu: C,
    input: &[f32],
    layout: Layout,
    weights: &[f32],
    bias: &[f32],
    finish: Finish,
    output: &mut [f32],
) {
    let (mut start, mut from) = (0, 0);
    while start < layout.width {
        let block = BLOCK.min(layout.width - start);
        let to = from + layout.taps.len() * layout.depth * block;
        let (weights, bias) = (&weights[from..to], &bias[start..start + block]);
        match block {
            BLOCK => tiles::<2, C>(cpu, input, layout, start, weights, bias, finish, output),
            _ => tiles::<1, C>(cpu, input, layout, start, weights, bias, finish, output),
        }
        (start, from) = (start + block, to);
    }
}

/// All rows of a block of outputs.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the parts of one loop")]
fn tiles<const VECTORS: usize, C: Cpu>(
    cpu: C,
    input: &[f32],
    layout: Layout,
    start: usize,
    weights: &[f32],
    bias: &[f32],
    finish: Finish,
    output: &mut [f32],
) {
    let (rows, mut row) = (layout.inputs.len(), 0);
    while row + ROWS <= rows {
        tile::<ROWS, VECTORS, C>(cpu, input, layout, row, start, weights, bias, finish, output);
        row += ROWS;
    }
    while row < rows {
        tile::<1, VECTORS, C>(cpu, input, layout, row, start, weights, bias, finish, output);
        row += 1;
    }
}

#[inline(always)]
fn add_rows_by<C: Cpu>(_cpu: C, places: &[u32], weights: &[f32], bias: &[f32], output: &mut [f32]) {
    let width = output.len();
    output.copy_from_slice(bias);
    for &place in places {
        let row = &weights[place as usize * width..][..width];
        for (sum, weight) in output.iter_mut().zip(row) {
            *sum += weight;
        }
    }
    for sum in output {
        *sum = sum.max(0.0);
    }
}

/// Some rows of a block of outputs.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the innermost loop: everything stays in registers")]
fn tile<const COUNT: usize, const VECTORS: usize, C: Cpu>(
    cpu: C,
    input: &[f32],
    layout: Layout,
    first: usize,
    start: usize,
    weights: &[f32],
    bias: &[f32],
    finish: Finish,
    output: &mut [f32],
) {
    let bias = bias.as_chunks::<LANES>().0;
    let mut sums: [[C::Vector; VECTORS]; COUNT] = [from_fn(|vector| cpu.load(&bias[vector])); COUNT];
    let (depth, mut done) = (layout.depth, 0);
    let from: [usize; COUNT] = from_fn(|row| layout.inputs[first + row] as usize);
    for tap in layout.taps {
        let rows: [&[f32]; COUNT] = from_fn(|row| &input[from[row] + *tap as usize..][..depth]);
        let weights = &weights.as_chunks::<LANES>().0[done..done + depth * VECTORS];
        done += depth * VECTORS;
        // Eight numbers of each row at a time, so that the compiler drops the bounds checks.
        let eights: [&[[f32; LANES]]; COUNT] = from_fn(|row| rows[row].as_chunks::<LANES>().0);
        for (eight, weights) in weights.chunks_exact(LANES * VECTORS).enumerate() {
            let factors: [&[f32; LANES]; COUNT] = from_fn(|row| &eights[row][eight]);
            for place in 0..LANES {
                add_products(cpu, &mut sums, &weights[place * VECTORS..], from_fn(|row| factors[row][place]));
            }
        }
        for place in depth - depth % LANES..depth {
            add_products(cpu, &mut sums, &weights[place * VECTORS..], from_fn(|row| rows[row][place]));
        }
    }
    for row in 0..COUNT {
        let to = layout.outputs[first + row] as usize + start;
        let stored = &mut output[to..to + VECTORS * LANES];
        for (stored, &sum) in stored.as_chunks_mut::<LANES>().0.iter_mut().zip(&sums[row]) {
            let mut sums = [0.0; LANES];
            cpu.store(sum, &mut sums);
            for lane in 0..LANES {
                let sum = match finish {
                    Finish::Store | Finish::Relu => sums[lane],
                    Finish::Add | Finish::AddRelu => sums[lane] + stored[lane],
                };
                stored[lane] = match finish {
                    Finish::Store | Finish::Add => sum,
                    Finish::Relu | Finish::AddRelu => sum.max(0.0),
                };
            }
        }
    }
}

/// Adds each factor's product with the first vectors of weights to the sums of its row.
#[inline(always)]
fn add_products<const COUNT: usize, const VECTORS: usize, C: Cpu>(
    cpu: C,
    sums: &mut [[C::Vector; VECTORS]; COUNT],
    weights: &[[f32; LANES]],
    factors: [f32; COUNT],
) {
    let weights: [C::Vector; VECTORS] = from_fn(|vector| cpu.load(&weights[vector]));
    for row in 0..COUNT {
        for vector in 0..VECTORS {
            sums[row][vector] = cpu.add_product(sums[row][vector], factors[row], weights[vector]);
        }
    }
}

#[inline(always)]
fn accumulate_by<C: Cpu>(cpu: C, input: &[f32], layout: Layout, output: &[f32], gradient: &mut [f32]) {
    for (inputs, outputs) in layout.inputs.chunks(ROWS_CACHED).zip(layout.outputs.chunks(ROWS_CACHED)) {
        accumulate_rows(cpu, input, Layout { inputs, outputs, ..layout }, output, gradient);
    }
}

#[inline(always)]
fn accumulate_rows<C: Cpu>(cpu: C, input: &[f32], layout: Layout, output: &[f32], gradient: &mut [f32]) {
    let Layout { depth, width, taps, .. } = layout;
    for (tap, gradient) in taps.iter().zip(gradient.chunks_exact_mut(depth * width)) {
        let mut place = 0;
        while place < depth {
            let wide = place + INPUTS <= depth;
            let mut start = 0;
            while start < width {
                let two = start + BLOCK <= width;
                let at = (*tap as usize + place, place * width + start, start);
                match (wide, two) {
                    (true, true) => corner::<INPUTS, 2, C>(cpu, input, layout, at, output, gradient),
                    (true, false) => corner::<INPUTS, 1, C>(cpu, input, layout, at, output, gradient),
                    (false, true) => corner::<1, 2, C>(cpu, input, layout, at, output, gradient),
                    (false, false) => corner::<1, 1, C>(cpu, input, layout, at, output, gradient),
                }
                start += if two { BLOCK } else { LANES };
            }
            place += if wide { INPUTS } else { 1 };
        }
    }
}

/// The gradients of the weights between some inputs and some outputs.
#[inline(always)]
fn corner<const COUNT: usize, const VECTORS: usize, C: Cpu>(
    cpu: C,
    input: &[f32],
    layout: Layout,
    (from, to, start): (usize, usize, usize),
    output: &[f32],
    gradient: &mut [f32],
) {
    let stored = |place: usize| to + place * layout.width..to + place * layout.width + VECTORS * LANES;
    let mut sums: [[C::Vector; VECTORS]; COUNT] = from_fn(|place| {
        let vectors = gradient[stored(place)].as_chunks::<LANES>().0;
        from_fn(|vector| cpu.load(&vectors[vector]))
    });
    for (&row, &end) in layout.inputs.iter().zip(layout.outputs) {
        let factors: &[f32; COUNT] = input[row as usize + from..].first_chunk().expect("a row of the input");
        let vectors = output[end as usize + start..][..VECTORS * LANES].as_chunks::<LANES>().0;
        add_products(cpu, &mut sums, vectors, *factors);
    }
    for place in 0..COUNT {
        let vectors = gradient[stored(place)].as_chunks_mut::<LANES>().0;
        for vector in 0..VECTORS {
            cpu.store(sums[place][vector], &mut vectors[vector]);
        }
    }
}
