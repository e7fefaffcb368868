"""What every room uses: checks of arguments, files and their locks, and names that are going away."""
