// Names on the map: those of the largest groups from afar, of smaller ones and of headlines the nearer one
// looks; none covers another, nor a line that leads from a name to its point, nor, unless it is chosen, a point.

const ROOM = 26000; // pixels of the window for each name while the whole map is seen
const MOST = 12; // names while the whole map is seen; on a phone half as many
const PHONE = 640; // pixels of the window
const NEAR = 1.5; // times the whole map from which single headlines are named
const TRIED = 400; // headlines that are tried for a place
const MANY = 100000; // points from which names stay where they are while the map moves
const MET = 50; // pixels that a line may be longer so that it meets no points once less
const CELL = 4; // pixels of a cell in which points are counted
const APART = 4; // pixels between two names
const SMALL = 20; // times the size of a group that the largest may have while the whole map is seen
const CLUSTER = 44; // pixels around the point of a name in which no other group is named
const AWAY = [0, 14, 30, 48, 68]; // pixels that a name goes away from its point, to be free
const AROUND = [[0, -1], [0, 1], [1, 0], [-1, 0], [1, -1], [-1, -1], [1, 1], [-1, 1],
  [0.5, -1], [-0.5, -1], [0.5, 1], [-0.5, 1], [1, -0.5], [-1, -0.5], [1, 0.5], [-1, 0.5]];
const SPOTS = AWAY.flatMap((far) => AROUND.map((spot) => [...spot, far]));

// What a line from one place to another touches: small boxes along it.
function dots([x, y], [toX, toY]) {
  const many = Math.ceil(Math.hypot(toX - x, toY - y) / 4);
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

// A title in two lines, shortened by words; scripts without spaces and endless words break where they can.
function broken(title, most) {
  const width = (text) => pen.measureText(text).width;
  const parts = title.split(/(?<=\s)/u)
    .flatMap((word) => (width(word) > most ? pieces(word) : [word]))
    .flatMap((word) => (width(word) > most ? [...word] : [word]));
  const lines = [""];
  for (const part of parts) {
    const last = lines.length - 1;
    if (!lines[last] || width((lines[last] + part).trimEnd()) <= most) lines[last] += part;
    else if (last) {
      lines[last] = `${lines[last].trimEnd()}…`;
      break;
    } else lines.push(part);
  }
  const wide = Math.max(...lines.map((line) => width(line.trimEnd())));
  return { text: lines.map((line) => line.trim()).join("\n"), wide: Math.ceil(wide) + 2, lines: lines.length };
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

  look(title, size, letters) {
    const known = `${size} ${letters} ${title}`;
    if (!this.looks.has(known)) {
      pen.font = `${size > 13 ? 600 : 400} ${size}px ${(this.face ??= getComputedStyle(this.root).fontFamily)}`;
      this.looks.set(known, { ...broken(title, letters * size), size });
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
    const radius = view.size(points.count) / 2;
    const shown = new Map();
    const leaders = [];
    const over = map.moving && points.count > MANY ? () => Infinity : crowd(points, view);
    const put = (title, point, size, quiet, bright = false) => {
      if (shown.has(title)) return;
      const [across, down] = [view.across(points.x[point]), view.down(points.y[point])];
      if (across < 0 || down < 0 || across > view.width || down > view.height) return;
      const look = this.look(title, Math.round(size * scale), view.width > PHONE ? 11.5 : 8);
      const [wide, high] = [look.wide, look.lines * look.size * 1.25];
      const usual = map.moving && this.spots.get(title);
      let [best, least] = [null, Infinity];
      for (const spot of usual ? [usual, ...SPOTS] : SPOTS) {
        if (spot[2] >= least) break;
        const away = radius + 3 + spot[2];
        const at = across + spot[0] * (wide / 2 + away) - wide / 2;
        const above = down + spot[1] * (high / 2 + away) - high / 2;
        const left = Math.max(4, Math.min(at, view.width - wide - 4));
        const top = Math.max(4, Math.min(above, view.height - high - 4));
        const box = { left, top, right: left + wide, bottom: top + high };
        const ends = [Math.max(left, Math.min(across, left + wide)), Math.max(top, Math.min(down, top + high))];
        const covered = spot === usual ? 0 : over(box, radius);
        if (covered && !bright) continue;
        const line = spot[2] ? dots([across, down], ends) : [];
        const free = [box, ...line].every((own, part) => taken.every((other) => {
          const apart = part ? 1 : APART;
          return own.left >= other.right + apart || other.left >= own.right + apart
            || own.top >= other.bottom + apart || other.top >= own.bottom + apart;
        }));
        if (!free) continue;
        // A short line that meets no other points is best; one through two clusters misleads.
        const met = line.filter((dot, at) => at && over(dot, 0) && !over(line[at - 1], 0)).length;
        if (met > 1 && !bright) continue;
        const cost = spot === usual ? 0 : spot[2] + MET * met + 1e3 * covered;
        if (cost < least) [best, least] = [{ spot, box, line, ends, from: [across, down] }, cost];
      }
      if (!best) return;
      taken.push(best.box, ...best.line);
      if (best.line.length) leaders.push(`M${best.from}L${best.ends}`);
      this.spots.set(title, best.spot);
      shown.set(title, { ...look, ...best.box, high, quiet, from: [across, down] });
    };
    for (const bright of [true, false]) for (const name of this.list) {
      // From afar a small group would stand for the large one that it lies in.
      if (shown.size >= most || (name.end - name.begin) * SMALL * times < this.largest) break;
      const size = 12 + Math.round((3 * Math.log(name.end - name.begin)) / Math.log(this.largest));
      const [across, down] = [view.across(points.x[name.point]), view.down(points.y[name.point])];
      const near = view.width > PHONE ? CLUSTER : CLUSTER / 2;
      if ([...shown.values()].some(({ from }) => Math.hypot(from[0] - across, from[1] - down) < near)) continue;
      if (name.bright === bright) put(name.title, name.point, size, !bright, bright && this.chosen);
    }
    let tried = 0;
    for (let at = 0; texts && times >= NEAR && at < points.count; at++) {
      if (shown.size >= most || tried > TRIED) break;
      const point = (at * 7919) % points.count; // all over the map
      const [across, down] = [view.across(points.x[point]), view.down(points.y[point])];
      if (across < 0 || down < 0 || across > view.width || down > view.height) continue;
      if (this.chosen && !this.chosen(point)) continue;
      tried += 1;
      put(texts[point][0], point, 12, false);
    }
    root.querySelector(".leaders").setAttribute("d", leaders.join(""));
    this.draw([...shown.values()]);
  }

  draw(shown) {
    const box = this.root.querySelector(".names");
    while (box.children.length > shown.length) box.lastChild.remove();
    shown.forEach(({ text, left, top, wide, high, size, quiet }, at) => {
      const name = box.children[at] ?? box.appendChild(document.createElement("span"));
      if (name.textContent !== text) name.textContent = text;
      Object.assign(name.style, {
        width: `${wide}px`, height: `${high}px`, fontSize: `${size}px`, fontWeight: size > 13 ? 600 : 400,
        transform: `translate(${left}px, ${top}px)`,
      });
      name.classList.toggle("quiet", quiet);
    });
  }
}
