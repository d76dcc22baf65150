"""Models: the table (`catalogue`), those on this machine (`local`), fetching (`pull`)."""

from uhhrag.models.catalogue import MODELS as MODELS
from uhhrag.models.catalogue import PROFILES as PROFILES
from uhhrag.models.catalogue import Model as Model
from uhhrag.models.local import fingerprint as fingerprint
from uhhrag.models.local import fingerprint_of as fingerprint_of
from uhhrag.models.local import path as path
from uhhrag.models.local import trusts_code as trusts_code
from uhhrag.models.local import verify as verify
