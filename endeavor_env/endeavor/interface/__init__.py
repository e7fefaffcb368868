"""The rules as others call them: Python, kernels of users, and the engine."""
