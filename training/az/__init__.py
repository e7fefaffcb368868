"""AlphaZero for one to five seats on the compiled search: ``endeavor train az``.

**Networks.** Two towers, each with two hidden layers. The policy sees the features. The value network sees features and
estimates, and says after a turn what the position is worth to the seat that made it and to those after it.

**Self-play.** Every seat is played by the search with a halving root: Gumbel noise and the logarithms of the priors
choose 8 turns, which share 16 simulations. The priors are one half the policy's, one half a softmax of the values. The
tree is kept from one search to the next, whoever is to move. The games of two iterations are under way at once.

**Playout caps.** A quarter of the searches are full ones. The policy learns from these alone; the others make 4
simulations, to go on with the game.

**Targets.** The policy learns the improved probabilities of the search, decision by decision along the turn that was
chosen. The value of a turn that was played is one half the outcome, one half what the next search found, which is the
mean of its turns by these probabilities; that of a turn that was only looked at is what was found. All of it is for
every seat.

**Off the usual ways.** In a quarter of the seats the policy plays without a search, which is asked all the same, as a
clone's teacher is. The mean of the weights plays and is what a run leaves.

The numbers are those of the preset ``quick``; ``settings`` has all of them.
"""
