"""The examples, the notebooks, and the snippets of the documents run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from conftest import FOLDER
from nbclient import NotebookClient

EXAMPLES = FOLDER / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
README = FOLDER / "README.md"
DOCUMENTS = [README, FOLDER.parent.parent / "docs" / "python.md"]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_an_example_runs(script: Path, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_an_example_goes_on_with_its_journal(tmp_path: Path) -> None:
    script = str(EXAMPLES / "match.py")
    first, second = (subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True).stdout for _ in range(2))
    assert first == second
    assert (tmp_path / "match.jsonl").exists()


def test_the_benchmark_runs() -> None:
    pytest.importorskip("pyspiel")
    words = [sys.executable, str(FOLDER / "benches" / "openspiel.py"), "--quick", "--json"]
    program = str(Path(sys.executable).parent / "aji")
    done = subprocess.run([*words, "--aji", program, "--wheel", __file__], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert len(rows) == 15 and all(row["measured"] > 0 for row in rows)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_runs(notebook: Path, tmp_path: Path) -> None:
    book = nbformat.read(notebook, as_version=4)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in code), "committed without outputs"
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    NotebookClient(book, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert any(cell.outputs for cell in code)


def snippets(document: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", document.read_text(), re.DOTALL)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.stem)
def test_the_snippets_of_a_document_run(document: Path, tmp_path: Path) -> None:
    found = snippets(document)
    assert found
    code = "\n".join(found)
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr


def test_the_page_is_short_and_names_every_notebook() -> None:
    text = README.read_text()
    assert len(text.splitlines()) < 150
    assert all(notebook.name in text for notebook in NOTEBOOKS)
