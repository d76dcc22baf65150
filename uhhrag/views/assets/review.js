"use strict";
// Count the marks as they are set, take keys, keep what is not saved in this tab, and ask before the
// tab is closed with it. The form works without this.
(() => {
  const form = document.getElementById("review");
  const named = (start) =>
    [...form.elements].filter((e) => e.type === "radio" && e.name.startsWith(start));
  const recount = document.getElementById("recount");
  let unsaved = false;

  const count = () => {
    if (!recount) return;
    const picked = named("mark-").filter((radio) => radio.checked);
    const marked = picked.map((radio) => radio.value || radio.closest("fieldset").dataset.vote);
    const sides = [...marked, ...recount.dataset.attached.split(",")];
    const of = (side) => sides.filter((one) => one === side).length;
    const quoted = of("quoted") ? `, ${of("quoted")} not voted on` : "";
    recount.value =
      `${of("supports")} for, ${of("contradicts")} against, ` +
      `${of("says nothing")} say nothing${quoted}`;
  };

  document.addEventListener("input", (event) => {
    if (event.target.form !== form || event.target.id === "keys-on") return;
    keep();
    count();
  });

  // What is written comes back when the claim does, until it is saved: one may leave it to search.
  const place = `uhhrag ${form.getAttribute("action")} ${document.querySelector("h1").textContent}`;
  const hidden = (name) => form.elements.namedItem(name);
  const own = () => [...form.elements].filter((e) => e.name && !/^(token|reviewer|then)/.test(e.name));
  const keep = (sent = false) => {
    const ticks = (e) => e.type === "radio" || e.type === "checkbox";
    const said = own().filter((e) => !ticks(e) || e.checked).map((e) => [e.name, e.value]);
    sessionStorage.setItem(place, JSON.stringify({ sent, said }));
    unsaved = !sent;
    document.getElementById("unsaved").value = sent ? "" : "· not saved yet";
  };
  const giveBack = ({ sent, said }) => {
    const of = Object.fromEntries(said);
    const saved = sent && of.known !== hidden("known").value;
    if (saved) return sessionStorage.removeItem(place);
    const same = of.seen === hidden("seen").value; // else marks would be of other pieces
    for (const e of own()) {
      if (e.type === "radio") e.checked = same ? of[e.name] === e.value : e.checked;
      else if (e.type === "checkbox") e.checked = same ? e.name in of : e.checked;
      else if (e.name !== "seen") e.value = of[e.name] ?? e.value;
    }
    keep();
    count();
  };
  const kept = sessionStorage.getItem(place);
  if ("refused" in form.dataset) keep();
  else if (kept) giveBack(JSON.parse(kept));

  let left = 0; // for a page in this tab, which keeps it
  globalThis.navigation?.addEventListener("navigate", () => {
    left = Date.now();
  });
  form.addEventListener("submit", () => keep(true));
  window.addEventListener("beforeunload", (event) => {
    if (unsaved && Date.now() - left > 1000) event.preventDefault();
  });

  const set = (radio) => {
    if (!radio || radio.checked) return;
    radio.checked = true;
    radio.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const pieces = [...document.querySelectorAll(".evidence")];
  const here = () => pieces.indexOf(document.activeElement?.closest(".evidence"));
  const move = (by) => {
    const next = pieces[Math.min(Math.max(here() + by, 0), pieces.length - 1)];
    next?.focus();
    next?.scrollIntoView({ block: "center" });
  };
  const sides = { "+": "supports", "-": "contradicts", 0: "says nothing" };
  const mark = (side) => {
    const piece = pieces[here()];
    set([...(piece?.querySelectorAll("[type=radio]") ?? [])].find((r) => r.value === side));
  };
  const acts = {
    j: () => move(1),
    k: () => move(-1),
    n: () => document.getElementById("note").focus(),
    s: () => form.requestSubmit(form.querySelector("[value=next]")),
    "?": () => document.getElementById("keys").toggleAttribute("open"),
  };
  const keys = document.getElementById("keys-on");
  keys.checked = localStorage.getItem("uhhrag-keys") !== "off";
  keys.addEventListener("change", () => {
    localStorage.setItem("uhhrag-keys", keys.checked ? "on" : "off");
  });

  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("textarea, select, input:not([type=radio], [type=checkbox])");
    if (!keys.checked || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const verdicts = named("label");
    if (event.key in sides) mark(sides[event.key]);
    else if (/^[1-4]$/.test(event.key)) set(verdicts[Number(event.key) - 1]);
    else if (event.key in acts) acts[event.key]();
    else return;
    event.preventDefault();
  });
})();
