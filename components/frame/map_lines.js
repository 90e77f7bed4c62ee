// The list beside a map of many points: lines whose numbers stand on it.

export default function ({ data, parentElement, setTriggerValue }) {
  const lines = data.lines.map((line, at) => numberedLine(line, () => setTriggerValue("chosen", at)));
  parentElement.querySelector(".listed").replaceChildren(...lines);
}
