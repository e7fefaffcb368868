"""Real interrupts (Ctrl-C) at random moments."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable


def interrupt_while(work: Callable[[], object], delay: float) -> None:
    """Call ``work`` again and again until the interrupt comes that is sent to this thread after ``delay`` seconds.

    Whoever started this process may have let it ignore interrupts, as ``nohup`` does.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    main = threading.get_ident()

    def send() -> None:
        time.sleep(delay)
        signal.pthread_kill(main, signal.SIGINT)

    sender = threading.Thread(target=send)
    try:
        sender.start()
        while True:
            work()
    except KeyboardInterrupt:
        pass
    finally:
        sender.join()
        signal.signal(signal.SIGINT, before)
