"""The hand tables: built by numpy at first use, one record that every distance kernel reads."""

from __future__ import annotations

from typing import Final

import numpy as np

TABLES: Final = np.dtype([("placeholder", "i8")], align=True)
