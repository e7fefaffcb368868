"""Board files shipped with the package."""
