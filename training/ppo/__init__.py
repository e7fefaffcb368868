"""Training of policy networks by self-play: MaskablePPO of sb3-contrib, with rollouts inside the kernels if wanted."""
