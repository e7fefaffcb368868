"""The application under the name that openenv.yaml gives it."""
# pyright: reportMissingImports=false

from __future__ import annotations

import argparse

from endeavor_env.openenv.server import app

__all__ = ["app", "main"]


def main() -> None:
    """Serve."""
    import uvicorn

    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    given = parser.parse_args()
    uvicorn.run(app, host=given.host, port=given.port)


if __name__ == "__main__":
    main()
