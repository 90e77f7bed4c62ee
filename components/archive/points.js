// The map of an archive: what a reader does with it. `drawing.js`, which draws, stands before it in one script.

class ArchiveMap {
  constructor(root) {
    this.root = root;
    this.canvas = root.querySelector("canvas");
    this.view = new View();
    this.names = [];
    this.marked = "";
    this.lasso = null;
    this.every = 1;
    new ResizeObserver(() => this.resize()).observe(root);
    listen(this);
  }

  async show(data, tell) {
    const before = this.data ?? {};
    Object.assign(this, { data, tell });
    this.palette = new Float32Array(data.palette.flatMap((one) =>
      [1, 3, 5].map((at) => parseInt(one.slice(at, at + 2), 16) / 255)));
    this.canvas.setAttribute("aria-label", data.label);
    const base = window.__streamlit?.BACKEND_BASE_URL ?? location.origin;
    this.address = new URL(data.address, base.replace(/\/?$/, "/")).href;
    if (before.address !== data.address) await this.load();
    if (this.points && this.marked !== data.marked) {
      const marks = data.marked ? await readMarks(data.marked, this.points.count) : null;
      if (this.data !== data) return;
      this.paint.mark(marks);
      this.marked = data.marked;
    }
    if (!this.points) return;
    this.root.dataset.marked = data.marked ? data.found : "";
    if (data.ring && before.ring?.join() !== data.ring.join()) this.goTo(data.ring, !before.address);
    this.request();
  }

  // Another archive, or the same made anew: nothing of the one before stays.
  clear() {
    this.paint?.free();
    Object.assign(this, { points: null, paint: null, names: [], marked: "" });
    Object.assign(this.view, { x: SPAN / 2, y: SPAN / 2, zoom: 0 });
    this.root.querySelector(".names").replaceChildren();
    this.look(null);
    this.resize();
  }

  async load() {
    const says = this.root.querySelector(".says");
    says.textContent = "Loading the map…";
    const address = this.address;
    this.clear();
    let points = null;
    try {
      points = await once(`${address}/points`, readPoints);
    } catch {
      if (address !== this.address) return;
      says.textContent = "The map could not be loaded.";
      // Made anew or removed since the page was drawn: drawn again, the page says so.
      if (this.missed !== address) this.tell("missed", true);
      this.missed = address;
      return;
    }
    if (address !== this.address) return;
    says.textContent = "";
    this.paint = painter(this.canvas, points);
    if (!this.paint) {
      this.tell("picture", true);
      return;
    }
    this.points = points;
    this.resize();
    once(`${address}/labels`, (got) => got.json()).then((names) => {
      if (address !== this.address) return;
      this.names = names;
      this.request();
    }, () => {});
  }

  resize() {
    const box = this.root.getBoundingClientRect();
    if (!box.width) return;
    const { view } = this;
    const fits = !view.zoom || view.zoom === view.whole;
    Object.assign(view, { width: box.width, height: box.height, ratio: Math.min(devicePixelRatio, 2) });
    if (fits) view.zoom = view.whole;
    this.canvas.width = Math.round(box.width * view.ratio);
    this.canvas.height = Math.round(box.height * view.ratio);
    this.request();
  }

  // Goes to a chosen group: close where the page opens with it, else no further than needed.
  goTo([x, y, radius], close) {
    const { view } = this;
    const inside = Math.abs(view.across(x) - view.width / 2) < view.width * 0.45
      && Math.abs(view.down(y) - view.height / 2) < view.height * 0.45;
    if (close) view.zoom = Math.max(view.whole, Math.min(view.whole * 30, view.height / (8 * radius)));
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
    const took = this.paint.draw(this.view, this.palette, every);
    if (every === 1) this.took = took;
    write(this);
    outline(this);
    this.root.dataset.drawn = every === 1 ? took.toFixed(0) : "";
  }

  // The point at a place of the window, nearest first, within some pixels; -1 for none.
  nearest(place, within = 8) {
    const { count, x, y } = this.points;
    const [atX, atY] = this.view.at(place);
    let best = (within / this.view.zoom) ** 2;
    let found = -1;
    for (let one = 0; one < count; one++) {
      const away = (x[one] - atX) ** 2 + (y[one] - atY) ** 2;
      if (away <= best) [best, found] = [away, one];
    }
    return found;
  }

  // Shows the text of the point at a place, which is fetched unless the reader moves on.
  look(place) {
    clearTimeout(this.looking);
    const tip = this.root.querySelector(".tip");
    const point = place && this.points ? this.nearest(place) : -1;
    if (point === this.looked && point >= 0) return;
    this.looked = point;
    tip.replaceChildren();
    if (point < 0) return;
    const address = `${this.address}/${point}`;
    this.looking = setTimeout(async () => {
      const said = await once(address, (got) => got.json()).catch(() => null);
      if (!said || this.looked !== point) return;
      tip.replaceChildren(said.headline, ...[said.about, said.group].filter(Boolean).map((line) => {
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
    const point = this.points ? this.nearest(place, 12) : -1;
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
    ArrowLeft: () => view.move(view.width / 8, 0),
    ArrowRight: () => view.move(-view.width / 8, 0),
    ArrowUp: () => view.move(0, view.height / 8),
    ArrowDown: () => view.move(0, -view.height / 8),
    "+": () => view.scale(1.5),
    "-": () => view.scale(1 / 1.5),
    0: () => Object.assign(view, { x: SPAN / 2, y: SPAN / 2, zoom: view.whole }),
  };
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const middle = [view.width / 2, view.height / 2];
    if (event.key === "Enter") map.choose(middle);
    const step = steps[event.key === "=" ? "+" : event.key];
    if (!step) return;
    event.preventDefault();
    keys(true);
    step();
    map.request(true);
    map.look(middle);
  });
  canvas.addEventListener("blur", () => keys(false));
  root.querySelector(".tools").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.step) {
      steps[button.dataset.step]();
      map.request();
    } else if (button) {
      const on = root.classList.toggle("lassos");
      button.setAttribute("aria-pressed", on);
    }
  });
}

const maps = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".archive-map");
  if (!maps.has(root)) maps.set(root, new ArchiveMap(root));
  maps.get(root).show(data, setTriggerValue);
}
