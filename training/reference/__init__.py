"""Reference results: how strong each way to learn becomes under the same budget of processor time or decisions."""
