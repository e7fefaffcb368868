"""Reference results: how strong each way to learn becomes under the same budget of processor time or decisions.

Processor time is that of all processes of the run, from after the imports on. A lap (some thousand decisions with their
gradient steps) begins only if one as long as the longest so far fits. What falls over a run, such as the learning rate,
falls with what is left of the budget. Evaluations are not counted.

Decisions are counted where somebody learns from them: those of the learner for MaskablePPO and DQN; those of all seats
for value networks, the first games of heuristics included; those that it was shown for
cloning; the teacher's answers and the learner's for a clone that goes on by PPO.
"""
