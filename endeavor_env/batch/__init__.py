"""Many games at once as arrays, on several threads, without any framework."""
