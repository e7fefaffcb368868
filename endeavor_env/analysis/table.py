"""Table: named columns of equal length, without pandas and for pandas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.analysis.columns import COLUMNS, TYPES
from endeavor_env.basics.files import check_writable, write_text
from endeavor_env.errors import InvalidOptionError, MissingLibraryError, shown

SHOWN_ROWS = 5


class Table:
    """A table of named columns.

    Attributes:
        name: What the rows are: "decisions", "rounds", "seats", "games", "regions" or the name of a summary.
    """

    def __init__(self, name: str, columns: Mapping[str, npt.NDArray[Any]]) -> None:
        """Take the columns, (n,) each, without copying them; raise InvalidOptionError if their lengths differ."""
        lengths = {column: len(values) for column, values in columns.items()}
        if len(set(lengths.values())) > 1:
            raise InvalidOptionError(f"columns of different lengths are no table: {shown(lengths)}")
        self.name = name
        self._columns = dict(columns)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, in order; ``endeavor_env.analysis.COLUMNS`` has their meanings."""
        return tuple(self._columns)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(next(iter(self._columns.values()), ()))

    def __getitem__(self, column: str) -> npt.NDArray[Any]:
        """Return a column, (n,), not a copy; raise InvalidOptionError, naming all columns, if there is none."""
        if column not in self._columns:
            raise InvalidOptionError(
                f"column {shown(column)} is not in the table {self.name}: its columns are {', '.join(self._columns)}"
            )
        return self._columns[column]

    def __contains__(self, column: object) -> bool:
        return column in self._columns

    def __repr__(self) -> str:
        lines = [f"<Table {self.name}: {len(self):,} rows of {', '.join(self.columns)}>"]
        return "\n".join([*lines, *(str(tuple(row.values())) for row in self.where(slice(SHOWN_ROWS)).rows())])

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield every row as a dictionary of Python values."""
        for values in zip(*(column.tolist() for column in self._columns.values()), strict=True):
            yield dict(zip(self._columns, values, strict=True))

    def where(self, rows: npt.NDArray[Any] | slice) -> Table:
        """Return the table of some rows.

        Args:
            rows: (n,) bool, True for the rows to keep, or an array of row numbers, or a slice.
        """
        return Table(self.name, {name: values[rows] for name, values in self._columns.items()})

    def with_column(self, name: str, values: Sequence[Any] | npt.NDArray[Any]) -> Table:
        """Return the table with one more column, or with another one in the place of that name.

        Raises:
            InvalidOptionError: The number of values is not that of the rows.
        """
        return Table(self.name, {**self._columns, name: column_of(values)})

    def to_pandas(self) -> Any:
        """Return a ``pandas.DataFrame`` with the same columns.

        Raises:
            MissingLibraryError: pandas is not installed.
        """
        try:
            import pandas
        except ImportError as error:
            raise MissingLibraryError(
                "a data frame needs pandas: install it with pip install 'endeavor-env[data]'"
            ) from error
        return pandas.DataFrame(self._columns)

    def to_csv(self, path: str | Path) -> None:
        """Write the table as CSV with a line of names, in UTF-8; a file at ``path`` is replaced in one step.

        NaN and None are written as nothing.

        Raises:
            InvalidOptionError: The file cannot be written.
        """
        file = Path(path)
        check_writable(file)
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        for row in self.rows():
            writer.writerow(["" if value is None or value != value else value for value in row.values()])
        write_text(file, text.getvalue())


def table_of(name: str, values: Mapping[str, Sequence[Any]]) -> Table:
    """Return one of the tables of COLUMNS from lists of values, every column with its documented type."""
    made = {}
    for column in COLUMNS[name]:
        array = np.empty(len(values[column.name]), TYPES[column.type])
        array[:] = values[column.name]
        made[column.name] = array
    return Table(name, made)


def column_of(values: Sequence[Any] | npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return values as a column; texts as objects, as in all tables."""
    array = np.asarray(values)
    return array.astype(object) if array.dtype.kind == "U" else array


def table_of_rows(name: str, rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return a table with these rows, whose columns are those of the first."""
    return Table(name, {column: column_of([row[column] for row in rows]) for column in (rows[0] if rows else ())})
