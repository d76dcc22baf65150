"""Frozen records, as they are made: Page, Passage, Hit, Evidence, Finding, Vote, Verdict."""

from uhhrag.records.asking import LETTERS as LETTERS
from uhhrag.records.asking import Ask as Ask
from uhhrag.records.asking import Generate as Generate
from uhhrag.records.asking import PickOne as PickOne
from uhhrag.records.asking import Prompt as Prompt
from uhhrag.records.asking import Reply as Reply
from uhhrag.records.asking import Represent as Represent
from uhhrag.records.claims import NO_ANSWER as NO_ANSWER
from uhhrag.records.claims import Ballots as Ballots
from uhhrag.records.claims import Claim as Claim
from uhhrag.records.claims import Decision as Decision
from uhhrag.records.claims import Evidence as Evidence
from uhhrag.records.claims import Failure as Failure
from uhhrag.records.claims import Finding as Finding
from uhhrag.records.claims import Grade as Grade
from uhhrag.records.claims import Hit as Hit
from uhhrag.records.claims import Label as Label
from uhhrag.records.claims import Origin as Origin
from uhhrag.records.claims import RowFigure as RowFigure
from uhhrag.records.claims import Verdict as Verdict
from uhhrag.records.claims import Vote as Vote
from uhhrag.records.pages import Page as Page
from uhhrag.records.pages import Passage as Passage
from uhhrag.records.pages import Place as Place
from uhhrag.records.pages import Source as Source
from uhhrag.records.pages import source_of as source_of
