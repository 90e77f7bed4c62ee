// Cuts, filters and draws a timeline that was computed before. It sets text as text, and asks for nothing.
(() => {
  'use strict';
  const DAY = 1440; // minutes
  const SHOWN = { list: 120, lanes: 40, card: 120 }; // entries before "Show more"
  const NAMES = 12; // events that are named on the map
  const LETTER = 6.8; // pixels of a letter of such a name
  const BESIDE = [-1, 0, 1].flatMap((right) => [-1, 0, 1].flatMap((down) => [10, 30].map((far) => [right, down, far])))
    .filter(([right, down]) => right || down); // places of a name beside its point
  const NEAR = 15; // pixels to a point that is meant
  const MARKS = { word: 'added words', name: 'added names', number: 'added numbers', against: 'may contradict it' };
  const KINDS = ['word', 'name', 'number', 'against', 'against'];
  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], k: [0, -1], j: [0, 1] };
  const at = (id) => document.getElementById(id);
  const data = JSON.parse(at('data').textContent);
  const all = data.texts.map((_, row) => row);
  const narrow = matchMedia('(max-width: 900px)');
  const state = { position: data.start, view: 'list', words: [], lasso: null, row: -1, pointed: -1, left: 0 };
  let events = []; // at the position of the slider, the largest first
  let found = []; // those of them that have headlines that fit: their hits
  const eventOf = []; // of each headline

  const figure = new Intl.NumberFormat('en').format;
  const counted = (count, one) => `${figure(count)} ${one}${count === 1 ? '' : 's'}`;
  const joined = (...parts) => parts.filter(Boolean).join(' · ');
  const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase();
  const outlet = (row) => data.outlets[data.outlet[row]] ?? '';
  const outlets = (rows) => [...new Set(rows.map(outlet).filter(Boolean))];
  const dated = (rows) => rows.filter((row) => data.minutes[row] !== null);
  const folded = all.map((row) => fold(`${data.texts[row]} ${outlet(row)}`));
  const marks = new Map(data.marks.map(([shown, row, ...spans]) => [shown * all.length + row, spans]));
  const labelled = new Set(data.labelled);
  const changes = data.edits.filter(([, , time]) => time);
  const unordered = new Set(data.edits.filter(([, , time]) => !time).flatMap(([one, other]) => [one, other]));
  const replaced = new Map(changes); // a wording, and that which came in its place
  const edited = new Map(changes.map(([, row, time]) => [row, `edited ${time}`]));
  const cards = new Map(data.cards.map(([number, ...card]) => [number, card]));
  const fits = (row) => state.words.every((word) => folded[row].includes(word)) && state.lasso?.has(row) !== false;
  const filtered = () => state.words.length > 0 || state.lasso !== null;
  const paint = (event) => (event.rows.length > 1 ? `g${event.number % 12}` : 'alone');
  const choose = (row) => { location.hash = `h${row + 1}`; };

  const set = (box, values) => {
    for (const [name, value] of Object.entries(values)) box.setAttribute(name, value);
    return box;
  };
  const make = (tag, look, ...inside) => {
    const box = document.createElement(tag);
    box.append(...inside);
    // Each has a direction of its own: what the page says does not take that of a headline.
    return set(box, { class: look, dir: 'auto' });
  };
  const pressed = (look, act, ...inside) => {
    const button = set(make('button', look, ...inside), { type: 'button' });
    button.addEventListener('click', act);
    return button;
  };
  const shape = (tag, values, ...inside) => {
    const drawn = set(document.createElementNS('http://www.w3.org/2000/svg', tag), values);
    drawn.append(...inside);
    return drawn;
  };
  const gathered = (rows, of) => {
    const groups = new Map();
    for (const row of rows) (groups.get(of(row)) ?? groups.set(of(row), []).get(of(row))).push(row);
    return [...groups.values()];
  };
  const listed = (box, things, most, draw) => {
    box.append(...things.slice(0, most).map(draw));
    const left = things.slice(most);
    const show = () => { more.remove(); listed(box, left, most, draw); };
    const more = pressed('more', show, `Show more (${figure(left.length)} left)`);
    if (left.length) box.append(more);
  };

  // The groups at a position: what changes at each one up to it, one after the other.
  const cut = (position) => {
    const root = [...all];
    const told = new Map();
    for (const step of data.steps.slice(0, position + 1)) {
      const joins = new Map(step.joins);
      for (const row of all) root[row] = joins.get(root[row]) ?? root[row];
      for (const [row, group] of step.moves) root[row] = group;
      for (const [group, ...event] of step.events) told.set(group, event);
    }
    const groups = gathered(all, (row) => root[row]).map((rows) => {
      const [number, shown, title = data.texts[shown]] = told.get(root[rows[0]]);
      return { number, shown, title, rows };
    });
    return groups.sort((a, b) => b.rows.length - a.rows.length || a.rows[0] - b.rows[0]);
  };
  const exported = cut(data.start);

  const days = (rows) => {
    const [first, last] = [dated(rows).at(0), dated(rows).at(-1)].map((row) => data.dates[row]?.split(',')[0]);
    if (!first || first === last) return first;
    return `${first.endsWith(last.slice(-5)) ? first.slice(0, -5) : first} – ${last}`;
  };
  const about = ({ rows, hits, shown }, period) => {
    if (rows.length === 1) return joined(outlet(shown), data.dates[shown]);
    const some = hits.length < rows.length ? `${figure(hits.length)} of ` : '';
    const names = outlets(rows).length;
    return joined(some + counted(rows.length, 'headline'), names && counted(names, 'outlet'), period && days(rows));
  };
  // Each original with its copies, as the app folds them.
  const reports = (rows) => gathered(rows, (row) => data.copies[row])
    .map((copies) => copies.sort((a, b) => labelled.has(a) - labelled.has(b)));
  // Whether an outlet gave the article these words later on, or has given it others since.
  const wording = (fold) => {
    let last = fold[0];
    while (fold.includes(replaced.get(last))) last = replaced.get(last);
    const also = fold.some((row) => unordered.has(row)) && 'also worded otherwise; which came first is not known';
    return joined(edited.get(fold.findLast((row) => edited.has(row))), also, replaced.has(last) && 'earlier wording');
  };
  const alsoIn = ([original, ...copies]) => {
    const others = outlets(copies).filter((name) => name !== outlet(original));
    if (!others.length) return ['', 'repeated once'][copies.length] ?? `repeated ${copies.length} times`;
    return `also in: ${others.slice(0, 8).join(', ')}${others.length > 8 ? ` and ${others.length - 8} more` : ''}`;
  };
  const after = (row, rows) => {
    const known = dated(rows);
    if (!known.includes(row) || known.length < 2) return '';
    const away = data.minutes[row] - data.minutes[known[0]];
    if (away >= DAY) return `${counted(Math.round(away / DAY), 'day')} later`;
    if (known.some((one) => !data.dates[one].includes(','))) return 'first day';
    const parts = [[Math.floor(away / 60), 'h'], [away % 60, 'min']].filter(([count]) => count);
    return away ? `${parts.flat().join(' ')} later` : 'first';
  };

  // A headline; what differs from the one that stands for its event is marked.
  const entry = (row, shown, ...details) => {
    const line = make(data.links[row] ? 'a' : 'span', '');
    if (data.links[row]) set(line, { href: data.links[row], rel: 'noopener noreferrer nofollow', target: '_blank' });
    const [signs, spans] = [[...data.texts[row]], marks.get(shown * all.length + row) ?? []];
    const cut = (begin, end) => signs.slice(begin, end).join('');
    let place = 0;
    for (let span = 0; span < spans.length; span += 3) {
      const [begin, end, kind] = spans.slice(span, span + 3);
      line.append(cut(place, begin), make('mark', KINDS[kind], cut(begin, end)));
      place = end;
    }
    line.append(cut(place));
    const said = make('span', 'quiet', joined(data.dates[row], outlet(row), ...details, data.labels[row]));
    return make('li', filtered() && fits(row) ? 'matches' : '', make('span', 'headline', line), said);
  };
  const drawCard = () => {
    const [event, box, list] = [eventOf[state.row], at('card'), make('ul', '')];
    const rows = all.filter((row) => state.lasso && fits(row));
    box.className = `card ${event ? paint(event) : 'alone'}`;
    box.scrollTop = 0;
    box.replaceChildren(pressed('leave', () => { location.hash = ''; }, '← Back'));
    if (!event) {
      const title = rows.length ? `${counted(rows.length, 'headline')} in the lasso` : 'No headline fits';
      box.append(make('h2', '', title), list);
      listed(list, rows, SHOWN.card, (row) => {
        const line = entry(row, row, wording([row]));
        line.append(pressed('', () => choose(row), make('span', `dot ${paint(eventOf[row])}`), 'Its event'));
        return line;
      });
      return;
    }
    const folds = reports(event.rows);
    const same = exported.some((each) => each.number === event.number && each.rows.join() === event.rows.join());
    const [remarks, suggested, reason] = (same && cards.get(event.number)) || [[], -1];
    const different = folds.length < event.rows.length && counted(folds.length, 'different report');
    const line = joined(`Event ${event.number}`, about({ ...event, hits: event.rows }, true), different);
    box.append(make('h2', '', event.title), ...[line, ...remarks].map((text) => make('p', 'quiet', text)));
    if (suggested >= 0 && data.texts[suggested] !== event.title) {
      const quiet = ['Suggested headline', reason].map((text) => make('span', 'quiet', text));
      box.append(make('p', 'suggested', quiet[0], make('span', 'headline', data.texts[suggested]), quiet[1]));
    }
    listed(list, folds, SHOWN.card, (fold) => {
      const again = [fold[0], ...fold.slice(1).filter((row) => !edited.has(row))];
      const line = entry(fold[0], event.shown, after(fold[0], event.rows), wording(fold), alsoIn(again));
      line.classList.toggle('earlier', wording(fold).endsWith('earlier wording'));
      return line;
    });
    const used = Object.keys(MARKS).filter((kind) => list.querySelector(`mark.${kind}`));
    const key = used.flatMap((kind) => [', ', make('mark', kind, MARKS[kind])]).slice(1);
    box.append(make('p', 'quiet', used.length ? 'Next to the title: ' : '', ...key), list);
  };

  const choosers = []; // buttons of the view that is shown, and their events
  const chooser = (look, event, ...inside) => {
    const button = pressed(`${look} ${paint(event)}`, () => choose(event.shown), ...inside);
    choosers.push([button, event]);
    return button;
  };
  const drawList = () => {
    at('list').replaceChildren();
    listed(at('list'), found, SHOWN.list, (event) => {
      const said = [make('span', 'headline', event.title), make('span', 'quiet', about(event, true))];
      if (!event.hits.includes(event.shown)) said.push(make('span', 'hit', data.texts[event.hits[0]]));
      return chooser('event', event, make('span', `dot ${paint(event)}`), ...said);
    });
  };

  const drawLanes = () => {
    const box = at('lanes');
    const lanes = found.filter((event) => event.rows.length > 1);
    const times = dated(lanes.flatMap((event) => event.hits)).map((row) => data.minutes[row]).sort((a, b) => a - b);
    const [low, high] = [times.at(0), times.at(-1)];
    box.replaceChildren(make('p', 'quiet', times.length ? '' : 'No event of several headlines with a date fits.'));
    if (!times.length) return;
    const wide = Math.max(120, box.clientWidth - (narrow.matches ? 16 : 268));
    const share = (time) => 3 + (high > low ? (94 * (time - low)) / (high - low) : 47);
    const unit = high - low > 4 * DAY ? DAY : 60;
    const words = (time) => { // of "Wed, 14 Jan 2015 09:30:00 GMT"
      const said = new Date(time * 60000).toUTCString();
      return unit === DAY ? said.slice(5, 16) : `${said.slice(5, 11)}, ${said.slice(17, 22)}`;
    };
    const count = Math.max(1, Math.floor(wide / 120));
    const even = Array.from({ length: count }, (_, place) => low + ((high - low) * (place + 0.5)) / count);
    const ticks = [...new Set(even.map((time) => Math.round(time / unit) * unit))];
    const across = (time) => `${share(time)}%`;
    const texts = ticks.map((time) => shape('text', { x: across(time), y: 14 }, words(time)));
    box.append(make('div', 'axis', shape('svg', { 'aria-hidden': true }, ...texts)));
    listed(box, lanes, SHOWN.lanes, (event) => {
      // Headlines whose dots would hide each other are one.
      const dots = gathered(dated(event.hits), (row) => Math.round((share(data.minutes[row]) * wide) / 1200));
      const middles = dots.map((rows) => across(rows.reduce((sum, row) => sum + data.minutes[row], 0) / rows.length));
      const circles = dots.map((rows, place) => {
        const said = rows.length > 1 ? counted(rows.length, 'headline') : joined(outlet(rows[0]), data.texts[rows[0]]);
        const look = { cx: middles[place], cy: 15, r: Math.min(13, 3.5 + 1.5 * Math.sqrt(rows.length)) };
        return shape('circle', look, shape('title', {}, `${data.dates[rows[0]]}: ${said}`));
      });
      const rules = ticks.map((time) => shape('line', { x1: across(time), x2: across(time), y1: 0, y2: 30 }));
      rules.push(shape('line', { class: 'span', x1: middles[0], x2: middles.at(-1), y1: 15, y2: 15 }));
      const title = make('span', '', make('span', 'headline', event.title), make('span', 'quiet', about(event, false)));
      return chooser('lane', event, title, shape('svg', { 'aria-hidden': true }, ...rules, ...circles));
    });
  };

  // The map: its points are made once and painted anew.
  const ground = at('points');
  const shares = all.map((row) => [4 + 0.092 * data.places[2 * row], 5 + 0.09 * data.places[2 * row + 1]]);
  const points = shares.map(([x, y]) => shape('circle', { cx: `${x}%`, cy: `${y}%`, r: all.length > 600 ? 4 : 6 }));
  const [names, outline] = [shape('g', {}), shape('path', {})];
  const places = () => shares.map(([x, y]) => [(x * ground.clientWidth) / 100, (y * ground.clientHeight) / 100]);
  const least = (rows, cost, most = Infinity) => rows.reduce(([best, lowest], row) => {
    const own = cost(row);
    return own < lowest ? [row, own] : [best, lowest];
  }, [-1, most])[0];
  const nearest = ([x, y], rows, spots, within) => (
    least(rows, (row) => Math.hypot(spots[row][0] - x, spots[row][1] - y), within));
  const folds = (title) => {
    const [whole, ...lines] = /^(.{1,26})\s(?:(.{1,26})\s)?/.exec(`${title} `) ?? [title, title.slice(0, 26)];
    const ends = (line, place, { length }) => (place === length - 1 && whole.trim() !== title ? `${line}…` : line);
    return lines.filter(Boolean).map(ends);
  };
  const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  const drawNames = () => {
    const [spots, taken, most] = [places(), [], narrow.matches ? NAMES / 2 : NAMES];
    names.replaceChildren();
    for (const { hits: rows, title } of found.filter(({ hits }) => hits.length > 2).slice(0, 3 * most)) {
      const middle = [0, 1].map((axis) => median(rows.map((row) => spots[row][axis])));
      const [x, y] = spots[nearest(middle, rows, spots)];
      const lines = folds(title);
      const [wide, high] = [Math.max(...lines.map((line) => line.length)) * LETTER + 6, 15 * lines.length + 4];
      const tried = BESIDE.map(([right, down, far]) => {
        const left = Math.min(Math.max(x - wide / 2 + right * (wide / 2 + far), 2), ground.clientWidth - wide - 2);
        const top = Math.min(Math.max(y - high / 2 + down * (high / 2 + far), 2), ground.clientHeight - high - 2);
        const meets = ([a, b, c, d]) => left < c && a < left + wide && top < d && b < top + high;
        const hidden = spots.filter(([a, b]) => meets([a - 5, b - 5, a + 5, b + 5])).length;
        const cost = taken.some(meets) ? Infinity : hidden + far / 30;
        return { box: [left, top, left + wide, top + high], cost };
      });
      const best = tried[least([...tried.keys()], (place) => tried[place].cost, 2 + all.length / 60)];
      if (!best) continue;
      taken.push(best.box);
      const [left, top, right, bottom] = best.box;
      const [toX, toY] = [Math.min(Math.max(x, left), right), Math.min(Math.max(y, top), bottom)];
      const middleOf = (line, place) => shape('tspan', { x: left + wide / 2, y: top + 13 + 15 * place }, line);
      names.append(shape('line', { x1: x, y1: y, x2: toX, y2: toY }), shape('text', {}, ...lines.map(middleOf)));
      if (taken.length >= most) return;
    }
  };
  const drawMap = () => {
    for (const row of all) set(points[row], { class: `${paint(eventOf[row])} ${fits(row) ? '' : 'out'}` });
    drawNames();
  };
  const point = (row) => {
    points[state.pointed]?.classList.remove('at');
    points[row]?.classList.add('at');
    state.pointed = row;
    at('tip').hidden = row < 0;
    const said = [data.texts[row] ?? '', make('span', 'quiet', row < 0 ? '' : joined(outlet(row), data.dates[row]))];
    at('tip').replaceChildren(...said);
  };
  const meant = (event) => nearest([event.offsetX, event.offsetY], all.filter(fits), places(), NEAR);
  let lasso = null; // its corners while it is drawn
  let drew = false; // what follows is no click
  const trace = (corners) => {
    lasso = corners;
    set(outline, { d: lasso ? `M${lasso.join('L')}Z` : 'M0 0' });
  };
  const listening = {
    pointerdown: (event) => {
      drew = false;
      if (event.button || (event.pointerType !== 'mouse' && !ground.classList.contains('drawing'))) return;
      ground.setPointerCapture(event.pointerId);
      trace([[event.offsetX, event.offsetY]]);
    },
    pointermove: (event) => {
      if (lasso) trace([...lasso, [event.offsetX, event.offsetY]]);
      else point(meant(event));
    },
    pointerup: () => {
      const spots = places();
      drew = lasso !== null && outline.getTotalLength() > 4 * NEAR;
      const inside = drew ? all.filter((row) => outline.isPointInFill(new DOMPoint(...spots[row]))) : [];
      trace(null);
      if (inside.length) show({ lasso: new Set(inside) }, 'lasso');
    },
    pointercancel: () => trace(null),
    pointerleave: () => point(-1),
    click: (event) => {
      const row = meant(event);
      if (row >= 0 && !drew) choose(row);
    },
    keydown: (event) => {
      const [[right, down], spots] = [WAYS[event.key] ?? [0, 0], places()];
      const [x, y] = spots[state.pointed] ?? [ground.clientWidth / 2, ground.clientHeight / 2];
      if (event.key === 'Enter' && state.pointed >= 0) choose(state.pointed);
      if (!right && !down) return;
      event.preventDefault();
      const next = least(all.filter(fits), (row) => {
        const [across, along] = [spots[row][0] - x, spots[row][1] - y];
        const ahead = across * right + along * down;
        return ahead > 2 ? ahead + 2 * Math.abs(across * down + along * right) : Infinity;
      });
      if (next >= 0) point(next);
    },
  };

  const views = { list: drawList, lanes: drawLanes, map: drawMap };
  const read = () => {
    const row = Number(location.hash.slice(2)) - 1;
    const first = state.lasso || !found.length ? -1 : found[0].shown;
    state.row = data.texts[row] === undefined ? first : row;
    const event = eventOf[state.row];
    for (const [button, own] of choosers) set(button, { 'aria-current': own === event });
    for (const place of all) points[place].classList.toggle('on', eventOf[place] === event);
    drawCard();
  };
  const draw = () => {
    for (const view of Object.keys(views)) {
      const on = view === state.view;
      at(view).hidden = !on;
      set(at(`tab-${view}`), { 'aria-selected': on, tabindex: on ? 0 : -1 });
    }
    found = events.map((event) => Object.assign(event, { hits: event.rows.filter(fits) }));
    found = found.filter((event) => event.hits.length);
    const several = found.filter((event) => event.rows.length > 1).length;
    const hits = figure(found.reduce((sum, event) => sum + event.hits.length, 0));
    const some = filtered() ? `${hits} of ${counted(all.length, 'headline')} in ` : '';
    const single = found.length > several ? ` and ${counted(found.length - several, 'single report')}` : '';
    at('count').textContent = `${some}${counted(several, 'event')}${single}`;
    set(at('level'), { 'aria-valuetext': `${data.levels[state.position].toFixed(2)}, ${at('count').textContent}` });
    at('clear').hidden = !state.lasso;
    set(at('back'), { class: state.position === data.start ? 'unused' : '' });
    choosers.length = 0;
    views[state.view]();
    read();
  };
  const slide = (position) => {
    state.position = position;
    at('level').value = position;
    events = cut(position);
    for (const event of events) for (const row of event.rows) eventOf[row] = event;
    draw();
  };
  // What is read stands behind # in the address; on a small screen it is a page of its own, with a way back.
  const show = (filter, hash = '') => {
    Object.assign(state, filter);
    location.hash = hash;
    draw();
  };
  const follow = () => {
    const [before, reading] = [document.body.classList.contains('reading'), location.hash.length > 1];
    if (reading && !before) state.left = scrollY;
    document.body.classList.toggle('reading', reading);
    read();
    if (narrow.matches && (reading || before)) scrollTo(0, reading ? 0 : state.left);
    if (narrow.matches && reading) at('card').focus({ preventScroll: true });
  };

  ground.append(...points, outline, names);
  for (const [kind, act] of Object.entries(listening)) ground.addEventListener(kind, act);
  const search = () => show({ words: fold(at('search').value).split(/\s+/).filter(Boolean) });
  at('search').addEventListener('input', search);
  at('level').max = data.levels.length - 1;
  at('level').addEventListener('input', () => slide(Number(at('level').value)));
  at('back').textContent = `Back to ${data.levels[data.start].toFixed(2)}`;
  at('back').addEventListener('click', () => slide(data.start));
  at('clear').addEventListener('click', () => show({ lasso: null }));
  at('draw').addEventListener('click', () => set(at('draw'), { 'aria-pressed': ground.classList.toggle('drawing') }));
  for (const view of Object.keys(views)) {
    at(`tab-${view}`).addEventListener('click', () => show({ view }, location.hash.slice(1)));
  }
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [box, typing] = [event.target.closest('.tabs, #list, #lanes'), event.target === at('search')];
    if (event.key === '/' && !typing) {
      event.preventDefault();
      at('search').select();
    } else if (event.key === 'Escape') {
      if (typing) at('search').value = '';
      if (typing) search();
      else show({ lasso: null });
    } else if (box && WAYS[event.key]) {
      event.preventDefault();
      const buttons = [...box.querySelectorAll('button')];
      const next = buttons[buttons.indexOf(event.target) + WAYS[event.key][0] + WAYS[event.key][1]];
      next?.focus();
      if (box.matches('.tabs')) next?.click();
    }
  });
  addEventListener('hashchange', follow);
  at('page').hidden = false;
  slide(data.start);
  follow();
  let wide = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth !== wide) draw(); // not where a bar of a phone hides
    wide = innerWidth;
  });
})();
