"use strict";
// The name is asked once in a browser.
for (const name of document.querySelectorAll("input[name=reviewer]")) {
  name.defaultValue ||= localStorage.getItem("uhhrag-reviewer") ?? "";
  name.addEventListener("change", () => localStorage.setItem("uhhrag-reviewer", name.value));
}
