"use strict";
// Take a file that is dropped on the form, and count the ticked sentences. Both work without this.
(() => {
  const form = document.querySelector("form.drop");
  const file = document.getElementById("file");
  if (form && file) {
    if (location.hash === "#draft-text") form.parentElement.open = true;
    for (const kind of ["dragenter", "dragover"]) {
      form.addEventListener(kind, (event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        form.classList.add("over");
      });
    }
    for (const kind of ["dragleave", "drop"]) {
      form.addEventListener(kind, () => form.classList.remove("over"));
    }
    form.addEventListener("drop", (event) => {
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      file.files = event.dataTransfer.files;
    });
  }

  const choose = document.getElementById("choose");
  const ticked = document.getElementById("ticked");
  if (!choose || !ticked) return;
  const boxes = [...choose.querySelectorAll("[name=sentence]")];
  const count = () => {
    ticked.value = `${boxes.filter((box) => box.checked).length} of ${boxes.length} are ticked`;
  };
  choose.addEventListener("change", count);
  choose.addEventListener("input", (event) => {
    const box = boxes.find((one) => event.target.name === `claim-${one.value}`);
    if (!box) return;
    box.checked = true; // what is said anew is to be checked
    count();
  });
  count();
})();
