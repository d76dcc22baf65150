"""Your own documents as a retriever for LlamaIndex.

python examples/llama_index_retriever.py reports "harbour dredged"
"""

import sys

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

import uhhrag


class UhhragRetriever(BaseRetriever):
    """The sentences of a folder of documents that are nearest to a question."""

    def __init__(self, docs: str) -> None:
        super().__init__()
        self.docs = docs

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = uhhrag.search(self.docs, query_bundle.query_str)["found"]
        return [
            NodeWithScore(
                node=TextNode(text=one["sentence"], metadata=one["source"]),
                score=one["similarity"],
            )
            for one in found
        ]


if __name__ == "__main__":
    for node in UhhragRetriever(sys.argv[1]).retrieve(sys.argv[2]):
        print(node.text, node.metadata["url"])
