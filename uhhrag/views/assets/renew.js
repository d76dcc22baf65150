"use strict";
// What pages share that put the server's page in place of theirs, here as everywhere.

// A page that is being left is not loaded again, which would undo the click, nor said to be silent.
const isLeft = (() => {
  let left = 0;
  addEventListener("submit", (event) => {
    if (event.target.method !== "dialog") left = Infinity;
  });
  addEventListener("beforeunload", () => {
    left = Math.max(left, Date.now()); // a link may lead to a file, and the page stay
  });
  addEventListener("pageshow", () => {
    left = 0;
  });
  return () => Date.now() - left < 5000;
})();

// Until the desk answers again.
const saySilent = (status) => {
  const words = "The desk does not answer. Start it again: nothing is lost.";
  if (status && !isLeft() && status.textContent !== words) status.textContent = words;
};

const pageNow = async () => {
  const answer = await fetch(location.pathname, { credentials: "same-origin" });
  return [answer, new DOMParser().parseFromString(await answer.text(), "text/html")];
};

// The status stays the same element, so that what changes in it is read out.
const renewStatus = (old, now) => {
  const [status, said] = [old, now].map((part) => part.querySelector("[role=status]"));
  if (status && said && status.textContent !== said.textContent) status.replaceChildren(...said.childNodes);
};

// What a part is known by once it was made anew.
const nameOf = (part) => {
  const said = part.matches("details") ? part.querySelector("summary") : part;
  const href = part.getAttribute("href");
  return part.id || [part.closest("[id]")?.id, part.name, href ?? said.ariaLabel ?? said.textContent].join(" ");
};

// What is open stays open, and the focus and its place in the window stay.
const putInPlace = (old, now) => {
  const open = new Set([...old.querySelectorAll("details[open]")].map(nameOf));
  for (const part of now.querySelectorAll("details")) part.open = open.has(nameOf(part));
  const here = old.contains(document.activeElement) && document.activeElement;
  const top = here && here.getBoundingClientRect().top;
  old.replaceWith(now);
  if (!here) return;
  const same = [now, ...now.querySelectorAll(here.tagName)].find((part) => nameOf(part) === nameOf(here));
  const next = same ?? now.querySelector("h1, h2");
  if (!same) next.tabIndex = -1;
  next.focus({ preventScroll: Boolean(same) });
  if (same) scrollBy(0, same.getBoundingClientRect().top - top);
};

// Said in a region that was there before, or it would not be read out.
const sayEnd = (part) => {
  const end = part.querySelector("[data-end]");
  if (end) document.getElementById("told").textContent = `${end.dataset.end} ${end.textContent}`.replace(/\s+/g, " ").trim();
};
