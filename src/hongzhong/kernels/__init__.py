"""The only compiled code: plain arrays in, plain arrays out. Kernels never raise and never allocate in a hot path."""
