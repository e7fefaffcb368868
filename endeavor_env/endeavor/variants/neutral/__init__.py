"""The variants with neutral discs: SoloPlay for 2 and 3 players (V2S, V3S) and the 2-player variant V2F."""
