"""The planner: a player that follows a plan for its turn, quicker than ``greedy``, which tries out moves."""
