"""Every game of Merchants of Europe is played twice: by the kernels and by the plain reading of the rules."""
