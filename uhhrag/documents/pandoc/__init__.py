"""The program pandoc; its JSON as blocks; formulas."""
