// Searches and folds the report. It reads what stands there as text and writes a count; it makes no markup.
(() => {
  'use strict';
  const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase();
  const field = document.getElementById('search');
  const found = document.getElementById('found');
  const folds = [...document.querySelectorAll('main details')];
  const lines = (root, kind) =>
    [...root.querySelectorAll(kind)].map((box) => ({ box, text: fold(box.textContent) }));
  const cards = [...document.querySelectorAll('.card')].map((box) => ({
    box,
    title: fold(box.querySelector('h3').textContent),
    rows: lines(box, 'li'),
  }));
  const rows = lines(document, '.rows tbody tr');
  const pictures = [...document.querySelectorAll('main section')]
    .filter((one) => !one.querySelector('.card, .rows'));
  let before = null;

  const search = () => {
    const words = fold(field.value).split(/\s+/).filter(Boolean);
    const has = (text) => words.every((word) => text.includes(word));
    if (words.length && !before) before = folds.map((one) => one.open);
    let count = 0;
    for (const row of rows) {
      row.box.hidden = !has(row.text);
      count += !row.box.hidden;
    }
    for (const card of cards) {
      const whole = has(card.title);
      let some = whole;
      for (const row of card.rows) {
        row.box.hidden = !whole && !has(row.text);
        some ||= !row.box.hidden;
      }
      card.box.hidden = !some;
    }
    // What cannot be searched makes way for what was found.
    for (const one of pictures) one.hidden = words.length > 0;
    if (words.length) folds.forEach((one) => { one.open = true; });
    else if (before) {
      folds.forEach((one, place) => { one.open = before[place]; });
      before = null;
    }
    found.textContent = words.length ? `${count} of ${rows.length} headlines` : '';
  };

  field.addEventListener('input', search);
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== field) {
      event.preventDefault();
      field.focus();
    } else if (event.key === 'Escape' && document.activeElement === field) {
      field.value = '';
      search();
    }
  });
  for (const [id, open] of [['unfold', true], ['fold', false]]) {
    document.getElementById(id).addEventListener('click', () => folds.forEach((one) => { one.open = open; }));
  }
  // Without this script none of it could be used.
  document.getElementById('tools').hidden = false;
})();
