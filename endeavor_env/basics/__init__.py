"""What every room uses: checks of arguments, files and their locks, shapes of pictures, names that are going away."""
