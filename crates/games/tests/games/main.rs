//! Tests of games through their public interface. They are one program, so that the searches they use are compiled
//! once.

mod boards;
mod encodings;
mod playouts;
mod rave;
