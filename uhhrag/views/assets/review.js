"use strict";
// Count the marks as they are set, take keys, and ask before unsaved marks are left. The form works
// without this.
(() => {
  const form = document.getElementById("review");
  if (!form) return;
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
    const quoted = of("quoted") ? `, ${of("quoted")} quoted` : "";
    recount.value =
      `${of("supports")} for, ${of("contradicts")} against, ` +
      `${of("says nothing")} say nothing${quoted}`;
  };

  document.addEventListener("input", (event) => {
    if (event.target.form !== form || event.target.id === "keys-on") return;
    unsaved = true;
    count();
  });
  form.addEventListener("submit", () => {
    unsaved = false;
  });
  window.addEventListener("beforeunload", (event) => {
    if (unsaved) event.preventDefault();
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
  // The name is asked once in a browser.
  for (const name of document.querySelectorAll("input[name=reviewer]")) {
    name.value ||= localStorage.getItem("uhhrag-reviewer") ?? "";
    name.addEventListener("change", () => localStorage.setItem("uhhrag-reviewer", name.value));
  }
})();
