"use strict";
// Give files or folders to a collection, one file at a time, and have them read at the end.
(() => {
  const form = document.getElementById("drop");
  const status = document.getElementById("upload");
  const refused = document.getElementById("refused");
  const endings = form.dataset.endings.split(" ");
  form.hidden = false;
  let giving = null;

  const ending = (name) => {
    const last = name.split("/").pop();
    return last.includes(".") ? last.slice(last.lastIndexOf(".")).toLowerCase() : "";
  };

  // What was not taken last time stands there until files are given again, also when the page is
  // loaded anew to show what is read.
  const memory = `given ${location.pathname}`;
  let left = [];
  let replaced = [];
  let gone = "";
  const remember = () => {
    try {
      if (left.length || replaced.length) sessionStorage.setItem(memory, JSON.stringify({ status: status.textContent, left, gone }));
      else sessionStorage.removeItem(memory);
    } catch {
      // The browser keeps nothing.
    }
  };
  const recall = () => {
    try {
      const before = JSON.parse(sessionStorage.getItem(memory));
      const here = [...document.querySelectorAll("[data-taken-out]")].map((one) => one.dataset.takenOut);
      if (!before || here.includes(before.gone)) return; // it was asked first, and kept
      status.textContent = before.status;
      for (const [name, why] of before.left) say(name, why);
    } catch {
      // The browser keeps nothing.
    }
  };

  const say = (name, why) => {
    left.push([name, why]);
    const item = document.createElement("li");
    const bold = document.createElement("bdi");
    bold.textContent = name;
    item.append(bold, `: ${why}`);
    refused.append(item);
  };

  const put = async (file, name) => {
    const path = name.split("/").map(encodeURIComponent).join("/");
    try {
      const answer = await fetch(form.dataset.files + path, {
        method: "PUT",
        body: file,
        credentials: "same-origin",
        headers: { "x-token-of-form": form.dataset.token, "content-type": "application/octet-stream" },
      });
      if (answer.ok) {
        if ((await answer.json()).replaced) replaced.push(name);
        return true;
      }
      const said = await answer.text();
      let why = said.trim();
      try {
        why = JSON.parse(said).error;
      } catch {
        // The guard answers in plain text.
      }
      say(name, why || `refused (${answer.status})`);
    } catch {
      say(name, "could not be given: the desk does not answer, or the file cannot be read");
    }
    return false;
  };

  // Where a file without a folder has the name of one in a folder, a person says which is replaced.
  const alike = document.getElementById("alike");
  const placed = async (files) => {
    const alone = files.filter(([, name]) => !name.includes("/"));
    if (!alone.length || alike.open) return files;
    const there = await fetch(form.dataset.files.replace(/\/$/, ""), { credentials: "same-origin" })
      .then((answer) => (answer.ok ? answer.json() : []))
      .catch(() => []);
    const base = (path) => path.split("/").pop();
    const names = new Set(alone.map(([, name]) => name.normalize("NFC")));
    const same = there.filter((path) => path.includes("/") && names.has(base(path)));
    if (!same.length) return files;
    alike.querySelector("ul").replaceChildren(...same.map((path) => {
      const item = document.createElement("li");
      const label = item.appendChild(document.createElement("label"));
      const box = label.appendChild(document.createElement("input"));
      box.type = "checkbox";
      box.value = path;
      label.append(` Replace ${path}`);
      return item;
    }));
    form.ariaBusy = "true"; // or the page would be loaded again meanwhile
    alike.returnValue = "";
    alike.showModal();
    await new Promise((closed) => alike.addEventListener("close", closed, { once: true }));
    if (!alike.returnValue) return []; // by Escape
    const ticked = [...alike.querySelectorAll(":checked")].map((box) => box.value);
    return files.flatMap(([file, name]) => {
      const places = name.includes("/") ? [] : ticked.filter((path) => base(path) === name.normalize("NFC"));
      return (places.length ? places : [name]).map((place) => [file, place]);
    });
  };

  const give = async (chosen) => {
    const files = await placed(chosen);
    const many = files.length > 20;
    const seen = files
      .filter(([, name]) => !name.split("/").some((part) => part.startsWith(".")))
      .map(([file, name]) => ({ file, name, many }));
    if (giving) {
      giving.push(...seen);
      return;
    }
    giving = seen;
    form.ariaBusy = "true"; // or the page would be loaded again when others are read
    refused.replaceChildren();
    left = [];
    replaced = [];
    gone = "";
    let taken = 0;
    for (let at = 0; at < giving.length; at += 1) {
      const { file, name, many } = giving[at];
      status.textContent = `Giving ${at + 1} of ${giving.length}: ${name}`;
      if (!endings.some((one) => name.toLowerCase().endsWith(one)) && many) say(name, `${ending(name) || "a file without an ending"} is not read`);
      else if (await put(file, name)) taken += 1;
    }
    status.textContent = `${taken} taken${left.length ? `, ${left.length} not taken` : ""}.${replaced.length ? ` In the place of earlier ones: ${replaced.join(", ")}.` : ""}`;
    remember();
    giving = null;
    form.ariaBusy = "false";
    if (!taken) return;
    // With the time: the desk acts once on a form that is sent twice.
    const body = new URLSearchParams({ token_of_form: form.dataset.token, at: Date.now() });
    const read = location.pathname.replace(/\/$/, "") + "/read";
    await fetch(read, { method: "POST", body, credentials: "same-origin" });
    follow();
  };

  recall();
  document.addEventListener("submit", (event) => {
    const name = event.target.querySelector("[data-taken-out]")?.dataset.takenOut;
    if (!name) return;
    left = [];
    replaced = [name]; // so that it is remembered
    gone = name;
    status.textContent = `${name} was taken out.`;
    remember();
  });

  // The files below a dropped folder, with their paths in it.
  const below = async (entry) => {
    if (entry.isFile) {
      const file = await new Promise((done, failed) => entry.file(done, failed));
      return [[file, entry.fullPath.replace(/^\//, "")]];
    }
    const reader = entry.createReader();
    const found = [];
    for (;;) {
      const some = await new Promise((done, failed) => reader.readEntries(done, failed));
      if (!some.length) return found;
      for (const one of some) found.push(...(await below(one)));
    }
  };

  for (const input of form.querySelectorAll("input[type=file]")) {
    input.addEventListener("change", () => {
      give([...input.files].map((file) => [file, file.webkitRelativePath || file.name]));
      input.value = "";
    });
  }
  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", async (event) => {
    event.preventDefault();
    form.classList.remove("over");
    const items = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    const plain = [...event.dataTransfer.files].map((file) => [file, file.name]);
    const found = [];
    for (const item of items) found.push(...(await below(item)));
    give(found.length ? found : plain);
  });
  // A file dropped beside the box must not replace the page.
  for (const name of ["dragover", "drop"]) addEventListener(name, (event) => event.preventDefault());
})();
