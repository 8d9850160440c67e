/* Filters the list of all rules. The state stands in the address; without this script the list is a plain table. */
(function () {
  "use strict";

  function words(text) {
    return text.toLowerCase().split(/\s+/).filter(Boolean);
  }

  function plural(count) {
    return count.toLocaleString("en") + (count === 1 ? " rule" : " rules");
  }

  function rowOf(mark) {
    var row = mark.closest("tr");
    var data = new URLSearchParams(mark.dataset.rb);
    var aliases = data.getAll("alias");
    return {
      row: row,
      link: row.querySelector("a[href]"),
      ids: [mark.textContent].concat(aliases),
      text: (row.textContent + " " + aliases.join(" ")).toLowerCase(),
      values: function (name) {
        var found = data.getAll(name);
        return found.length ? found : ["-"];
      }
    };
  }

  function begin(form) {
    var query = form.elements.find;
    var selects = Array.from(form.querySelectorAll("select"));
    var count = form.querySelector(".rb-filter-count");
    var reset = form.querySelector(".rb-filter-reset");
    var none = form.querySelector(".rb-filter-none");
    var rows = Array.from(document.querySelectorAll(".rb-rules [data-rb]"), rowOf);
    var sections = Array.from(document.querySelectorAll(".rb-catalogue"), function (section) {
      return { section: section, rows: rows.filter(function (row) { return section.contains(row.row); }) };
    });
    var names = new Map();
    document.querySelectorAll(".rb-removed [data-rb-id]").forEach(function (mark) {
      names.set(mark.dataset.rbId.toLowerCase(), { link: mark.closest("li").querySelector("a[href]") });
    });
    rows.forEach(function (row) {
      row.cells = selects.map(function (select) { return row.values(select.name); });
      row.ids.forEach(function (id) { names.set(id.toLowerCase(), row); });
    });
    var visible = rows;
    var typing = false;
    var later = 0;

    // For each row, which of the filters it fails: none of them shows it, exactly one counts towards that filter.
    function apply() {
      var wanted = words(query.value);
      var chosen = selects.map(function (select) { return select.value; });
      var tallies = selects.map(function () { return new Map(); });
      var without = chosen.concat("").map(function () { return 0; });
      visible = [];
      rows.forEach(function (row) {
        var failed = [];
        if (!wanted.every(function (word) { return row.text.includes(word); })) failed.push(selects.length);
        chosen.forEach(function (value, at) {
          if (value && !row.cells[at].includes(value)) failed.push(at);
        });
        if (!failed.length) visible.push(row);
        if (failed.length === 1) without[failed[0]] += 1;
        tallies.forEach(function (tally, at) {
          if (failed.length && (failed.length > 1 || failed[0] !== at)) return;
          row.cells[at].forEach(function (value) { tally.set(value, (tally.get(value) || 0) + 1); });
        });
        if (row.row.hidden !== Boolean(failed.length)) row.row.hidden = Boolean(failed.length);
      });
      sections.forEach(function (one) {
        one.section.hidden = one.rows.length > 0 && one.rows.every(function (row) { return row.row.hidden; });
      });
      var active = Boolean(wanted.length) || chosen.some(Boolean);
      var exact = names.get(query.value.trim().toLowerCase());
      count.textContent = (active ? visible.length.toLocaleString("en") + " of " : "") + plural(rows.length) +
        (exact ? ". Enter opens “" + exact.link.textContent + "”" : "");
      reset.hidden = !active;
      sayNone(visible.length ? [] : without);
      cancelAnimationFrame(later);
      later = requestAnimationFrame(function () { setTimeout(function () { tell(tallies); }); });
    }

    function tell(tallies) {
      selects.forEach(function (select, at) {
        Array.from(select.options).slice(1).forEach(function (option) {
          var text = option.dataset.label + " (" + (tallies[at].get(option.value) || 0) + ")";
          if (option.textContent !== text) option.textContent = text;
        });
      });
    }

    function sayNone(without) {
      none.hidden = !without.length;
      none.replaceChildren();
      if (!without.length) return;
      none.append(Object.assign(document.createElement("p"), { textContent: "No rule matches." }));
      selects.concat(query).forEach(function (field, at) {
        if (!field.value || !without[at]) return;
        var what = field === query ? "“" + field.value + "”" : field.selectedOptions[0].dataset.label;
        var button = document.createElement("button");
        button.type = "button";
        button.textContent = "Without " + what + ": " + plural(without[at]);
        button.addEventListener("click", function () {
          field.value = "";
          changed(true);
          field.focus();
        });
        none.append(button, " ");
      });
    }

    function state() {
      var found = new URLSearchParams();
      [query].concat(selects).forEach(function (field) { if (field.value.trim()) found.set(field.name, field.value.trim()); });
      var text = found.toString();
      return location.pathname + (text ? "?" + text : "");
    }

    // What is typed in one go is one step back; so is each choice.
    function changed(step) {
      apply();
      var to = state();
      if (to === location.pathname + location.search) return;
      history[step ? "pushState" : "replaceState"](history.state, "", to);
    }

    function restore() {
      var found = new URLSearchParams(location.search);
      [query].concat(selects).forEach(function (field) {
        field.value = found.get(field.name) || "";
        if (field.selectedIndex === -1) field.value = "";
      });
      typing = false;
      apply();
    }

    function move(step) {
      var at = visible.findIndex(function (row) { return row.link === document.activeElement; });
      if (at + step < 0) query.focus();
      else if (visible[at + step]) visible[at + step].link.focus();
    }

    query.addEventListener("input", function () { changed(!typing); typing = true; });
    query.addEventListener("blur", function () { typing = false; });
    selects.forEach(function (select) { select.addEventListener("change", function () { changed(true); }); });
    form.addEventListener("reset", function () {
      setTimeout(function () { changed(true); query.focus(); });
    });
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      var target = names.get(query.value.trim().toLowerCase()) || (visible.length === 1 && visible[0]);
      if (target) location.href = target.link.href;
    });
    document.addEventListener("keydown", function (event) {
      var step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      var within = document.activeElement === query || document.activeElement.closest(".rb-rules");
      if (!step || !within || !form.isConnected || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      move(step);
    });
    window.addEventListener("popstate", function () { if (form.isConnected) restore(); });
    restore();
  }

  function start() {
    var form = document.querySelector(".rb-filter:not([data-begun])");
    if (!form) return;
    form.dataset.begun = "";
    begin(form);
  }

  if (window.document$) window.document$.subscribe(start);
  else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
