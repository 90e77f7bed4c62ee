// Reports how wide the lanes may be. Two fingers zoom them, as Plotly knows the wheel only; one moves the page.

const undo = new WeakMap();

export default function ({ parentElement, setStateValue, setTriggerValue }) {
  const ruler = parentElement.querySelector(".width");
  undo.get(ruler)?.();
  const measure = () => {
    const width = ruler.clientWidth;
    if (width && Math.abs(width - (ruler.reported ?? 0)) > 12) setStateValue("width", (ruler.reported = width));
  };
  const watch = new ResizeObserver(measure);
  watch.observe(ruler);
  let apart = 0;
  const pinch = (event) => {
    const area = event.target.closest(".st-key-lanes .js-plotly-plot")?.querySelector(".nsewdrag");
    if (area) event.stopPropagation();
    if (!area || event.touches.length !== 2) return void (apart = 0);
    event.preventDefault();
    const [one, other] = event.touches;
    const now = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    const [clientX, clientY] = [(one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2];
    const deltaY = apart ? -200 * Math.log(now / apart) : 0;
    apart = now;
    area.dispatchEvent(new WheelEvent("wheel", { deltaY, clientX, clientY, bubbles: true, cancelable: true }));
  };
  // While dragging marks a span of time, Streamlit selects no mark by a click.
  const listen = (event) => {
    const plot = event.target.closest(".st-key-lanes .js-plotly-plot");
    if (!plot) return;
    for (const [kind, chooses] of Object.entries(plot.choosesLane ?? {})) plot.removeListener(kind, chooses);
    plot.choosesLane = {
      plotly_click: ({ points: [{ customdata }] }) => {
        if (plot._fullLayout.dragmode === "select") setTriggerValue("chosen", [customdata].flat()[0]);
      },
      plotly_clickannotation: ({ annotation }) => setTriggerValue("chosen", Number(annotation.name)),
    };
    for (const [kind, chooses] of Object.entries(plot.choosesLane)) plot.on(kind, chooses);
  };
  document.addEventListener("pointerdown", listen, true);
  const kinds = ["touchstart", "touchmove", "touchend"];
  for (const kind of kinds) document.addEventListener(kind, pinch, { passive: false, capture: true });
  undo.set(ruler, () => {
    watch.disconnect();
    document.removeEventListener("pointerdown", listen, true);
    for (const kind of kinds) document.removeEventListener(kind, pinch, { capture: true });
  });
  return undo.get(ruler);
}
