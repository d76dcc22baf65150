"use strict";
// A page that is being left is not loaded again: that would undo the click.
const isLeft = (() => {
  let left = 0;
  addEventListener("submit", () => {
    left = Infinity;
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
