// The map of a timeline or an archive: what a reader does with it. `point_drawing.js`, which draws, and
// `point_names.js` stand before it in one script.

const STEP = 8; // pixels that a press of an arrow key goes at least
const FILLED = 0.4; // share of the window that a chosen event has where the page opens with it

class PointMap {
  constructor(root) {
    this.root = root;
    this.canvas = root.querySelector("canvas");
    this.view = new View();
    this.names = new Names(root);
    this.lasso = null;
    this.pointer = this.looked = -1;
    new ResizeObserver(() => this.resize()).observe(root);
    document.fonts.ready.then(() => this.request());
    listen(this);
  }

  async show(data, tell) {
    const before = this.data ?? {};
    Object.assign(this, { data, tell });
    this.palette = new Float32Array(data.palette.flatMap((colour) =>
      [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)));
    this.canvas.setAttribute("aria-label", data.label);
    this.legend();
    if (before.points !== data.points) await this.load(before.place === data.place);
    if (!this.points) return;
    data = this.data; // the last of those that came meanwhile
    if (data.colours && this.coloured !== data.colours) this.paint.colour(bytesOf(data.colours));
    this.coloured = data.colours;
    if (this.marked !== data.marked || this.named !== data.names) {
      const marked = data.marked ? await readMarks(data.marked, this.points.count) : {};
      if (this.data !== data) return;
      this.paint.mark(marked.marks ?? null);
      this.names.mark(marked.bits);
      this.marked = data.marked;
      // Whether what is selected is one event.
      const marks = marked.marks ?? [];
      const [begin, end] = marks.length ? groupOf(this.points, marks[0]) : [0, -1];
      const was = this.event?.[0];
      this.event = marks.length === end - begin && marks.every((at) => at >= begin && at < end) ? [begin, end] : null;
      this.root.classList.toggle("near", Boolean(data.follows && this.event));
      this.resize();
      if (data.follows && this.event && this.event[0] !== was) this.goTo(this.event, !before.points);
    }
    this.name(data);
    this.root.dataset.marked = data.marked ? data.found : "";
    this.request();
  }

  address(path) {
    const base = window.__streamlit?.BACKEND_BASE_URL ?? location.origin;
    return new URL(path.replace(/^\//, ""), base.replace(/\/?$/, "/")).href;
  }

  // Another map, or the same made anew: nothing of the one before stays but where one looks.
  clear(stay) {
    this.paint?.free();
    Object.assign(this, { points: null, paint: null, texts: null, marked: null, event: null, named: null, coloured: "" });
    this.names.list = [];
    this.pointer = -1;
    if (!stay) Object.assign(this.view, View.start);
    this.root.querySelector(".names").replaceChildren();
    this.look(null);
    this.resize();
  }

  async load(stay) {
    const says = this.root.querySelector(".says");
    says.textContent = "Loading the map…";
    const { data } = this;
    this.clear(stay);
    let points = null;
    try {
      points = await once(this.address(data.points), readPoints);
    } catch {
      if (data.points !== this.data.points) return;
      says.textContent = "The map could not be loaded.";
      // Made anew or removed since the page was drawn: drawn again, the page says so.
      if (this.missed !== data.points) this.tell("missed", true);
      this.missed = data.points;
      return;
    }
    if (data.points !== this.data.points) return;
    says.textContent = "";
    // Of its own: colours are changed.
    this.points = { ...points, colours: points.colours.slice() };
    this.paint = painter(this.canvas, this.points);
    if (!this.paint) {
      this.points = null;
      this.tell("picture", true);
      return;
    }
    this.resize();
  }

  // Names come after the points, texts of single headlines after these.
  async name(data) {
    const { points } = this;
    const same = () => this.points === points && this.data.names === data.names;
    try {
      if (this.named !== data.names) {
        const names = await once(this.address(data.names), readJson);
        if (!same()) return;
        this.names.take(names, points);
        this.names.mark(this.data.marked ? (await readMarks(this.data.marked, points.count)).bits : null);
        this.named = data.names;
        this.request();
      }
      if (!data.texts) return;
      const texts = await once(this.address(data.texts), readJson);
      if (same()) this.texts = texts;
      this.request();
    } catch { /* a map without names is a map */ }
  }

  legend() {
    const legend = this.root.parentElement.querySelector(".legend");
    legend.replaceChildren(...this.data.legend.map(([paint, said]) => {
      const [entry, swatch] = [document.createElement("span"), document.createElement("i")];
      swatch.style.background = paint;
      swatch.classList.toggle("scale", paint.startsWith("linear"));
      entry.append(swatch, said);
      return entry;
    }));
  }

  resize() {
    const box = this.canvas.getBoundingClientRect();
    if (!box.width) return;
    const { view } = this;
    const fits = !view.zoom || view.zoom === view.whole;
    Object.assign(view, { width: box.width, height: box.height, ratio: Math.min(devicePixelRatio, 2) });
    view.wide = this.data?.fills ? Math.min(1.6, Math.max(0.75, box.width / box.height)) : 1;
    Object.assign(view, { dot: this.data?.fills ? 0.9 : 0.43, span: this.points?.span ?? [SPAN, SPAN] });
    view.share = this.points?.count <= FEW ? 0.9 : 0.94; // lines around events keep clear of the frame
    if (fits) view.zoom = view.whole;
    this.canvas.width = Math.round(box.width * view.ratio);
    this.canvas.height = Math.round(box.height * view.ratio);
    this.request();
  }

  // Goes to a chosen event: close where the page opens with it, else no further than needed.
  goTo([begin, end], close) {
    const { view } = this;
    const [[left, right], [low, high]] = [this.points.x, this.points.y].map((side) => side.slice(begin, end))
      .map((side) => [side.reduce((a, b) => Math.min(a, b)), side.reduce((a, b) => Math.max(a, b))]);
    const [x, y, radius] = [(left + right) / 2, (low + high) / 2, Math.max(right - left, high - low, SPAN / 250) / 2];
    const inside = Math.abs(view.across(x) - view.width / 2) < view.width * 0.45
      && Math.abs(view.down(y) - view.height / 2) < view.height * 0.45;
    const room = Math.min(view.width, view.height) * FILLED - 2 * view.beside;
    if (close) view.zoom = Math.max(view.whole, Math.min(view.whole * 30, room / (2 * radius)));
    if (close || !inside) Object.assign(view, { x, y });
  }

  request(moving = false) {
    this.moving = moving;
    clearTimeout(this.resting);
    if (moving) this.resting = setTimeout(() => this.request(), REST);
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      if (this.points) this.draw();
    });
  }

  draw() {
    const slow = this.took > SLOW && this.moving;
    const every = slow ? Math.min(MOST_LEFT_OUT, Math.ceil(this.took / SLOW) * 2) : 1;
    const named = this.names.write(this);
    const took = this.paint.draw(this.view, this.palette, every, this.data.plain, this.seen, named);
    if (every === 1) this.took = took;
    outline(this);
    this.point();
    this.root.dataset.drawn = every === 1 ? took.toFixed(0) : "";
  }

  // The group that is looked at; where nothing is, nor selected, the one that the page opens with.
  get seen() {
    const at = this.looked < 0 && !this.data.marked ? this.data.opening : this.looked;
    return at < 0 ? null : groupOf(this.points, at);
  }

  // The point at a place of the window, nearest first, within some pixels; -1 for none.
  nearest(place, within = 8) {
    const { count, x, y } = this.points;
    const [atX, atY] = this.view.at(place);
    let best = (within / this.view.zoom) ** 2;
    let found = -1;
    for (let one = 0; one < count; one++) {
      const away = ((x[one] - atX) * this.view.wide) ** 2 + (y[one] - atY) ** 2;
      if (away <= best) [best, found] = [away, one];
    }
    return found;
  }

  place(point) {
    return [this.view.across(this.points.x[point]), this.view.down(this.points.y[point])];
  }

  inside([x, y], edge = 0) {
    const { width, height } = this.view;
    return x >= edge && y >= edge && x <= width - edge && y <= height - edge;
  }

  // The point that the keys are at, else the one nearest to the middle.
  middle() {
    if (this.pointer >= 0 && this.inside(this.place(this.pointer))) return this.pointer;
    return this.nearest([this.view.width / 2, this.view.height / 2], 1e6);
  }

  // Zooms toward a point, never to where there is none.
  closer() {
    const point = this.middle();
    if (!this.inside(this.place(point))) Object.assign(this.view, { x: this.points.x[point], y: this.points.y[point] });
    this.view.scale(1.5, this.place(point));
  }

  // Goes on to the nearest point in a direction; the window follows.
  step(right, down) {
    if (!this.points) return;
    const { view } = this;
    const at = this.middle();
    const begins = at === this.pointer;
    const from = this.place(at);
    let [next, least] = [begins ? -1 : at, Infinity];
    for (let point = 0; begins && point < this.points.count; point++) {
      const [x, y] = [view.across(this.points.x[point]) - from[0], view.down(this.points.y[point]) - from[1]];
      const along = x * right + y * down;
      const far = along + 2 * Math.abs(x * down + y * right);
      if (along >= STEP && far < least) [next, least] = [point, far];
    }
    if (next >= 0) this.pointer = next;
    if (next < 0) view.move((-right * view.width) / 8, (-down * view.height) / 8);
    else if (!this.inside(this.place(next), 24)) Object.assign(view, { x: this.points.x[next], y: this.points.y[next] });
    this.look(this.pointer < 0 ? null : this.place(this.pointer), this.pointer);
  }

  // A ring around the point that is looked at.
  point() {
    const cross = this.root.querySelector(".cross");
    cross.style.display = this.looked < 0 ? "" : "block";
    if (this.looked < 0) return;
    const [x, y] = this.place(this.looked);
    cross.style.transform = `translate(${x - 9}px, ${y - 9}px)`;
  }

  async textOf(point) {
    const { texts, text } = this.data;
    return texts ? (await once(this.address(texts), readJson))[point]
      : Object.values(await once(this.address(`${text}/${point}`), readJson));
  }

  // Shows the text of the point at a place, which is fetched unless the reader moves on.
  look(place, point = place && this.points ? this.nearest(place) : -1) {
    clearTimeout(this.looking);
    const tip = this.root.querySelector(".tip");
    if (point === this.looked && point >= 0) return;
    this.looked = point;
    tip.replaceChildren();
    this.request(this.moving);
    if (point < 0) return;
    this.looking = setTimeout(async () => {
      const said = await this.textOf(point).catch(() => null);
      if (!said || this.looked !== point) return;
      tip.replaceChildren(said[0], ...said.slice(1).filter(Boolean).map((line) => {
        const small = document.createElement("small");
        small.textContent = line;
        return small;
      }));
      const { width, height } = this.view;
      const left = Math.min(place[0] + 12, width - tip.offsetWidth - 4);
      const below = place[1] + 16 + tip.offsetHeight < height;
      const top = below ? place[1] + 16 : place[1] - tip.offsetHeight - 10;
      tip.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
    }, 70);
  }

  choose(place) {
    const point = this.points && place ? this.nearest(place, 12) : this.pointer;
    if (point >= 0) this.tell("point", point);
  }

  close() {
    const corners = simpler(this.lasso ?? []).map((place) => this.view.at(place)
      .map((one) => Math.round(Math.min(SPAN, Math.max(0, one)))));
    this.lasso = null;
    if (corners.length > 2) this.tell("lasso", corners);
    outline(this); // the points stay as they are until the answer comes
  }
}

function listen(map) {
  const { root, canvas, view } = map;
  const held = new Map(); // pointers that are down, by their numbers
  let begun = null;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const keys = (on) => root.classList.toggle("keys", on);
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    keys(false);
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, place(event));
    begun = held.size === 1 ? place(event) : null;
    map.look(null);
    const lassos = held.size === 1 && (event.shiftKey || root.classList.contains("lassos"));
    map.lasso = lassos ? [place(event)] : null;
  });
  canvas.addEventListener("pointermove", (event) => {
    const [before, now] = [held.get(event.pointerId), place(event)];
    if (!before) {
      if (event.pointerType === "mouse") map.look(now);
      return;
    }
    held.set(event.pointerId, now);
    if (map.lasso) {
      map.lasso.push(now);
      outline(map);
      return;
    }
    if (held.size === 2) {
      const other = [...held].find(([number]) => number !== event.pointerId)[1];
      const apart = (one) => Math.hypot(one[0] - other[0], one[1] - other[1]);
      view.scale(apart(now) / Math.max(1, apart(before)), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
      view.move((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
    } else view.move(now[0] - before[0], now[1] - before[1]);
    if (begun && Math.hypot(now[0] - begun[0], now[1] - begun[1]) > 5) begun = null;
    map.request(true);
  });
  const up = (event) => {
    if (!held.delete(event.pointerId)) return;
    if (map.lasso?.length > 2) map.close();
    else if (begun && event.type === "pointerup") map.choose(begun);
    map.lasso = null;
    begun = null;
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", () => map.look(null));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    map.look(null);
    view.scale(Math.exp(-Math.sign(event.deltaY) * Math.min(0.4, Math.abs(event.deltaY) / 400)), place(event));
    map.request(true);
  }, { passive: false });
  const steps = {
    ArrowLeft: () => map.step(-1, 0),
    ArrowRight: () => map.step(1, 0),
    ArrowUp: () => map.step(0, -1),
    ArrowDown: () => map.step(0, 1),
    Enter: () => map.choose(null),
    Escape: () => map.tell("point", -1),
    "+": () => map.closer(),
    "-": () => view.scale(1 / 1.5),
    0: () => Object.assign(view, View.start, { zoom: view.whole }),
  };
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = steps[event.key === "=" ? "+" : event.key];
    if (!step || !map.points) return;
    event.preventDefault();
    event.stopPropagation();
    keys(true);
    step();
    map.request(true);
  });
  canvas.addEventListener("blur", () => keys(false));
  root.querySelector(".tools").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.step && map.points) {
      steps[button.dataset.step]();
      map.request();
    } else if (button && !button.dataset.step) {
      const on = root.classList.toggle("lassos");
      button.setAttribute("aria-pressed", on);
    }
  });
}
