"""Settings → live objects. The only importer of `backends`."""
