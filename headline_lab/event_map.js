// The map as a widget: what a page would fetch is handed over by Python, which is told what is chosen.

const USUAL = { letters: 1, colours: "", legend: [], lasso: [], fills: true, plain: true, opening: -1 };

export default {
  render({ model, el }) {
    const place = el.appendChild(document.createElement("div"));
    place.attachShadow({ mode: "open" }).innerHTML = model.get("_html"); // without a word of anybody's
    const map = new PointMap(place.shadowRoot.querySelector(".point-map"));
    map.address = (path) => path;
    const { key, label, palette, points, names, texts } = model.get("_content");
    const packed = new Response(points, { headers: { "content-type": "application/gzip" } });
    const content = { points: readPoints(packed), names: Promise.resolve(names), texts: Promise.resolve(texts) };
    const data = { ...USUAL, label, palette, place: key };
    for (const [name, values] of Object.entries(content)) fetched.set((data[name] = `${key}-${name}`), values);
    const show = () => map.show({ ...data, ...model.get("_shown") }, (kind, value) => {
      model.set("_choice", [kind, value, Date.now()]); // the same may be chosen again
      model.save_changes();
    });
    model.on("change:_shown", show);
    show();
    return () => model.off("change:_shown", show);
  },
};
