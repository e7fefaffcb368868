"""The environments: adapters that translate between the rules core and the interfaces of learners."""
