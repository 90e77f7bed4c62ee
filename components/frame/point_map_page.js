// The map as a part of a page.

const maps = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".point-map");
  if (!maps.has(root)) maps.set(root, new PointMap(root));
  maps.get(root).show(data, setTriggerValue);
}
