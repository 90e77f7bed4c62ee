// What browser tests look at, run in the page: a part for each name, read by `tests/browser/steps.py`.

// alive
() => {
  const found = [];
  const look = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.matches(
        'a[href*="evil"], a[href^="javascript"], a[href^="mailto"], img[src*="evil"], iframe, .katex, ' +
        '[aria-label="home icon"], img[alt="Streamlit logo"]'
      )) found.push(element.outerHTML);
      if (element.shadowRoot) look(element.shadowRoot);
    }
  };
  look(document);
  return found;
}

// asked
  window.asked = window.answered = 0;
  const send = WebSocket.prototype.send;
  const heard = new WeakSet();
  WebSocket.prototype.send = function (message) {
    if (!heard.has(this)) this.addEventListener('message', () => { window.answered = window.asked; });
    heard.add(this);
    window.asked += 1;
    return send.call(this, message);
  };

// quiet
() => {
  const app = document.querySelector('[data-testid="stApp"]');
  const state = app?.getAttribute('data-test-script-state');
  const busy = window.asked > window.answered || !['notRunning', 'compilationError'].includes(state)
    || document.querySelector('[data-testid="stSkeleton"], [data-testid="stStatusWidget"]')
    || [...document.querySelectorAll('button')].some((one) => one.innerText.trim().endsWith('Stop'))
    || document.body.innerText.includes('A first picture');
  const now = performance.now();
  if (busy) window.quietSince = undefined;
  else window.quietSince ??= now;
  return !busy && now - window.quietSince > 350;
}

// controls
() => {
  const found = [];
  // The panel of a tab can be focused, but nothing is done with it.
  const fields = ':is(button, input, textarea, select):enabled';
  const kinds = `a[href], ${fields}, [tabindex="0"]:not([role="tabpanel"])`;
  const look = (root) => {
    for (const one of root.querySelectorAll(kinds)) {
      const box = one.getBoundingClientRect();
      const seen = box.width && box.height && box.top < innerHeight && box.bottom > 0
        && one.checkVisibility({ visibilityProperty: true })
        && getComputedStyle(one).pointerEvents !== 'none'; // what waits for something is no choice yet
      // One bar, one list and one group of choices is one control; so is a field with its arrow, a table with
      // what appears above it, the numbers of its pages, a map with its buttons, and the list below it.
      const part = one.closest('[role="tablist"], [role="radiogroup"], [role="toolbar"], '
        + '[data-testid="stSelectbox"], [data-testid="stMultiSelect"], [data-testid="stTextInput"], '
        + '[data-testid="stSlider"], [data-testid="stDateInput"], [data-testid="stPagination"], '
        + '[data-testid="stDataFrame"], .modebar, .point-map, .listed');
      if (seen && !one.closest('.st-key-page-menu') && !found.includes(part ?? one)) found.push(part ?? one);
    }
    for (const host of root.querySelectorAll('*')) if (host.shadowRoot) look(host.shadowRoot);
  };
  look(document.querySelector('[data-testid="stMain"]'));
  return found.map((one) => one.ariaLabel || one.innerText || one.tagName);
}

// faint
() => {
  const parts = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const paper = parts(getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor);
  const light = (colour) => colour.reduce((sum, part, at) => {
    const share = part / 255;
    const linear = share <= 0.04 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    return sum + [0.2126, 0.7152, 0.0722][at] * linear;
  }, 0);
  const contrast = (colour, opacity) => {
    const [red, green, blue, alpha = 1] = parts(colour);
    if (red === undefined) return 0;
    const share = alpha * opacity;
    const mixed = [red, green, blue].map((one, at) => one * share + paper[at] * (1 - share));
    const [darker, lighter] = [light(mixed), light(paper)].sort((one, other) => one - other);
    return (lighter + 0.05) / (darker + 0.05);
  };
  const found = [];
  const chart = '[data-testid="stVegaLiteChart"]';
  // Lines lead the eye from mark to mark; what is pale on purpose is beside the selection.
  const marks = `${chart} [class*="role-mark"] :is(path, rect), .trace path.point`;
  const words = `${chart} text, .js-plotly-plot text`;
  for (const [selector, least] of [[marks, 3], [words, 4.5]]) {
    for (const one of document.querySelectorAll(selector)) {
      const looks = getComputedStyle(one);
      // The halo of a word has the colour of the paper.
      const halo = least > 4 && looks.fill === looks.stroke;
      if (halo || one.closest('.trace text') || !one.checkVisibility({ opacityProperty: true })) continue;
      const opacity = Number(looks.opacity);
      if (least < 4 && opacity * Math.max(looks.fillOpacity, looks.strokeOpacity) < 0.6) continue;
      const seen = [[looks.fill, looks.fillOpacity], [looks.stroke, least > 4 ? 0 : looks.strokeOpacity]]
        .map(([colour, share]) => contrast(colour, opacity * Number(share)));
      const most = Math.max(...seen);
      if (most < least) found.push(`${one.tagName} ${looks.fill} ${looks.stroke}: ${most.toFixed(2)}`);
    }
  }
  return [...new Set(found)];
}

// names
(map) => [...map.querySelectorAll('.names span')].map((name) => {
  const text = document.createRange();
  text.selectNodeContents(name);
  const [box, letters] = [name, text].map((part) => part.getBoundingClientRect());
  return {
    said: name.textContent, left: Math.min(box.left, letters.left), right: Math.max(box.right, letters.right),
    top: Math.min(box.top, letters.top), bottom: Math.max(box.bottom, letters.bottom),
  };
})

// edges
(line) => {
  const text = document.createTreeWalker(line, NodeFilter.SHOW_TEXT).nextNode();
  const edge = (from, to) => {
    const range = document.createRange();
    range.setStart(text, from);
    range.setEnd(text, to);
    return range.getBoundingClientRect().left;
  };
  return [edge(0, 2), edge(3, 8)];
}

// stop
() => {
  let at = document.activeElement;
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const name = at.ariaLabel || at.innerText || at.tagName;
  const useless = /^(help|link to heading|fullscreen|show data)/i.test(at.ariaLabel ?? '')
    || at.closest('[data-testid="stElementToolbar"]') || at.closest('[data-testid="stHeaderActionElements"]');
  const over = at === document.body || at.innerText?.startsWith('Skip to main content');
  return { name, useless: Boolean(useless), over };
}

// fits
(least) => {
  const main = document.querySelector('[data-testid="stMain"]');
  const small = [], outside = [];
  const cut = [...main.querySelectorAll('[data-testid="stMetric"], [data-testid="stMetric"] *')]
    .filter(element => element.checkVisibility() && element.scrollWidth > element.clientWidth + 1
      && getComputedStyle(element).display != 'inline')
    .map(element => element.innerText);
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const element = node.parentElement;
    const text = node.textContent.trim().slice(0, 40);
    const aside = 'style, script, .st-key-room-door, [data-testid="stIconMaterial"]';
    if (!text || !element.checkVisibility() || element.closest(aside)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width < 2) continue;
    if (parseFloat(getComputedStyle(element).fontSize) < least) small.push(text);
    if (box.bottom > innerHeight || box.right > innerWidth || box.top < 0) outside.push(text);
  }
  return [small, outside, cut, main.scrollHeight > main.clientHeight + 1];
}

// signs
() => {
  const theirs = ['stStatusWidget', 'stAppDeployButton', 'stSpinner', 'stDecoration', 'stSkeleton'];
  const foreign = [...theirs.map((id) => `[data-testid="${id}"]`), '[data-testid="stAppSkeleton"] *'].join();
  window.seen = [];
  window.ours = 0;
  setInterval(() => {
    const fully = { visibilityProperty: true, opacityProperty: true };
    for (const one of document.querySelectorAll(foreign)) {
      if (one.checkVisibility(fully) && one.getBoundingClientRect().height) window.seen.push(one.outerHTML);
    }
    for (const one of document.querySelectorAll('[data-stale="true"]')) {
      if (getComputedStyle(one).opacity !== '1') window.seen.push('faded: ' + one.innerText);
    }
    const bar = document.querySelector('[data-testid="stHeader"]');
    const line = bar && getComputedStyle(bar, '::after');
    const texts = [...document.querySelectorAll('button')].map((one) => one.innerText.trim());
    const drawn = line?.content !== 'none' && Number(line?.opacity) > 0.5;
    if (drawn || texts.some((text) => text.endsWith('Stop'))) window.ours += 1;
  }, 20);
}

// small
(least) => {
  const found = [];
  const look = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) look(element.shadowRoot);
      const own = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]/u.test(node.textContent)
      );
      if (!own || ['SCRIPT', 'STYLE', 'TITLE', 'SUP'].includes(element.tagName)) continue;
      // Tables are drawn; what screen readers get of them is not seen. Nor are menus until they open.
      if (element.closest('canvas, [data-testid="stIconMaterial"], kbd')) continue;
      const box = element.getBoundingClientRect();
      if (box.width < 2 || box.height < 2 || getComputedStyle(element).visibility === 'hidden') continue;
      const size = parseFloat(getComputedStyle(element).fontSize);
      if (size < least) found.push(`${size} ${element.textContent.slice(0, 40)}`);
    }
  };
  look(document.body);
  return found;
}

// spec
(least) => {
  const parts = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const over = ([red, green, blue, alpha = 1], below) =>
    [red, green, blue].map((one, at) => one * alpha + below[at] * (1 - alpha));
  const up = (one) => one.parentElement ?? one.getRootNode().host;
  const paper = (one) => {
    const layers = [];
    for (let at = one; at; at = up(at)) layers.push(parts(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const light = (colour) => colour.reduce((sum, part, at) => {
    const share = part / 255;
    const linear = share <= 0.04 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    return sum + [0.2126, 0.7152, 0.0722][at] * linear;
  }, 0);
  const contrast = (colour, below) => {
    const [darker, lighter] = [light(over(parts(colour), below)), light(below)].sort((one, other) => one - other);
    return (lighter + 0.05) / (darker + 0.05);
  };
  const found = [];
  const say = (what, one, value) => found.push(`${what} ${value.toFixed(1)}: ${one.outerHTML.slice(0, 160)}`);
  const seen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const fields = '[data-testid="stTextInputRootElement"], [data-testid="stTextAreaRootElement"], '
    + '[data-testid="stNumberInputContainer"], [data-testid="stSelectbox"] [role="group"], '
    + '[data-testid="stMultiSelect"] [role="group"][data-rac], button[kind="secondary"]';
  // A mark is drawn by its own field or edge, or by what stands before and after it.
  const drawn = (one, below) => [undefined, '::before', '::after'].flatMap((part) => {
    const { backgroundColor, borderTopColor, borderTopStyle, content, display, opacity } = getComputedStyle(one, part);
    if (part && (content === 'none' || display === 'none')) return [];
    const seen = [backgroundColor, ...(borderTopStyle === 'none' ? [] : [borderTopColor])].map(parts)
      .map(([red, green, blue, alpha = 1]) => contrast(`${red} ${green} ${blue} ${alpha * opacity}`, below));
    return part || Math.max(...seen) > 1 ? [Math.max(...seen)] : [];
  });
  const look = (root) => {
    for (const one of root.querySelectorAll('*')) {
      if (one.shadowRoot) look(one.shadowRoot);
      const looks = getComputedStyle(one), box = one.getBoundingClientRect();
      // The value of a slider stands above its thumb, not on it.
      const aside = 'canvas, style, svg, sup, [aria-hidden="true"], [disabled], [aria-disabled="true"], kbd, .point-map, '
        + '[data-testid="stSliderThumbValue"]';
      if (box.width < 2 || box.height < 2 || !seen(one)) continue;
      if (one.matches('.figures .interval, .papers .parts > *, .event .bar')) {
        for (const mark of drawn(one, paper(up(one)))) if (mark < 3) say('mark', one, mark);
      }
      if (one.closest(aside)) continue;
      const words = [...one.childNodes].some((node) => node.nodeType === 3 && /[\p{L}\p{N}]/u.test(node.textContent));
      if (words && contrast(looks.color, paper(one)) < 4.5) say('text', one, contrast(looks.color, paper(one)));
      if (words && parseFloat(looks.fontSize) < 12.9) say('letters', one, parseFloat(looks.fontSize));
      if (one.matches(fields) && !one.matches(':focus-within')) {
        const edge = contrast(looks.borderTopColor, paper(up(one)));
        if (edge < 3) say('edge', one, edge);
      }
      if (one.matches('button, [role="tab"], input[type="checkbox"], input[type="radio"]')) {
        const target = (one.closest('label') ?? one).getBoundingClientRect();
        const wanted = one.matches('[data-testid^="stBaseButton"], [data-testid="stPopoverButton"]') ? least : 24;
        const own = Math.min(target.height, wanted === 24 ? Math.max(target.width, 24) : 99);
        if (own < wanted - 0.5) say('target', one, own);
      }
    }
  };
  look(document.querySelector('[data-testid="stMain"]'));
  return found;
}
