//! Games from outside. All are one program: what they search with is compiled once.

mod boards;
mod encodings;
mod playouts;
mod rave;
