"use strict";
// Show a claim's evidence and votes as they come. Without this the page loads itself again.
(() => {
  const article = () => document.querySelector("article[data-watch]");
  let asking = false;
  let again = false;
  let changes;

  const renew = async () => {
    if (asking) {
      again = true;
      return;
    }
    asking = true;
    try {
      const [answer, page] = await pageNow();
      const now = page.querySelector("article");
      // Settled, or removed in another tab.
      if (answer.status === 404 || (answer.ok && !now?.dataset.watch)) settle(page);
      if (!article() || !answer.ok) return;
      const old = article();
      renewStatus(old, now);
      const [before, story] = [old, now].map((part) => part.querySelector(".story"));
      if (story && !before) old.append(story);
      else if (story && !before.contains(document.activeElement)) putInPlace(before, story);
    } catch {
      saySilent(article()?.querySelector("[role=status]"));
      changes.close();
    } finally {
      asking = false;
      if (article() && changes.readyState === EventSource.CLOSED) setTimeout(listen, 1000);
      if (article() && again) {
        again = false;
        renew();
      }
    }
  };

  // With the scripts of a page that waits for nothing any more.
  const settle = (page) => {
    changes.close();
    putInPlace(document.querySelector("main"), page.querySelector("main"));
    sayEnd(document);
    for (const script of page.scripts) {
      const added = document.createElement("script");
      for (const { name, value } of script.attributes) added.setAttribute(name, value);
      added.async = false; // in their order
      document.head.append(added);
    }
  };

  const listen = () => {
    changes = new EventSource(article().dataset.watch);
    changes.addEventListener("message", renew);
    changes.addEventListener("error", renew);
  };
  listen();
})();
