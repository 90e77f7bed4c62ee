// Two marks below the slider. The narrow one's words end at its place, the broad one's begin at its own.

export default function ({ data, parentElement, setTriggerValue }) {
  const bar = parentElement.querySelector(".marks");
  bar.replaceChildren(
    ...data.marks.map((one, number) => {
      const mark = document.createElement("button");
      mark.type = "button";
      mark.className = number ? "broad" : "narrow";
      mark.textContent = one.label;
      mark.setAttribute("aria-pressed", String(one.chosen));
      mark.style.setProperty("--at", one.at);
      mark.onclick = () => setTriggerValue("chosen", one.at);
      return mark;
    }),
  );
}
