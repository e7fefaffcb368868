"""The environments of Merchants of Europe."""
