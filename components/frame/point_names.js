// Names on the map: those of the largest groups from afar, of smaller ones and of headlines the nearer one
// looks; none covers another, nor a line that leads from a name to its point, nor, unless it is chosen, a point.

const MOST = 12; // names while the whole map is seen
const LARGEST = 10; // groups of a map of many points that are dark then, and lines of their list before others are folded
const PHONE = 640; // pixels of the window, up to which groups have numbers and no names
const ORDERS = 40; // in which names are tried before all events have numbers
const [LETTERS, SIZE, DIGITS] = [11.5, 14, 13]; // widths of a letter in a line; pixels of names and numbers
const SHAPES = [[2, LETTERS], [2, 8.5], [2, 15]]; // lines of a name, the best first, and the width of each in sizes of a letter
const EDGE = 7; // pixels between a name and a line around a group
const NEAR = 1.5; // times the whole map from which single headlines are named
const TRIED = 400; // headlines that are tried for a place
const MANY = 100000; // points from which names stay where they are while the map moves
const CELL = 4; // pixels of a cell in which points are counted
const APART = 4; // pixels between two names, and between a line and the letters it leads to
const BESIDE = 6; // pixels beside a line in which there is no other point
const [SHORTEST, LONGEST] = [8, 72]; // pixels of a line; nearer, a name needs none but where others are near
const OTHERS = 24; // pixels beside a name in which points of others ask whose it is
const SMALL = { true: 20, false: 12 }; // times the size of a group that the largest may have while all is seen; an archive has no texts
const FRAME = 12; // pixels from a name of an archive to the next and to the frame
const CLUSTER = 44; // pixels around the point of a name in which no other group is named
const RIM = 64; // points of a group from which a line leads to one of the outermost
const AROUND = [[0, -1], [0, 1], [1, 0], [-1, 0], [1, -1], [-1, -1], [1, 1], [-1, 1],
  [0.5, -1], [-0.5, -1], [0.5, 1], [-0.5, 1], [1, -0.5], [-1, -0.5], [1, 0.5], [-1, 0.5]];
// Where a name is tried: around all of its group, then around its point; and pixels away from these.
const SPOTS = [[1, 13], [1, 20], [1, 30], [1, 38], [0, 12], [0, 24], [0, 38], [0, 54], [0, 63], [0, 72], [0, 81], [0, 90], [1, 54], [1, 72]]
  .flatMap(([whole, far]) => AROUND.map((spot) => [...spot, far, whole]));

const within = (at, low, high) => Math.max(low, Math.min(at, high));
const far = ([x, y], [toX, toY]) => Math.hypot(toX - x, toY - y);
const nearest = (places, to) => places.reduce((best, place) => (far(place, to(place)) < far(best, to(best)) ? place : best));

const toward = ([x, y], [toX, toY], pixels) => {
  const share = pixels / (far([x, y], [toX, toY]) || 1);
  return [x + (toX - x) * share, y + (toY - y) * share];
};
const clear = (one, other, apart) => one.left >= other.right + apart || other.left >= one.right + apart
  || one.top >= other.bottom + apart || other.top >= one.bottom + apart;

// Whether so many pixels lie between a box and a part of a group: there is a line between them (Gottschalk 1996).
function outside(box, rim, edge) {
  const corners = [box.left, box.right].flatMap((x) => [[x, box.top], [x, box.bottom]]);
  return rim.some(([fromX, fromY], at) => {
    const [toX, toY] = rim[(at + 1) % rim.length];
    const long = Math.hypot(toX - fromX, toY - fromY) || 1;
    const [own, other] = [corners, rim].map((places) => places.map(([x, y]) => ((fromY - toY) * x + (toX - fromX) * y) / long));
    return Math.min(...own) - Math.max(...other) >= edge || Math.min(...other) - Math.max(...own) >= edge;
  });
}

const bounds = (places) => [0, 1].flatMap((axis) => [Math.min, Math.max]
  .map((end) => end(...places.map((place) => place[axis]))));

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

const made = (tag, ...inside) => {
  const element = document.createElement(tag);
  element.append(...inside);
  return element;
};

function numberedLine([place, title, facts], choose) {
  const line = made("button", made("b", place), made("span", title), made("small", facts));
  line.onclick = choose;
  return line;
}

class Names {
  constructor(root) {
    Object.assign(this, { root, list: [], looks: new Map(), spots: new Map() });
    document.fonts.ready.then(() => this.looks.clear());
  }

  // What is named, in the order of the list of events, the largest first.
  take(list, points) {
    this.list = list.map(([title, point, place], at) => {
      const [begin, end] = groupOf(points, point);
      const rim = end - begin > RIM ? hull(points, members([begin, end])) : members([begin, end]);
      return { title, point, begin, end, rim, place: place ?? at + 1 };
    });
    Object.assign(this, { here: "", shake: 0 });
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

  look(title, size, weight, [rows, letters] = [1, LETTERS]) {
    const known = `${weight} ${size} ${rows} ${title}`;
    if (!this.looks.has(known)) {
      pen.font = `${weight} ${size}px ${(this.face ??= getComputedStyle(this.root).fontFamily)}`;
      this.looks.set(known, { ...broken(title, letters * size, rows), size, weight });
    }
    return this.looks.get(known);
  }

  // Writes the names; gives the groups that are asked for one, in a map whose groups have no lines around them.
  write(map) {
    const { root } = this;
    const { view, points, data, texts } = map;
    const [few, phone] = [points.count <= FEW, view.width <= PHONE];
    const [between, frame] = few ? [APART, APART] : [FRAME, FRAME];
    const times = Math.max(1, view.zoom / view.whole);
    const most = (few ? MOST : LARGEST) * (1 + Math.log2(times));
    const radius = view.size(points.count) / 2;
    const shown = new Map();
    const over = map.moving && points.count > MANY ? () => Infinity : crowd(points, view);
    const on = (at) => [view.across(points.x[at]), view.down(points.y[at])];
    // Named or not: what lies within one line is one event.
    const field = map.event ?? map.seen;
    const [chosen] = map.event ?? (data.opening < 0 || data.marked ? [] : groupOf(points, data.opening));
    const shapes = [...(few ? points.groups : []), ...(field ? [field] : [])].map((group) => parts(points, group, view));
    const taken = () => [...shown.values()].flatMap(({ covers }) => covers);
    const tied = shapes.flatMap(({ ties }) => ties.flatMap((tie) => dots(...tie))); // a name's line may cross these
    const walls = shapes.flatMap(({ rims, begin }) => rims.filter(ringed).map((rim) => {
      const [left, right, top, bottom] = bounds(rim);
      return { rim, begin, left, right, top, bottom };
    }));
    const walled = (box, edge, but = () => false) => walls.some((wall) => !but(wall)
      && !clear(box, wall, edge) && !outside(box, wall.rim, edge));
    let shake = 0;
    const put = (title, point, rim, { begin = -1, bright = false, quiet = false, said = title } = {}) => {
      if (shown.has(title)) return;
      const [across, down] = on(point);
      if (!map.inside([across, down])) return;
      const own = rim.map(on);
      const [left, right, top, bottom] = bounds(own);
      const usual = map.moving && this.spots.get(title);
      const loud = begin === chosen;
      const others = taken();
      let [best, least] = [null, Infinity];
      for (const shape of few ? SHAPES : SHAPES.slice(-1)) for (const [number, spot] of (usual ? [usual, ...SPOTS] : SPOTS).entries()) {
        const look = this.look(said, Math.round(SIZE * data.letters), loud ? 600 : 400, shape);
        const [wide, line] = [look.wide, look.size * 1.25];
        const high = look.wides.length * line;
        const [x, y, away, whole] = spot;
        if (away >= least) continue;
        const [fromX, toX, fromY, toY] = whole ? [left, right, top, bottom] : [across, across, down, down];
        const [halfX, halfY] = [(toX - fromX + wide) / 2 + radius + away, (toY - fromY + high) / 2 + radius + away];
        const at = within((fromX + toX) / 2 + x * halfX - wide / 2, frame, view.width - wide - frame);
        const above = within((fromY + toY) / 2 + y * halfY - high / 2, frame, view.height - high - frame);
        const box = { left: at, top: above, right: at + wide, bottom: above + high };
        const covered = spot === usual ? 0 : over(box, radius + 3) + walled(box, view.beside + EDGE);
        if (covered && !bright) continue;
        const from = nearest(own, (place) => [within(place[0], box.left, box.right), within(place[1], box.top, box.bottom)]);
        // To the letters, which are centred, and not to the corner of their box.
        const end = nearest(look.wides.map((part, row) => {
          const middle = at + wide / 2;
          const [begin, stop] = [above + (row + 0.15) * line, above + (row + 0.85) * line];
          return [within(from[0], middle - part / 2, middle + part / 2), within(from[1], begin, stop)];
        }), () => from);
        const long = far(from, end);
        if (long > LONGEST + APART && !bright) continue;
        if (!few && !map.inside(from, radius)) continue; // that point is cut off
        const [begins, ends] = [radius, Math.max(radius, long - APART)].map((pixels) => toward(from, end, pixels));
        const led = dots(begins, ends);
        if (![box, ...led].every((part, at) => others.every((other) => clear(part, other, at ? 1 : between)))) continue;
        // A line beside a point or through the line around a group of another misleads.
        const met = led.some((dot) => (far(from, [dot.left, dot.top]) > 2 * BESIDE && over(dot, BESIDE - CELL))
          || walled(dot, view.beside, (wall) => wall.begin === begin));
        if (met && !bright) continue;
        const near = ([x, y]) => x > box.left - OTHERS && x < box.right + OTHERS && y > box.top - OTHERS && y < box.bottom + OTHERS;
        const doubtful = over(box, OTHERS) > own.filter(near).length;
        const short = far(begins, ends) < SHORTEST;
        const tie = tied.some((other) => !clear(box, other, APART));
        const cost = spot === usual ? 0 : long + 100 * tie + 2 * (said.length - look.text.length)
          + Math.abs(80 * Math.sin(shake * (number + 17 * title.length + high))) + far([at + wide / 2, above + high / 2], [across, down]) / 4
          + 1e3 * (covered + met) + OTHERS * (doubtful && short);
        if (cost < least) [best, least] = [{ look, high, spot, box, led, line: short && !doubtful ? [] : [begins, ends] }, cost];
      }
      if (!best) return;
      this.spots.set(title, best.spot);
      shown.set(title, { ...best.look, ...best.box, high: best.high, line: best.line, covers: [best.box, ...best.led], quiet, from: [across, down], begin });
    };
    // The place of an event in their list, inside of the line around it or right beside; of a group among many points, on
    // paper in its middle.
    const number = ({ place, begin, rim, bright }) => {
      const look = this.look(String(place), Math.round(DIGITS * data.letters), 600);
      const high = look.size * 1.25;
      const wide = few ? look.wide : Math.max(look.wide + 2, high);
      const others = taken();
      const { rims } = shapes.find((shape) => shape.begin === begin) ?? { rims: [rim.map(on)] };
      const away = (few ? view.beside : radius) + high / 2 + 2;
      for (const rim of rims) {
        const [left, right, top, bottom] = bounds(rim);
        const whole = !few && right - left > wide;
        const middle = whole ? [(left + right) / 2, (top + bottom) / 2]
          : [0, 1].map((axis) => rim.reduce((sum, corner) => sum + corner[axis], 0) / rim.length);
        const inner = [0, 0.3, 0.5, 0.7].flatMap((share) => rim.map((corner) => [toward(middle, corner, share * far(middle, corner)), rim]));
        const outer = rim.flatMap(([x, y]) => AROUND.flatMap(([right, low]) => [away, away + 4, away + 9]
          .map((pixels) => [[x + right * pixels, y + low * pixels]])))
          .sort(([one], [other]) => far(one, middle) - far(other, middle));
        for (const [[x, y], own] of whole ? [[middle, rim]] : rim.length > 2 ? [...inner, ...outer] : outer) {
          const box = { left: x - wide / 2, top: y - high / 2, right: x + wide / 2, bottom: y + high / 2 };
          if (!map.inside([box.left, box.top]) || !map.inside([box.right, box.bottom]) || (!whole && over(box, radius))) continue;
          if (walled(box, view.beside + 3, (wall) => wall.rim === own) || ![...others, ...tied].every((other) => clear(box, other, 1))) continue;
          return shown.set(place, { ...look, ...box, wide, high, line: [], covers: [box], quiet: !bright, begin, paper: !few });
        }
      }
      return null;
    };
    const called = ({ title, point, place, rim, begin, bright }, forced) => put(title, point, rim,
      { begin, bright: forced, quiet: Boolean(this.chosen) && !bright, said: data.follows && !map.event ? `${place} ${title}` : title });
    const inside = this.list.filter((name) => map.inside(on(name.point)));
    const larger = [];
    const here = map.moving ? this.here : `${Object.values(view)} ${data.letters}`;
    if (few && !phone) this.order(inside, here, most, (order) => {
      shown.clear();
      shake = this.shake;
      for (const name of order) called(name);
      shake = 0; // each then goes to the best place that the others leave
      for (const name of order) if (shown.delete(name.title)) called(name);
      return map.moving ? [] : order.filter(({ title }) => !shown.has(title));
    });
    else if (!few) for (const bright of [true, false]) for (const name of inside) {
      const { begin, end } = name;
      // From afar a small group would stand for the large one that it lies in.
      if (larger.length >= most || (end - begin) * SMALL[Boolean(data.texts)] * times < this.largest) break;
      if (name.bright !== bright || larger.some(({ point }) => far(on(point), on(name.point)) < CLUSTER / 2)) continue;
      larger.push(name); // where it finds no place, no smaller one has it
      if (!phone && ![...shown.values()].some(({ from }) => far(from, on(name.point)) < CLUSTER)) called(name, bright && this.chosen);
    }
    const unnamed = phone || (few && !this.ordered);
    if (unnamed) shown.clear();
    const asked = few ? inside.filter(() => unnamed) : larger.filter(({ title }) => !shown.has(title));
    // An archive has no list of groups once one is chosen.
    const numbered = data.follows && map.event ? [] : asked.filter(number);
    let tried = 0;
    for (let at = 0; texts && !unnamed && times >= NEAR && at < points.count; at++) {
      if (shown.size >= most || tried > TRIED) break;
      const point = (at * 7919) % points.count; // all over the map
      if (!map.inside(on(point)) || (this.chosen && !this.chosen(point))) continue;
      tried += 1;
      put(texts[point][0], point, [point]);
    }
    const leaders = [...shown.values()].filter(({ line }) => line.length).map(({ line }) => `M${line.join("L")}`).join("");
    root.querySelector(".leaders").setAttribute("d", leaders);
    const others = shapes.filter(({ begin }) => begin !== field?.[0]);
    root.querySelector(".rims").setAttribute("d", others.map((shape) => lines(shape, view)).join(""));
    root.querySelector(".ties").setAttribute("d", others.map(dotted).join(""));
    root.querySelector(".tied").hidden = !others.some(dotted);
    root.querySelector(".darker").hidden = Boolean(texts || map.event) || larger.length < 2;
    this.draw([...shown.values()]);
    if (!map.moving && !data.follows) this.count(numbered, map);
    return larger.filter(({ title, place }) => shown.has(title) || shown.has(place)).map(({ begin, end }) => [begin, end]);
  }

  // Looks once a window for an order in which all its events find a place for their names, those without one first,
  // each time with other places preferred; without one they have numbers.
  order(inside, here, most, without) {
    if (this.here !== here) Object.assign(this, { here, shake: 0, ordered: inside.length > most ? null : inside });
    for (let left; this.ordered && (left = without(this.ordered)).length; this.shake++) {
      this.ordered = this.shake < ORDERS ? [...left, ...this.ordered.filter((name) => !left.includes(name))] : null;
    }
  }

  draw(shown) {
    const box = this.root.querySelector(".names");
    while (box.children.length > shown.length) box.lastChild.remove();
    shown.forEach(({ text, left, top, wide, high, size, weight, quiet, paper }, at) => {
      const name = box.children[at] ?? box.appendChild(document.createElement("span"));
      if (name.textContent !== text) name.textContent = text;
      Object.assign(name.style, {
        width: `${wide}px`, height: `${high}px`, fontSize: `${size}px`, fontWeight: weight,
        transform: `translate(${left}px, ${top}px)`,
      });
      name.classList.toggle("quiet", quiet);
      name.classList.toggle("place", Boolean(paper));
    });
  }

  // Lines below the map of what has a number: they choose an event as a click on it does.
  count(numbered, map) {
    const said = JSON.stringify([numbered, map.event]);
    if (said === this.said) return;
    this.said = said;
    const lines = numbered.map(({ place, title, begin, end, point }) => {
      const size = `${(end - begin).toLocaleString("en")} headline${end - begin > 1 ? "s" : ""}`;
      const line = numberedLine([place, title, size], () => map.tell("point", point));
      line.setAttribute("aria-pressed", begin === map.event?.[0]);
      return line;
    });
    const chosen = lines.findIndex((line) => line.ariaPressed === "true"); // its headlines stand below
    if (chosen >= 0) lines.unshift(...lines.splice(chosen, 1));
    const rest = lines.splice(chosen < 0 ? (map.event ? 0 : LARGEST) : 1);
    if (rest.length) lines.push(made("details", made("summary", `${rest.length} ${lines.length ? "more" : "others"}`), ...rest));
    this.root.parentElement.querySelector(".listed").replaceChildren(...lines);
  }
}
