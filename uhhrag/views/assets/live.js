"use strict";
// Show how far something is while it goes on. Without this the page loads itself again.
const follow = (() => {
  const live = () => document.getElementById("live");

  // What a person has opened, begins to write or gives is not taken away.
  const fields = "textarea, input:is([type=text], [type=search], [type=date])";
  const inUse = () =>
    isLeft() ||
    document.activeElement?.closest("details[open]") ||
    document.querySelector("[aria-busy=true]") ||
    [...document.querySelectorAll(fields)].some((field) => field.value !== field.defaultValue);

  const renew = async () => {
    try {
      const [answer, page] = await pageNow();
      const [old, now] = [live(), page.getElementById("live")];
      if (answer.status === 404 && !inUse()) {
        location.reload(); // deleted in another tab
        return false;
      }
      if (!answer.ok || !now) return true;
      if (!old.hasAttribute("data-live") || !now.hasAttribute("data-live")) {
        if (inUse()) return true;
        putInPlace(old, now);
        if (now.hasAttribute("data-live")) return true;
        sayEnd(now);
        return false;
      }
      renewStatus(old, now);
      const [bar, moved] = [old, now].map((part) => part.querySelector("progress"));
      if (bar && moved) {
        bar.max = moved.max;
        bar.value = moved.value;
      }
      const [table, read] = [old, now].map((part) => part.querySelector("table"));
      const used = table?.querySelector("details[open]") || table?.contains(document.activeElement);
      if (table && read && !used && table.textContent !== read.textContent) table.replaceWith(read);
    } catch {
      saySilent(live().querySelector("[role=status]")); // the next look may find it
    }
    return true;
  };

  let following = false;
  let again; // something began since the page was asked for
  const look = async () => {
    again = false;
    following = (await renew()) || again;
    if (following) setTimeout(look, 700);
  };
  return () => {
    again = true;
    if (following) return;
    following = true;
    look();
  };
})();
if (document.getElementById("live")?.hasAttribute("data-live")) setTimeout(follow, 700);
