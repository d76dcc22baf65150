"use strict";
// Show a claim's evidence and votes as they come. Without this the page loads itself again.
(() => {
  const article = () => document.querySelector("article[data-watch]");
  const reload = () => {
    if (isLeft()) setTimeout(reload, 700);
    else location.reload();
  };

  let asking = false;
  let again = false;
  let changes;

  // The page is made by the server, here as everywhere; its parts are put in place of ours.
  const renew = async () => {
    if (asking) {
      again = true;
      return;
    }
    asking = true;
    try {
      const answer = await fetch(location.pathname, { credentials: "same-origin" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const now = page.querySelector("article");
      // Settled, or removed in another tab.
      if (answer.status === 404 || (answer.ok && !now?.dataset.watch)) {
        reload();
        return;
      }
      if (!answer.ok) return;
      const old = article();
      const status = old.querySelector("[role=status]");
      const said = now.querySelector("[role=status]");
      // The status stays the same element, so that what changes in it is read out.
      if (status.textContent !== said.textContent) status.replaceChildren(...said.childNodes);
      const open = new Set([...old.querySelectorAll("details[open]")].map(place));
      const story = now.querySelector(".story");
      if (story && !old.querySelector(".story")?.contains(document.activeElement)) {
        story.querySelectorAll("details").forEach((part) => {
          part.open = open.has(place(part));
        });
        const before = old.querySelector(".story");
        if (before) before.replaceWith(story);
        else old.append(story);
      }
    } catch {
      saySilent(article().querySelector("[role=status]"));
      changes.close();
    } finally {
      asking = false;
      if (changes.readyState === EventSource.CLOSED) setTimeout(listen, 1000);
      if (again) {
        again = false;
        renew();
      }
    }
  };

  const place = (part) => {
    const item = part.closest("[id]");
    return `${item?.id} ${[...(item?.querySelectorAll("details") ?? [])].indexOf(part)}`;
  };

  const listen = () => {
    changes = new EventSource(article().dataset.watch);
    changes.addEventListener("message", renew);
    changes.addEventListener("error", renew);
  };
  listen();
})();
