/* Buttons that copy a rule id or an excerpt. Without this script, or without a clipboard, nothing is missing. */
(function () {
  "use strict";

  // The lines alone: between them a generator may have put blanks, and some words are for screen readers.
  function text(element) {
    var copy = element.cloneNode(true);
    copy.querySelectorAll(".rb-sr").forEach(function (other) { other.remove(); });
    var lines = copy.querySelectorAll("pre");
    return Array.from(lines.length ? lines : [copy], function (one) { return one.textContent; }).join("").replace(/\n$/, "");
  }

  function button(what, element) {
    var made = document.createElement("button");
    var label = "Copy " + what;
    made.type = "button";
    made.className = "rb-copy";
    made.textContent = "Copy";
    made.setAttribute("aria-label", label);
    made.addEventListener("click", function () {
      navigator.clipboard.writeText(text(element)).then(function () {
        made.textContent = "Copied";
        made.setAttribute("aria-label", "Copied");
        setTimeout(function () {
          made.textContent = "Copy";
          made.setAttribute("aria-label", label);
        }, 2000);
      }, function () {});
    });
    return made;
  }

  function start() {
    if (!navigator.clipboard || document.querySelector(".rb-copy")) return;
    document.querySelectorAll(".rb-id").forEach(function (id) {
      id.after(" ", button("rule id", id));
    });
    document.querySelectorAll(".rb-excerpt:not(.rb-diff)").forEach(function (excerpt) {
      // What is not all there is not worth copying.
      if (!excerpt.querySelector(".rb-gap, .rb-cut, .rb-lost")) excerpt.append(button("excerpt", excerpt));
    });
  }

  if (window.document$) window.document$.subscribe(start);
  else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
