"""Self-play PPO on Ray RLlib, on one machine or a cluster; its policies play as ordinary checkpoints, without Ray."""
