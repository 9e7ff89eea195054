//! A function of a user: anything that Python can call.

use crate::failure::error;
use pyo3::inspect::{PyStaticConstant, PyStaticExpr};
use pyo3::prelude::*;
use pyo3::{type_hint_identifier, type_hint_subscript};

/// A function of a user.
pub struct Function(pub Py<PyAny>);

impl<'a, 'py> FromPyObject<'a, 'py> for Function {
    type Error = PyErr;

    // `Callable[..., object]`, as each of these functions is called by code that checks what it returns.
    const INPUT_TYPE: PyStaticExpr = type_hint_subscript!(
        type_hint_identifier!("collections.abc", "Callable"),
        PyStaticExpr::Constant { value: PyStaticConstant::Ellipsis },
        type_hint_identifier!("builtins", "object")
    );

    fn extract(found: Borrowed<'a, 'py, PyAny>) -> PyResult<Function> {
        match found.is_callable() {
            true => Ok(Function(found.to_owned().unbind())),
            false => Err(error(format!("{} found, expected a function", found.repr()?))),
        }
    }
}
