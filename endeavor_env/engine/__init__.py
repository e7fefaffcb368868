"""The engine: what plays any game that keeps the contract of ``engine.kernels.rules``. Nothing here knows Endeavor."""
