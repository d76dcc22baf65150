"""A persistent archive; `manifest` names its parts."""
