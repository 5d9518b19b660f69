/* SPDX-License-Identifier: Apache-2.0 */
/* The script of the page that `weft report` writes: the choice of colours, the tabs of a record's
 * texts, the buttons that copy them, the marks of lines that belong together, the search among
 * records. Without it the page shows all texts, one below the
 * other. cmake/embed.cmake leaves this comment out of the page. */
(function () {
  'use strict';
  var root = document.documentElement;
  root.classList.add('js');
  /* Colours: those of the system, or one of the two. */
  var button = document.getElementById('theme');
  var themes = ['auto', 'light', 'dark'];
  var theme = 'auto';
  function setTheme(name) {
    theme = themes.indexOf(name) < 0 ? 'auto' : name;
    if (theme === 'auto') root.removeAttribute('data-theme');
    else root.setAttribute('data-theme', theme);
    button.textContent = 'Colours: ' + theme;
    try { localStorage.setItem('weft-theme', theme); } catch (e) { /* a page that may keep nothing */ }
  }
  var kept = null;
  try { kept = localStorage.getItem('weft-theme'); } catch (e) { /* likewise */ }
  setTheme(kept || 'auto');
  button.hidden = false;
  button.addEventListener('click', function () {
    setTheme(themes[(themes.indexOf(theme) + 1) % themes.length]);
  });
  /* Texts beside a source: one at a time. */
  function makeTabs(side, number) {
    var panes = Array.prototype.slice.call(side.children);
    if (!panes.length) return;
    var list = document.createElement('div');
    list.className = 'tabs';
    list.setAttribute('role', 'tablist');
    var tabs = panes.map(function (pane, i) {
      var tab = document.createElement('button');
      tab.type = 'button';
      pane.querySelector('h4').childNodes.forEach(function (part) { tab.appendChild(part.cloneNode(true)); });
      tab.id = 'tab-' + number + '-' + i;
      pane.id = 'pane-' + number + '-' + i;
      tab.setAttribute('role', 'tab');
      tab.setAttribute('aria-controls', pane.id);
      pane.setAttribute('role', 'tabpanel');
      pane.setAttribute('aria-labelledby', tab.id);
      tab.addEventListener('click', function () { show(i); });
      list.appendChild(tab);
      return tab;
    });
    function show(at) {
      panes.forEach(function (pane, i) {
        pane.hidden = i !== at;
        tabs[i].setAttribute('aria-selected', String(i === at));
        tabs[i].tabIndex = i === at ? 0 : -1;
      });
    }
    list.addEventListener('keydown', function (e) {
      var step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
      var at = tabs.indexOf(document.activeElement);
      if (!step || at < 0) return;
      at = (at + step + tabs.length) % tabs.length;
      show(at);
      tabs[at].focus();
      e.preventDefault();
    });
    side.insertBefore(list, panes[0]);
    show(0);
  }
  /* Lines of a source and what became of them. */
  function linkLines(pair) {
    var pinned = null;
    function mark(line, kind) {
      pair.querySelectorAll('.' + kind).forEach(function (e) { e.classList.remove(kind); });
      if (line === null) return;
      pair.querySelectorAll('[data-l="' + line + '"]').forEach(function (e) { e.classList.add(kind); });
    }
    function bring(from) {
      pair.querySelectorAll('.code').forEach(function (code) {
        if (code === from || !code.offsetParent) return;
        var line = code.querySelector('.pinned');
        if (line) code.scrollTop = line.offsetTop - code.clientHeight / 3;
      });
    }
    function pin(line, from) {
      pinned = line;
      mark(line, 'pinned');
      if (line !== null) bring(from);
    }
    pair.addEventListener('mouseover', function (e) {
      var line = e.target.closest('[data-l]');
      mark(line ? line.dataset.l : null, 'on');
    });
    pair.addEventListener('mouseleave', function () { mark(null, 'on'); });
    pair.addEventListener('click', function (e) {
      var line = e.target.closest('[data-l]');
      if (!line || String(getSelection())) return;
      pin(pinned === line.dataset.l ? null : line.dataset.l, line.closest('.code'));
    });
    pair.addEventListener('keydown', function (e) {
      var code = e.target.closest('.code');
      var step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
      if (!code || (!step && e.key !== 'Escape')) return;
      if (!step) { pin(null, code); return; }
      var lines = Array.prototype.slice.call(code.querySelectorAll('[data-l]'));
      var numbers = lines.map(function (l) { return l.dataset.l; });
      var at = pinned === null ? -1 : step > 0 ? numbers.lastIndexOf(pinned) : numbers.indexOf(pinned);
      var next = lines[at < 0 ? (step > 0 ? 0 : lines.length - 1) : at + step];
      if (next) {
        pin(next.dataset.l, code);
        next.scrollIntoView({ block: 'nearest' });
      }
      e.preventDefault();
    });
  }
  /* Copies a text as the record has it: the gaps that the page narrows are in it. */
  function copyByHand(text) {
    var area = document.createElement('textarea');
    area.value = text;
    document.body.appendChild(area);
    area.select();
    var done = document.execCommand('copy');
    area.remove();
    return done ? Promise.resolve() : Promise.reject();
  }
  function copyText(text) {
    if (!navigator.clipboard) return copyByHand(text);
    return navigator.clipboard.writeText(text).catch(function () { return copyByHand(text); });
  }
  function makeCopy(pane) {
    var button = document.createElement('button');
    var title = pane.querySelector('h4').firstChild.textContent.trim();
    var timer = 0;
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', 'Copy: ' + title);
    function say(word) {
      button.textContent = word;
      button.setAttribute('aria-label', word + ': ' + title);
      clearTimeout(timer);
      timer = word === 'Copy' ? 0 : setTimeout(function () { say('Copy'); }, 2000);
    }
    button.addEventListener('click', function () {
      copyText(pane.querySelector('code').textContent).then(
        function () { say('Copied'); button.focus(); }, function () { say('Not copied'); });
    });
    pane.insertBefore(button, pane.querySelector('pre'));
  }
  /* Above the records: a search by what their summaries say, and buttons for all of them. */
  function makeTools(records) {
    var all = Array.prototype.slice.call(records.children);
    if (all.length < 2) return;
    var words = all.map(function (r) { return r.querySelector('summary').textContent.toLowerCase(); });
    var bar = document.createElement('div');
    var label = document.createElement('label');
    var field = document.createElement('input');
    var count = document.createElement('span');
    bar.className = 'tools';
    label.textContent = 'Find ';
    field.type = 'search';
    field.placeholder = 'name, category, id, proof';
    count.setAttribute('role', 'status');
    count.className = 'fact';
    label.appendChild(field);
    bar.appendChild(label);
    function shown() { return all.filter(function (r) { return !r.hidden; }); }
    function find() {
      var wanted = field.value.toLowerCase().split(/\s+/);
      all.forEach(function (r, i) {
        r.hidden = !wanted.every(function (w) { return words[i].indexOf(w) >= 0; });
      });
      count.textContent = shown().length + ' of ' + all.length + ' records';
    }
    [['Open all', true], ['Close all', false]].forEach(function (pair) {
      var button = document.createElement('button');
      button.type = 'button';
      button.textContent = pair[0];
      button.addEventListener('click', function () { shown().forEach(function (r) { r.open = pair[1]; }); });
      bar.appendChild(button);
    });
    bar.appendChild(count);
    field.addEventListener('input', find);
    records.parentNode.insertBefore(bar, records);
    find();
  }
  document.querySelectorAll('.pane').forEach(makeCopy);
  document.querySelectorAll('.records').forEach(makeTools);
  document.querySelectorAll('.texts').forEach(makeTabs);
  document.querySelectorAll('.pair').forEach(linkLines);
  /* A link to a record opens it. */
  function openLinked() {
    var record = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (record && record.classList.contains('sample')) record.open = true;
  }
  addEventListener('hashchange', openLinked);
  openLinked();
}());
