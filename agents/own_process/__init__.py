"""Players in processes of their own: Python files, and programs in any language, by a protocol of lines."""
