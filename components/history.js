// One step of the reader is one step back. Where a page is opened, Streamlit writes addresses on the way, each
// as a step of its own: the old page's without values, the new page's without values, then the new page's.
// What is written without anything done by the reader since the last step takes the place of that step.
{
  let acted = false;
  for (const kind of ["pointerup", "click", "keydown"]) {
    addEventListener(kind, () => { acted = true; }, true);
  }
  const push = history.pushState;
  history.pushState = (...given) => {
    (acted ? push : history.replaceState).apply(history, given);
    acted = false;
  };
}
