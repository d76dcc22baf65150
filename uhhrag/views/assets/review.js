"use strict";
// Count the marks as they are set, take keys, and keep what is not saved. The form works without this.
(() => {
  const form = document.getElementById("review");
  const named = (start) =>
    [...form.elements].filter((e) => e.type === "radio" && e.name.startsWith(start));
  const recount = document.getElementById("recount");

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

  const say = (words) => {
    document.getElementById("told").textContent = words;
  };

  // What is written comes back when the claim does, until it is saved: one may leave it to search,
  // or the browser may end.
  const claim = form.getAttribute("action").replace("/review", "");
  const place = `uhhrag-review ${form.dataset.desk} ${claim} ${document.querySelector("h1").textContent}`;
  const known = form.elements.namedItem("known");
  const shown = known.value;
  const own = () => [...form.elements].filter((e) => e.name && !/^(token|reviewer|then)/.test(e.name));
  const keep = (sent = false, at = Date.now()) => {
    const ticks = (e) => e.type === "radio" || e.type === "checkbox";
    const said = own().filter((e) => !ticks(e) || e.checked).map((e) => [e.name, e.value]);
    document.getElementById("unsaved").value = sent ? "" : "· not saved yet";
    localStorage.setItem(place, JSON.stringify({ at, sent, said }));
  };
  const giveBack = ({ at, sent, said }) => {
    const of = Object.fromEntries(said);
    if (sent && of.known !== shown) return localStorage.removeItem(place); // it was saved
    const same = of.seen === form.elements.namedItem("seen").value; // else marks would be of other pieces
    for (const e of own()) {
      if (e.type === "radio") e.checked = same ? of[e.name] === e.value : e.checked;
      else if (e.type === "checkbox") e.checked = same ? e.name in of : e.checked;
      else if (e.name !== "seen") e.value = of[e.name] ?? e.value;
    }
    keep(false, at);
    count();
    const then = new Date(at);
    const today = then.toDateString() === new Date().toDateString();
    const day = today ? "" : `on ${then.toLocaleDateString("en-GB", { day: "numeric", month: "long" })} `;
    const words = `What you wrote ${day}at ${then.toTimeString().slice(0, 5)} is back.`;
    const back = document.getElementById("back");
    back.querySelector("span").textContent = words;
    back.hidden = false;
    say(words);
    back.querySelector("button").addEventListener("click", () => {
      localStorage.removeItem(place);
      form.reset();
      known.value = shown;
      document.getElementById("unsaved").value = "";
      count();
      back.hidden = true;
      document.getElementById("note").focus();
      say("It is discarded.");
    });
  };
  const kept = localStorage.getItem(place);
  if ("refused" in form.dataset) keep();
  else if (kept) giveBack(JSON.parse(kept));
  form.addEventListener("submit", () => keep(true));

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
  const sides = { "+": "supports", "-": "contradicts", 0: "says nothing", x: "" };
  const mark = (side) => {
    const piece = pieces[here()];
    if (!piece) return say("No piece is chosen: press j.");
    const radio = [...piece.querySelectorAll("[type=radio]")].find((r) => r.value === side);
    set(radio);
    if (radio) say(`${piece.querySelector(".rank").textContent}: ${side || "no mark"}`);
  };
  const decide = (radio) => {
    set(radio);
    say(`Verdict: ${radio.parentElement.textContent}`);
  };
  const help = () => {
    const keys = document.getElementById("keys");
    keys.open = !keys.open;
    keys.querySelector("summary").focus();
  };
  const acts = {
    j: () => move(1),
    k: () => move(-1),
    n: () => document.getElementById("note").focus(),
    s: () => form.requestSubmit(form.querySelector("[value=next]")),
    "?": help,
  };
  const keys = document.getElementById("keys-on");
  keys.defaultChecked = localStorage.getItem("uhhrag-keys") !== "off";
  keys.addEventListener("change", () => {
    keys.defaultChecked = keys.checked;
    localStorage.setItem("uhhrag-keys", keys.checked ? "on" : "off");
  });

  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("textarea, select, input:not([type=radio], [type=checkbox])");
    if (!keys.checked || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in sides) mark(sides[event.key]);
    else if (/^[1-4]$/.test(event.key)) decide(named("label")[Number(event.key) - 1]);
    else if (event.key in acts) acts[event.key]();
    else return;
    event.preventDefault();
  });
})();
