"use strict";
const wordsOf = (search) => search.toLowerCase().split(/\s+/).filter(Boolean);

// Mark the words that were searched for. The browser draws the marks over the text (CSS custom
// highlights), so that no element of the page changes; an older browser draws none.
const markWords = (parts, words) => {
  if (!globalThis.CSS?.highlights) return;
  const most = 3000; // a frequent word of a long report would stop the page for seconds
  const marks = [];
  for (const part of words.length ? parts : []) {
    const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (marks.length < most && texts.nextNode()) {
      const node = texts.currentNode;
      const text = node.data.toLowerCase();
      if (text.length !== node.length) continue; // a capital that has two letters as a small one
      for (const word of words) {
        for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
          const [startOffset, endOffset] = [at, at + word.length];
          marks.push(
            new StaticRange({ startContainer: node, startOffset, endContainer: node, endOffset }),
          );
        }
      }
    }
  }
  CSS.highlights.set("searched", new Highlight(...marks));
};
