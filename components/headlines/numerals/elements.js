// Of what the drawings of headlines are made; text is only ever set as text.
function element(name, className, ...inside) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...inside);
  return made;
}

function buttonOf(className, title, press, ...inside) {
  const button = element("button", className, ...inside);
  Object.assign(button, { type: "button", title, onclick: press });
  return button;
}
