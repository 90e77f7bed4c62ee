// A map of up to millions of points in WebGL 2. Positions are fetched once from an address of their own; what
// is selected comes as one bit a point; texts are fetched when somebody looks at one. All text is only ever
// set as text.

const SPAN = 65535;
const ALONE = 12; // place in the palette of headlines without a group
const CORNERS = 64;
const SLOW = 40; // milliseconds of a picture above which fewer points are drawn while it moves
const REST = 140;
const MOST_LEFT_OUT = 48; // of so many points one is drawn at least while the map moves
const PARTED = 100000; // points up to which groups that meet are parted
const GAP = 2; // pixels between them
const FEW = 500; // points of a map whose events have a line around them
const DOT = 6; // pixels from the middle of a point to a line that leads to it

const VERTEX = `#version 300 es
in float x; in float y; in float colour; in float rank;
uniform vec2 middle; uniform vec2 scale; uniform float size; uniform float near; uniform vec3 palette[13];
out vec3 ink;
void main() {
  gl_Position = vec4((vec2(x, y) - middle) * scale, 1.0 - 2.0 * (rank + near), 1.0);
  gl_PointSize = size;
  ink = palette[int(colour)];
}`;
const FRAGMENT = `#version 300 es
precision highp float;
in vec3 ink; uniform float alpha; uniform float size; out vec4 shown;
void main() {
  float away = size * (length(gl_PointCoord - 0.5) - 0.5) + 1.0;
  float cover = size < 3.0 ? alpha : alpha * clamp(1.0 - away, 0.0, 1.0);
  if (cover <= 0.0) discard;
  shown = vec4(ink * cover, cover);
}`;

// By address: a page that is drawn anew has its points at once.
const fetched = new Map();

function once(address, read) {
  if (!fetched.has(address)) {
    const answer = fetch(address).then((got) => {
      if (!got.ok) throw new Error(got.status);
      return read(got);
    });
    answer.catch(() => fetched.delete(address));
    fetched.set(address, answer);
  }
  return fetched.get(address);
}

// A file that the server keeps packed.
async function unpacked(got) {
  if (got.headers.get("content-type") !== "application/gzip") return got;
  return new Response(got.body.pipeThrough(new DecompressionStream("gzip")));
}

const readJson = async (got) => (await unpacked(got)).json();

async function readPoints(got) {
  const content = await (await unpacked(got)).arrayBuffer();
  const [count, alone, several] = new Uint32Array(content, 0, 3);
  const sizes = new Uint32Array(content, 12, several);
  const places = new Uint16Array(content, 12 + 4 * several, 2 * count);
  const [x, y] = [places.subarray(0, count), places.subarray(count)];
  for (const axis of [x, y]) for (let at = 1; at < count; at++) axis[at] += axis[at - 1];
  const colours = new Uint8Array(count).fill(ALONE);
  const ranks = new Float32Array(count <= PARTED ? count : 0); // a larger group lies on a smaller one
  const groups = new Map(); // from the first point of each group of several to the one after its last
  let at = alone;
  sizes.forEach((size, group) => {
    colours.fill((several - 1 - group) % ALONE, at, at + size);
    if (ranks.length) ranks.fill((group + 1) / (several + 2), at, at + size);
    groups.set(at, at + size);
    at += size;
  });
  const span = [x, y].map((axis) => axis.reduce((a, b) => Math.max(a, b), 0) - axis.reduce((a, b) => Math.min(a, b), SPAN));
  return { count, x, y, colours, ranks, groups, span: span.map((side) => Math.max(side, SPAN / 4)) };
}

// The first point of a point's group, and the one after its last; of a single headline its own.
function groupOf(points, point) {
  const first = (points.first ??= [...points.groups.keys()]);
  let [low, high] = [0, first.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (first[middle] <= point) low = middle;
    else high = middle - 1;
  }
  const end = points.groups.get(first[low]);
  return first[low] <= point && point < end ? [first[low], end] : [point, point + 1];
}

const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

// Numbers of the selected points, in such an order that the first so-manieth of them are all over the map.
async function readMarks(packed, count) {
  const plain = new Blob([bytesOf(packed)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bits = new Uint8Array(await new Response(plain).arrayBuffer());
  const marks = new Uint32Array(count);
  let found = 0;
  for (let first = 0; first < MOST_LEFT_OUT; first++)
    for (let at = first; at < count; at += MOST_LEFT_OUT)
      if ((bits[at >> 3] >> (at & 7)) & 1) marks[found++] = at;
  return { bits, marks: marks.subarray(0, found) };
}

function painter(canvas, points) {
  const gl = canvas.getContext("webgl2", { antialias: false, premultipliedAlpha: true });
  if (!gl) return null;
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return null;
  gl.useProgram(program);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  const at = (name) => gl.getUniformLocation(program, name);
  const inputs = Object.entries({ x: points.x, y: points.y, colour: points.colours, rank: points.ranks })
    .filter(([, values]) => values.length);
  const buffers = inputs.map(([name, values]) => {
    const input = { buffer: gl.createBuffer(), place: gl.getAttribLocation(program, name), values };
    gl.bindBuffer(gl.ARRAY_BUFFER, input.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(input.place);
    return input;
  });
  const chosen = gl.createBuffer();
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, chosen);
  let marked = null; // how many; null where nothing is selected
  return {
    colour(values) {
      const { buffer } = buffers.find((input) => input.values === points.colours);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, values);
      points.colours.set(values);
    },
    mark(marks) {
      marked = marks && marks.length;
      if (marks) gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, marks, gl.STATIC_DRAW);
    },
    // Draws every so-manieth point, and waits until it is drawn; gives the milliseconds. Where all is `plain`
    // grey, what is selected and the group that is looked at have their colours, and named groups are darker.
    draw(view, palette, every, plain, looked, named) {
      const begun = performance.now();
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      const skip = (step) => {
        for (const { buffer, place, values } of buffers) {
          const wide = values.BYTES_PER_ELEMENT;
          gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
          const kind = { 1: gl.UNSIGNED_BYTE, 2: gl.UNSIGNED_SHORT, 4: gl.FLOAT }[wide];
          gl.vertexAttribPointer(place, 1, kind, false, wide * step, 0);
        }
      };
      gl.uniform2f(at("middle"), view.x, view.y);
      gl.uniform2f(at("scale"), (2 * view.zoom * view.wide) / view.width, (2 * view.zoom) / view.height);
      const style = (colours, size, alpha) => {
        gl.uniform3fv(at("palette"), colours);
        gl.uniform1f(at("size"), size * view.ratio);
        gl.uniform1f(at("alpha"), alpha);
      };
      const [size, alpha] = [view.size(points.count), view.alpha(points.count)];
      // Next to a selection the rest is grey, and as pale where many lie on each other.
      const looks = getComputedStyle(canvas.parentElement);
      const [paper, ink] = [looks.backgroundColor, looks.color].map((colour) => colour.match(/[\d.]+/g));
      const grey = palette.map((_, part) => palette[3 * ALONE + (part % 3)]);
      const pale = grey.map((tone, part) => 0.7 * tone + (0.3 * paper[part % 3]) / 255);
      style(marked !== null ? pale : plain ? grey : palette, size, marked === null ? alpha : Math.max(alpha, 0.7));
      skip(every);
      const all = () => gl.drawArrays(gl.POINTS, 0, Math.floor(points.count / every));
      if (points.ranks.length) {
        // Each group hides what is below it for some pixels around it: the paper stands there.
        gl.enable(gl.DEPTH_TEST);
        gl.colorMask(false, false, false, false);
        gl.uniform1f(at("size"), (size + 2 * GAP) * view.ratio);
        all();
        gl.colorMask(true, true, true, true);
        gl.depthMask(false);
        gl.uniform1f(at("size"), size * view.ratio);
        gl.uniform1f(at("near"), 0.5 / (points.groups.size + 2));
      }
      all();
      if (plain && marked === null) {
        gl.uniform3fv(at("palette"), grey.map((tone, part) => 0.45 * tone + (0.55 * ink[part % 3]) / 255));
        skip(1);
        for (const [begin, end] of named) gl.drawArrays(gl.POINTS, begin, end - begin);
      }
      gl.disable(gl.DEPTH_TEST);
      gl.depthMask(true);
      gl.uniform1f(at("near"), 0);
      if (marked) {
        style(palette, Math.max(size, 2.5), Math.max(alpha, 0.8));
        skip(1);
        gl.drawElements(gl.POINTS, Math.ceil(marked / every), gl.UNSIGNED_INT, 0);
      }
      if (looked) {
        style(palette, size + 2, 1);
        skip(1);
        gl.drawArrays(gl.POINTS, looked[0], looked[1] - looked[0]);
      }
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
      return performance.now() - begun;
    },
    // The canvas lives on with other points.
    free() {
      for (const buffer of [chosen, ...buffers.map((one) => one.buffer)]) gl.deleteBuffer(buffer);
      gl.deleteProgram(program);
    },
  };
}

// Where the window onto the map stands: `zoom` pixels a unit from top to bottom, `wide` times that across.
class View {
  constructor() { Object.assign(this, { width: 1, height: 1, wide: 1, ratio: 1, share: 0.94, dot: 0.9, span: [SPAN, SPAN] }, View.start); }
  static get start() { return { x: SPAN / 2, y: SPAN / 2, zoom: 0 }; }
  get beside() { return this.width > 640 ? 10 : 7; } // pixels from the points of an event to the line around it
  get whole() { return Math.min(this.width / (this.wide * this.span[0]), this.height / this.span[1]) * this.share; }
  size(count) { return Math.min(9, Math.max(1.6, this.dot * Math.sqrt(1 / count) * SPAN * this.zoom)); }
  alpha(count) { return Math.min(1, 0.35 + 0.1 * this.size(count) + 4000 / count); }
  across(x) { return (x - this.x) * this.zoom * this.wide + this.width / 2; }
  down(y) { return (this.y - y) * this.zoom + this.height / 2; }
  at([across, down]) {
    const x = (across - this.width / 2) / (this.zoom * this.wide) + this.x;
    return [x, this.y - (down - this.height / 2) / this.zoom];
  }
  move(across, down) {
    this.x = Math.min(SPAN, Math.max(0, this.x - across / (this.zoom * this.wide)));
    this.y = Math.min(SPAN, Math.max(0, this.y + down / this.zoom));
  }
  scale(times, point = [this.width / 2, this.height / 2]) {
    const [x, y] = this.at(point);
    this.zoom = Math.min(this.whole * 400, Math.max(this.whole * 0.7, this.zoom * times));
    const [nowX, nowY] = this.at(point);
    this.x += x - nowX;
    this.y += y - nowY;
  }
}

// No more corners than a link holds: those closest to the corner before go.
function simpler(path) {
  let kept = path;
  for (let least = 2; kept.length > CORNERS; least *= 1.3) {
    let last = [-1e9, -1e9];
    kept = path.filter((one) => {
      const far = Math.hypot(one[0] - last[0], one[1] - last[1]) >= least;
      if (far) last = one;
      return far;
    });
  }
  return kept;
}

const members = ([begin, end]) => Array.from({ length: end - begin }, (_, at) => begin + at);

// The outermost of points, in order (Andrew 1979).
function hull({ x, y }, some) {
  const order = [...some].sort((a, b) => x[a] - x[b] || y[a] - y[b]);
  const turns = (a, b, c) => (x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]);
  const half = (points) => points.reduce((kept, point) => {
    while (kept.length > 1 && turns(...kept.slice(-2), point) <= 0) kept.pop();
    return [...kept, point];
  }, []);
  return [...half(order), ...half(order.reverse())];
}

// A line some pixels outside of the outermost of places, which stand in order.
function around(places, beside) {
  const corners = places.filter((place, at) => `${place}` !== `${places[(at + 1) % places.length]}`);
  if (!corners.length) corners.push(places[0], [places[0][0] + 0.01, places[0][1]]);
  const sides = corners.map(([x, y], at) => {
    const [toX, toY] = corners[(at + 1) % corners.length];
    const [outX, outY] = [y - toY, toX - x].map((side) => (side * beside) / Math.hypot(toX - x, toY - y));
    return [[x + outX, y + outY], [toX + outX, toY + outY]];
  });
  const arc = `A${beside},${beside},0,0,0,`;
  return `M${sides.map((side) => side.join("L")).join(arc)}${arc}${sides[0][0]}Z`;
}

// The parts of a group that lie apart: the outermost places of each, and lines from one part to the next.
function parts(points, group, view) {
  const left = new Map(members(group).map((at) => [at, [view.across(points.x[at]), view.down(points.y[at])]]));
  const most = left.size > FEW ? Infinity : ((view.width / 6) * view.zoom) / view.whole;
  const [rims, ties] = [[], []];
  const beside = (place) => (rims.find((rim) => rim.includes(place))?.length > 1 ? view.beside : DOT);
  for (const [first, place] of left) {
    const part = new Map([[first, place]]);
    left.delete(first);
    for (const [, [x, y]] of part) for (const [other, [toX, toY]] of left) {
      if (Math.hypot(toX - x, toY - y) < most && left.delete(other)) part.set(other, [toX, toY]);
    }
    const joined = rims.flat();
    rims.push([...new Set(hull(points, part.keys()))].map((at) => part.get(at)));
    if (!joined.length) continue;
    const [from, to] = rims.at(-1).map((own) => [own, nearest(joined, () => own)])
      .reduce((best, pair) => (far(...pair) < far(...best) ? pair : best));
    ties.push([toward(from, to, beside(from)), toward(to, from, beside(to))]);
  }
  return { rims: rims.sort((one, other) => other.length - one.length), ties, begin: group[0] };
}

// Whether a part of a group has a line around it: a headline that lies apart from the others has a line to them.
const ringed = (rim, _, rims) => rim.length > 1 || rims.length === 1;
const lines = ({ rims }, view) => rims.filter(ringed).map((rim) => around(rim, view.beside)).join("");
const dotted = ({ ties }) => ties.map((tie) => `M${tie.join("L")}`).join("");

// The lasso that is drawn or selected, and a field around the event that is chosen or looked at.
function outline(map) {
  const { root, view, lasso, data, points } = map;
  const places = lasso ?? data.lasso.map(([x, y]) => [view.across(x), view.down(y)]);
  root.querySelector("polygon").setAttribute("points", places.map((one) => one.join()).join(" "));
  const event = map.event ?? map.seen;
  const field = root.querySelector(".field");
  const shape = event && parts(points, event, view);
  field.setAttribute("d", shape ? lines(shape, view) : "");
  root.querySelector(".seen .ties").setAttribute("d", shape ? dotted(shape) : "");
  field.classList.toggle("ring", points.count > FEW);
  field.parentElement.style.color = event && data.plain ? data.palette[points.colours[event[0]]] : "";
}
