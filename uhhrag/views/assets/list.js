"use strict";
// Filter the list as one types. Without this the form has a button.
(() => {
  const form = document.getElementById("filter");
  if (!form) return;
  const find = document.getElementById("find");
  const count = form.querySelector(".count");
  let asked = new AbortController();
  let waiting;

  const mark = () => markWords(document.querySelectorAll("#listed h3"), wordsOf(find.value));

  const address = () => {
    const boxes = [...form.querySelectorAll("[name=kind]")];
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value) query.append(name, value);
    if (boxes.every((box) => box.checked)) ["kind", "kinds"].forEach((name) => query.delete(name));
    if (query.get("order") === "id") query.delete("order");
    return query.size ? `/?${query}` : "/";
  };

  // The page is made by the server, here as everywhere; its list is put in place of ours.
  const show = async () => {
    asked.abort();
    asked = new AbortController();
    const where = address();
    try {
      const answer = await fetch(where, { credentials: "same-origin", signal: asked.signal });
      const now = new DOMParser().parseFromString(await answer.text(), "text/html");
      const list = now.getElementById("listed");
      if (!answer.ok || !list) return;
      document.getElementById("listed").replaceWith(list);
      document.getElementById("left").textContent = now.getElementById("left").textContent;
      count.textContent = now.querySelector("#filter .count").textContent;
      history.replaceState(null, "", where);
      mark();
    } catch (error) {
      if (error.name !== "AbortError") count.textContent = "The desk does not answer.";
    }
  };

  find.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, 150);
  });
  form.addEventListener("change", (event) => {
    if (event.target !== find) show();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    show();
  });
  form.querySelector("button").hidden = true;
  mark();
})();
