"""Lines that deny what stands below: "It is not true that:"."""

import re

_SAID = r"(?:claim|rumou?r|post|statement|stor(?:y|ie)|allegation|accusation|report|message|news)s?"
_FALSE = (
    r"(?:\w+ly )?(?:false|untrue|wrong|incorrect|misleading|baseless|unfounded|fake|debunked|lies"
    r"|(?:not|never) (?:(?!only)\w+ly )?(?:true|so|correct|right|the case)"
    r"|myths|an? \w*?(?:lie|myth|hoax))"
)
_VERB = (
    r"(?:sa(?:y|ys|id)|claim(?:s|ed)?|state[sd]?|wr(?:ites?|ote|itten)|suggest(?:s|ed)?|alleged?s?"
    r"|believed?|th(?:ink|ought)|reported|accused)"
)
_THESE = rf"(?:any of )?(?:this|such|(?:(?:the following|these|those|such) ){_SAID}|the following)"
_THAT = rf" (?:that|to {_VERB}(?: that)?|(?:in |to |for |of )?{_THESE}(?: that)?)"
_BE = (
    r"(?:is|are|was|were|ha(?:s|ve)|proved|turned out)(?: (?:to be|been|all|just|simply|clearly))?"
)
_ABOUT = r"(?: (?:about|on|that|regarding|circulat|spread|shared|going|made|in|from|by|we|you|are))"
_DENIED = re.compile(
    r"^(?:(?!(?:how|to|of|on|for|against|with|report|spot|stop)\b)\w+ ){0,3}?"
    rf"(?:(?!\w+ly ){_FALSE} {_SAID}|myths|misconceptions|fake news)"
    rf"(?:$|{_ABOUT})"
    rf"|\b(?!\w+[^\Ws]\b){_SAID}\b(?! that (?!{_BE}\b)).{{0,60}}? {_BE} {_FALSE}"
    r"(?=$|[,;.]| (?:and|or|but|according|as|because|since|say)\b)"
    rf"|(?:^|[,;] |\b(?:and|but) )(?:it {_BE} {_FALSE}{_THAT}|what {_BE} {_FALSE}"
    rf"|(?:all of )?(?:the following|these|those)(?: {_SAID})? {_BE} {_FALSE}"
    rf"|(?:none|neither|not one) of (?:the following|these|those)(?: \w+)?(?: {_SAID})? {_BE}"
    r" (?:\w+ly )?(?:true|correct|right|so|the case)"
    rf"|(?:do not|never) (?:believe|trust|fall for){_THAT})$"
    rf"|\b(?:falsely|wrongly|incorrectly) {_VERB}(?: of)?(?:{_THAT})?$"
    rf"|\b{_SAID}\b.{{0,60}}? (?:rated|found|judged|shown|proven) (?:to be )?{_FALSE}$"
    rf"|\bno (?:\w+ )?(?:truth|evidence|basis|proof|foundation)(?: at all| whatsoever)?{_THAT}$"
    rf"|\ba (?:\w+ )?(?:myth|misconception|lie|hoax|mistake){_THAT}$"
    r"|^(?:es (?:ist (?:nicht (?:wahr|richtig)|falsch|unwahr)|stimmt nicht),? dass|falsch ist"
    r"|il (?:est faux|n'est pas vrai) que|(?:no es (?:cierto|verdad)|(?:es|é) falso"
    r"|não é verdade) que|(?:non è vero|è falso) che|het (?:is niet waar|klopt niet) dat"
    r"|det (?:er ikke (?:sant|riktig|rigtigt)|är inte sant|stemmer ikke|stämmer inte),? att?)$"
)
"""Of a line in small letters."""
_NOT_SAID = re.compile(
    r"\b(?<!that )(?<!which )(?<!who )(?:(?:do|does|did|has|have|had) not|never)"
    rf"(?: ever)?(?: {_VERB}(?:{_THAT})| sa(?:id|y)"
    rf"| mad?e {_THESE})$|\b(?:den(?:y|ies|ied)|dispute[sd]?|refute[sd]?|rejects?|rejected)"
    rf" (?:that|(?:(?:the following|these|those|all) )+{_SAID}|having {_VERB}(?: that)?)$"
    r"|\b(?:deny|denies) (?:all of )?(?:the following|this)$"
)
_BUT = re.compile(
    r"\b(?:what|who|why|whether|if|nobody|none|cannot|(?:not|never) (?:den|disp|ref))"
)
"""What did they not say? Who denies it?"""
_ASKED = re.compile(
    rf"^(?:if|when|where|how|signs?|what happens)\b|\b(?:if|whether) (?:\w+ )?{_SAID}\b"
)


def denies(lead: str) -> bool:
    """Reads the first 200 characters."""
    plain = lead[:200].lower().replace("’", "'").strip(" :.,*_–—•")
    plain = plain.replace("n't", " not").replace("'s ", " is ").replace("'re ", " are ")
    said = _NOT_SAID.search(plain)
    denied = _DENIED.search(plain) and not _ASKED.search(plain)
    return bool(denied or (said and not _BUT.search(plain)))
