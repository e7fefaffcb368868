"""The rails: what plays any game that keeps the contract of ``rails.kernels.rules``. Nothing here knows Endeavor."""
