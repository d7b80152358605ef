"""The slow, obvious second opinion: plain Python from the rulings and the sheets, sharing no code with the kernels."""
