"""Models: which there are (`catalogue`), which are here (`local`), how they come here (`pull`).

Only `pull` reaches for the network, and it is imported only by the command that pulls.
"""

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
