"""A server of tools with which a chat program plays against agents."""
