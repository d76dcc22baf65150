"use strict";
// Filter, order and open the claims. The page is complete without this.
(() => {
  const form = document.querySelector(".filter");
  const list = document.querySelector(".list");
  const claims = [...list.children];
  const count = form.querySelector(".count");
  const find = document.getElementById("find");
  const differs = document.getElementById("differs");
  const kinds = [...form.querySelectorAll("[name=kind]")];
  const texts = new Map();

  // Read on the first search only: a long report has megabytes of text.
  const text = (claim) => {
    if (!texts.has(claim)) texts.set(claim, claim.textContent.toLowerCase());
    return texts.get(claim);
  };

  const filter = () => {
    const words = wordsOf(find.value);
    const wanted = new Set(kinds.filter((box) => box.checked).map((box) => box.value));
    const stays = (claim) =>
      wanted.has(claim.dataset.kind) &&
      (!differs || !differs.checked || "differs" in claim.dataset) &&
      words.every((word) => text(claim).includes(word));
    for (const claim of claims) claim.hidden = !stays(claim);
    mark(words);
    const shown = claims.filter((claim) => !claim.hidden).length;
    count.textContent = `${shown} of ${claims.length} claims shown`;
  };

  // In what can be seen alone: marks in a claim that is closed cost seconds in a long report.
  const mark = (words) => {
    const seen = claims.filter((claim) => !claim.hidden).map((claim) => claim.firstElementChild);
    markWords(seen.map((details) => (details.open ? details : details.firstElementChild)), words);
  };

  const sure = (claim) => (claim.dataset.sure === "" ? -9 : Number(claim.dataset.sure));
  const orders = {
    id: (a, b) => Number(a.dataset.id) - Number(b.dataset.id),
    unsure: (a, b) => sure(a) - sure(b),
    sure: (a, b) => sure(b) - sure(a),
  };

  const openAll = (open) => {
    for (const claim of claims) if (!claim.hidden) claim.querySelector("details").open = open;
  };

  // A link to a claim, or to a piece of its evidence, opens it.
  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const details = target && target.closest(".claim > details");
    if (!details) return;
    details.open = true;
    details.parentElement.hidden = false;
    target.scrollIntoView();
  };

  let waiting;
  let toggled;
  list.addEventListener(
    "toggle", // which does not bubble
    () => {
      clearTimeout(toggled);
      toggled = setTimeout(() => mark(wordsOf(find.value)), 60);
    },
    true,
  );
  find.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 120);
  });
  form.addEventListener("change", (event) => {
    if (event.target.id === "order") {
      list.append(...[...claims].sort(orders[event.target.value]));
    } else {
      filter();
    }
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("open-all").addEventListener("click", () => openAll(true));
  document.getElementById("close-all").addEventListener("click", () => openAll(false));
  window.addEventListener("hashchange", follow);
  form.hidden = false;
  filter();
  follow();
})();
