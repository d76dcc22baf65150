"""A persistent archive ("corpus" in the code); `manifest` names its parts."""
