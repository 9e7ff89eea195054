//! Games from outside. All are one program: what they search with is compiled once.

mod boards;
mod playouts;
mod rave;
