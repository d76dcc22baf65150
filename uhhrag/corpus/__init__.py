"""One persistent archive that any number of claims are checked against; see `manifest`."""
