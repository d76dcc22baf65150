"use strict";
// Show how far something is while it goes on. Without this the page loads itself again.
(() => {
  const live = () => document.getElementById("live");
  if (!live()?.hasAttribute("data-live")) return;

  // What a person has opened, begins to write or gives is not taken away.
  const fields = "textarea, input:is([type=text], [type=search], [type=date])";
  const inUse = () =>
    isLeft() ||
    document.activeElement?.closest("details[open]") ||
    document.querySelector("[aria-busy=true]") ||
    [...document.querySelectorAll(fields)].some((field) => field.value !== field.defaultValue);

  // The page is made by the server, here as everywhere; its part is put in place of ours.
  const renew = async () => {
    try {
      const answer = await fetch(location.pathname, { credentials: "same-origin" });
      const now = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("live");
      const gone = answer.status === 404; // deleted in another tab
      if (!inUse() && (gone || (answer.ok && now && !now.hasAttribute("data-live")))) {
        location.reload();
        return;
      }
      if (answer.ok && now?.hasAttribute("data-live")) {
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
        const table = live().querySelector("table");
        const read = now.querySelector("table");
        const used = table?.querySelector("details[open]") || table?.contains(document.activeElement);
        if (table && read && !used && table.textContent !== read.textContent) table.replaceWith(read);
      }
    } catch {
      saySilent(live().querySelector("[role=status]")); // the next look may find it
    }
    setTimeout(renew, 700);
  };
  setTimeout(renew, 700);
})();
