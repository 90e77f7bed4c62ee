// Names on the map: those of the largest groups from afar, of smaller ones and of headlines the nearer one
// looks; none covers another, nor a line that leads from a name to its point, nor, unless it is chosen, a point.

const ROOM = 26000; // pixels of the window for each name while the whole map is seen
const MOST = 12; // names while the whole map is seen; on a phone half as many
const PHONE = 640; // pixels of the window
const NEAR = 1.5; // times the whole map from which single headlines are named
const TRIED = 400; // headlines that are tried for a place
const MANY = 100000; // points from which names stay where they are while the map moves
const CELL = 4; // pixels of a cell in which points are counted
const APART = 4; // pixels between two names, and between a line and the letters it leads to
const BESIDE = 6; // pixels beside a line in which there is no other point
const [SHORTEST, LONGEST, LONGER] = [8, 40, 60]; // pixels of a line, and on a phone; nearer, a name needs none but where others are near
const OTHERS = 24; // pixels beside a name in which points of others ask whose it is
const FIELD = 20; // pixels away from the points of an event with a field around it
const SMALL = { true: 20, false: 5 }; // times the size of a group that the largest may have while all is seen; an archive has no texts
const CLUSTER = 44; // pixels around the point of a name in which no other group is named
const RIM = 64; // points of a group from which a line leads to one of the outermost
const AROUND = [[0, -1], [0, 1], [1, 0], [-1, 0], [1, -1], [-1, -1], [1, 1], [-1, 1],
  [0.5, -1], [-0.5, -1], [0.5, 1], [-0.5, 1], [1, -0.5], [-1, -0.5], [1, 0.5], [-1, 0.5]];
// Where a name is tried: around all of its group, then around its point; and pixels away from these.
const SPOTS = [[1, 12], [1, 20], [1, 30], [0, 12], [0, 24], [0, 38], [0, 54], [0, 72]]
  .flatMap(([whole, far]) => AROUND.map((spot) => [...spot, far, whole]));

const within = (at, low, high) => Math.max(low, Math.min(at, high));
const far = ([x, y], [toX, toY]) => Math.hypot(toX - x, toY - y);
const nearest = (places, to) => places.reduce((best, place) => (far(place, to(place)) < far(best, to(best)) ? place : best));

// What a line from one place to another touches: small boxes along it.
function dots([x, y], [toX, toY]) {
  const many = Math.ceil(far([x, y], [toX, toY]) / 4);
  return Array.from({ length: many }, (_, at) => [x + ((toX - x) * at) / many, y + ((toY - y) * at) / many])
    .map(([left, top]) => ({ left, top, right: left + 1, bottom: top + 1 }));
}

// Counts the points of the window; gives how many lie in a box.
function crowd({ count, x, y }, view) {
  const [wide, high] = [Math.ceil(view.width / CELL) + 1, Math.ceil(view.height / CELL) + 1];
  const sums = new Uint32Array(wide * high); // of each cell and all that are above and left of it
  for (let at = 0; at < count; at++) {
    const [across, down] = [view.across(x[at]), view.down(y[at])];
    if (across < 0 || down < 0 || across > view.width || down > view.height) continue;
    sums[(Math.floor(down / CELL) + 1) * wide + Math.floor(across / CELL) + 1] += 1;
  }
  for (let at = wide; at < sums.length; at++) {
    sums[at] += sums[at - wide] + (at % wide ? sums[at - 1] - sums[at - wide - 1] : 0);
  }
  const cell = (pixel, most) => Math.max(0, Math.min(most - 1, Math.ceil(pixel / CELL)));
  return ({ left, top, right, bottom }, edge) => {
    const [from, to] = [cell(left - edge - CELL, wide), cell(right + edge, wide)];
    const [above, below] = [cell(top - edge - CELL, high) * wide, cell(bottom + edge, high) * wide];
    return sums[below + to] - sums[below + from] - sums[above + to] + sums[above + from];
  };
}

const pen = document.createElement("canvas").getContext("2d");
const words = new Intl.Segmenter(undefined, { granularity: "word" });
const pieces = (text) => [...words.segment(text)].map(({ segment }) => segment);

// A title in two lines or three, shortened by words; scripts without spaces and endless words break where they can.
function broken(title, most, rows) {
  const width = (text) => pen.measureText(text).width;
  const parts = title.split(/(?<=\s)/u)
    .flatMap((word) => (width(word) > most ? pieces(word) : [word]))
    .flatMap((word) => (width(word) > most ? [...word] : [word]));
  const lines = [""];
  for (const part of parts) {
    const last = lines.length - 1;
    if (!lines[last] || width((lines[last] + part).trimEnd()) <= most) lines[last] += part;
    else if (last + 1 === rows) {
      lines[last] = `${lines[last].trimEnd()}…`;
      break;
    } else lines.push(part);
  }
  const wides = lines.map((line) => width(line.trim()));
  return { text: lines.map((line) => line.trim()).join("\n"), wide: Math.ceil(Math.max(...wides)) + 2, wides };
}

class Names {
  constructor(root) {
    Object.assign(this, { root, list: [], looks: new Map(), spots: new Map() });
    document.fonts.ready.then(() => this.looks.clear());
  }

  // What is named, the largest first; each group with its first point and the one after its last.
  take(list, points) {
    this.list = list.map(([title, point]) => {
      const [begin, end] = groupOf(points, point);
      return { title, point, begin, end };
    });
    this.largest = Math.max(2, ...this.list.map(({ begin, end }) => end - begin));
  }

  mark(bits) {
    const chosen = (point) => (bits[point >> 3] >> (point & 7)) & 1;
    this.chosen = bits && chosen;
    for (const name of this.list) {
      name.bright = !bits;
      for (let at = name.begin; at < name.end && !name.bright; at++) name.bright = Boolean(chosen(at));
    }
  }

  look(title, size, letters, weight, rows) {
    const known = `${weight} ${size} ${letters} ${rows} ${title}`;
    if (!this.looks.has(known)) {
      pen.font = `${weight} ${size}px ${(this.face ??= getComputedStyle(this.root).fontFamily)}`;
      this.looks.set(known, { ...broken(title, letters * size, rows), size, weight });
    }
    return this.looks.get(known);
  }

  write(map) {
    const { root } = this;
    const { view, points, data, texts } = map;
    const taken = [];
    const times = Math.max(1, view.zoom / view.whole);
    const first = Math.min((view.width * view.height) / ROOM, view.width > PHONE ? MOST : MOST / 2);
    const most = first * (1 + Math.log2(times));
    const scale = data.letters;
    const rows = points.count <= FEW && view.width > PHONE ? 3 : 2;
    const radius = view.size(points.count) / 2;
    const shown = new Map();
    const [leaders, rims] = [[], []];
    const over = map.moving && points.count > MANY ? () => Infinity : crowd(points, view);
    const on = (at) => [view.across(points.x[at]), view.down(points.y[at])];
    const field = (map.event ?? map.seen)?.[0];
    const put = (title, point, rim, size, quiet, begin = -1, bright = false) => {
      if (shown.has(title)) return;
      const [across, down] = on(point);
      if (!map.inside([across, down])) return;
      const look = this.look(title, Math.round(size * scale), view.width > PHONE ? 11.5 : 6.5, begin < 0 ? 400 : 600, rows);
      const [wide, line] = [look.wide, look.size * 1.25];
      const high = look.wides.length * line;
      const own = rim.map(on);
      const [left, right, top, bottom] = [0, 1].flatMap((axis) => [Math.min, Math.max]
        .map((end) => end(...own.map((place) => place[axis]))));
      const usual = map.moving && this.spots.get(title);
      let [best, least] = [null, Infinity];
      for (const spot of usual ? [usual, ...SPOTS] : SPOTS) {
        const [x, y, away, whole] = spot;
        if (away >= least || (begin === field && (!whole || away < FIELD))) continue;
        const [fromX, toX, fromY, toY] = whole ? [left, right, top, bottom] : [across, across, down, down];
        const [halfX, halfY] = [(toX - fromX + wide) / 2 + radius + away, (toY - fromY + high) / 2 + radius + away];
        const at = within((fromX + toX) / 2 + x * halfX - wide / 2, 4, view.width - wide - 4);
        const above = within((fromY + toY) / 2 + y * halfY - high / 2, 4, view.height - high - 4);
        const box = { left: at, top: above, right: at + wide, bottom: above + high };
        const covered = spot === usual ? 0 : over(box, radius + 3);
        if (covered && !bright) continue;
        const from = nearest(own, (place) => [within(place[0], box.left, box.right), within(place[1], box.top, box.bottom)]);
        // To the letters, which are centred, and not to the corner of their box.
        const end = nearest(look.wides.map((part, row) => {
          const middle = at + wide / 2;
          const [begin, stop] = [above + (row + 0.15) * line, above + (row + 0.85) * line];
          return [within(from[0], middle - part / 2, middle + part / 2), within(from[1], begin, stop)];
        }), () => from);
        const long = far(from, end);
        if (long > (view.width > PHONE ? LONGEST : LONGER) + APART && !bright) continue;
        const part = (share) => [0, 1].map((axis) => from[axis] + ((end[axis] - from[axis]) * share) / (long || 1));
        const [begins, ends] = [part(radius), part(Math.max(radius, long - APART))];
        const led = dots(begins, ends);
        const free = [box, ...led].every((one, own) => taken.every((other) => {
          const apart = own ? 1 : APART;
          return one.left >= other.right + apart || other.left >= one.right + apart
            || one.top >= other.bottom + apart || other.top >= one.bottom + apart;
        }));
        if (!free) continue;
        // A line beside a point of another misleads.
        const met = led.some((dot) => far(from, [dot.left, dot.top]) > 2 * BESIDE && over(dot, BESIDE - CELL));
        if (met && !bright) continue;
        const near = ([x, y]) => x > box.left - OTHERS && x < box.right + OTHERS && y > box.top - OTHERS && y < box.bottom + OTHERS;
        const doubtful = over(box, OTHERS) > own.filter(near).length;
        const short = far(begins, ends) < SHORTEST;
        const cost = spot === usual ? 0 : long + far([at + wide / 2, above + high / 2], [across, down]) / 4
          + 1e3 * (covered + met) + OTHERS * (doubtful && short);
        if (cost < least) [best, least] = [{ spot, box, led, line: short && !doubtful ? [] : [begins, ends] }, cost];
      }
      if (!best) return;
      taken.push(best.box, ...best.led);
      if (best.line.length) leaders.push(`M${best.line.join("L")}`);
      this.spots.set(title, best.spot);
      shown.set(title, { ...look, ...best.box, high, quiet, from: [across, down] });
    };
    // Named or not: what lies within one line is one event.
    if (points.count <= FEW) for (const group of points.groups) if (group[0] !== field) rims.push(edges(points, group, view, 1));
    const larger = [];
    for (const bright of [true, false]) for (const name of this.list) {
      // From afar a small group would stand for the large one that it lies in.
      if (shown.size >= most || (name.end - name.begin) * SMALL[Boolean(data.texts)] * times < this.largest) break;
      if (name.bright !== bright) continue;
      const size = view.width > PHONE ? 13 + Math.round((2 * Math.log(name.end - name.begin)) / Math.log(this.largest)) : 13;
      const near = view.width > PHONE ? CLUSTER : CLUSTER / 2;
      if ([...shown.values()].some(({ from }) => far(from, on(name.point)) < near)) continue;
      if (larger.some((place) => far(place, on(name.point)) < CLUSTER / 2)) continue; // it lies under that one
      larger.push(on(name.point));
      const { begin, end } = name;
      name.rim ??= end - begin > RIM ? hull(points, members([begin, end])) : members([begin, end]);
      put(name.title, name.point, name.rim, size, !bright, begin, bright && this.chosen);
    }
    let tried = 0;
    for (let at = 0; texts && times >= NEAR && at < points.count; at++) {
      if (shown.size >= most || tried > TRIED) break;
      const point = (at * 7919) % points.count; // all over the map
      if (!map.inside(on(point)) || (this.chosen && !this.chosen(point))) continue;
      tried += 1;
      put(texts[point][0], point, [point], 13, false);
    }
    root.querySelector(".leaders").setAttribute("d", leaders.join(""));
    root.querySelector(".rims").setAttribute("d", rims.join(""));
    this.draw([...shown.values()]);
  }

  draw(shown) {
    const box = this.root.querySelector(".names");
    while (box.children.length > shown.length) box.lastChild.remove();
    shown.forEach(({ text, left, top, wide, high, size, weight, quiet }, at) => {
      const name = box.children[at] ?? box.appendChild(document.createElement("span"));
      if (name.textContent !== text) name.textContent = text;
      Object.assign(name.style, {
        width: `${wide}px`, height: `${high}px`, fontSize: `${size}px`, fontWeight: weight,
        transform: `translate(${left}px, ${top}px)`,
      });
      name.classList.toggle("quiet", quiet);
    });
  }
}
