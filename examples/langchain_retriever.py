"""Your own documents as a retriever for LangChain.

python examples/langchain_retriever.py reports "harbour dredged"
"""

import sys
from typing import Any

from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

import uhhrag


class UhhragRetriever(BaseRetriever):
    """The sentences of a folder of documents that are nearest to a question."""

    docs: str

    def _get_relevant_documents(self, query: str, **_: Any) -> list[Document]:
        found = uhhrag.search(self.docs, query)["found"]
        return [Document(page_content=one["sentence"], metadata=one["source"]) for one in found]


if __name__ == "__main__":
    for document in UhhragRetriever(docs=sys.argv[1]).invoke(sys.argv[2]):
        print(document.page_content, document.metadata["url"])
