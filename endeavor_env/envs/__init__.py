"""The environments of Gymnasium and PettingZoo: adapters between the rules core and learning libraries."""
