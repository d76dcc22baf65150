"use strict";
// Show how far something is while it goes on. Without this the page loads itself again.
(() => {
  const live = () => document.getElementById("live");
  if (!live()?.hasAttribute("data-live")) return;

  // A page that is being left is not loaded again: that would undo the click. What a person has
  // opened or begins to write is not taken away either.
  let left = 0;
  addEventListener("beforeunload", () => {
    left = Date.now();
  });
  const inUse = () => {
    const at = document.activeElement;
    const writes = at?.matches("textarea, input:not([type]), input[type=text], input[type=search]");
    return Date.now() - left < 5000 || at?.closest("details[open]") || (writes && at.value);
  };

  // The page is made by the server, here as everywhere; its part is put in place of ours.
  const renew = async () => {
    try {
      const answer = await fetch(location.pathname, { credentials: "same-origin" });
      if (answer.status === 404) location.reload(); // deleted in another tab
      const now = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("live");
      if (answer.ok && now) {
        if (!now.hasAttribute("data-live")) {
          if (inUse()) setTimeout(renew, 700);
          else location.reload();
          return;
        }
        const status = live().querySelector("[role=status]");
        const said = now.querySelector("[role=status]");
        // The status stays the same element, so that what changes in it is read out.
        if (status && said && status.textContent !== said.textContent) status.replaceChildren(...said.childNodes);
        const bar = live().querySelector("progress");
        const moved = now.querySelector("progress");
        if (bar && moved) {
          bar.max = moved.max;
          bar.value = moved.value;
        }
      }
    } catch {
      // The desk may be starting again; the next look finds it.
    }
    setTimeout(renew, 700);
  };
  setTimeout(renew, 700);
})();
