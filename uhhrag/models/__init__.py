"""Models: the table (`catalogue`), those on this machine (`local`), fetching (`pull`)."""

from uhhrag.models.catalogue import MODELS, PROFILES, Model, Use
from uhhrag.models.local import fingerprint, fingerprint_of, path, trusts_code, verify

__all__ = [
    "MODELS",
    "PROFILES",
    "Model",
    "Use",
    "fingerprint",
    "fingerprint_of",
    "path",
    "trusts_code",
    "verify",
]
