"""`python -m hongzhong`."""

from hongzhong.cli import main

main()
