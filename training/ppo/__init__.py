"""Training of policy networks by self-play: MaskablePPO of sb3-contrib, with rollouts inside the kernels if wanted.

Many games run side by side in one ``EndeavorVecEnv``. In each, one seat is the learner's; table size (3 to 5), seat and
opponents are drawn for every game, in the solitaire game the difficulty, which the observation shows; there the learner
also makes the choices that the rules leave it for the Opposition. Opponents are frozen copies of the learner,
``greedy`` and ``random``, in the proportions of the preset. Their decisions are played inside ``step``, so PPO sees an
ordinary single-agent episode.

The reward at the end is the lead over the best other seat in Glory over 50. Potential-based shaping gives the same
quantity along the way; without discount the two add up to the final margin minus that of the learner's first position.

The preset ``refine``, for networks that play well, has a reward at the end only (the share of the win plus 0.02 for
each Glory of lead, up to 30), no discount, GAE 0.97, clip 0.2, entropy 0.005, a learning rate that falls from 3e-4 to
0, batches of 1,024 and two passes. The other seats are played by ``greedy`` and by earlier copies of the learner, half
and half. PPO improves the policy that is drawn from, which plays far worse than the most likely move, by which policies
are evaluated; so the logits of a clone are doubled when PPO begins with it (``sharpen``), which changes no most likely
move.
"""
