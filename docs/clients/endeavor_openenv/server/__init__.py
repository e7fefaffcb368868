"""The server as OpenEnv starts it."""
