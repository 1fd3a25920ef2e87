/* What every page of the game begins with: elements, the data in the page, and the catalog's sentences. */
function read(id) {
  const { parts, data } = JSON.parse(document.getElementById(id)?.textContent ?? '{"parts":[],"data":null}');
  for (const at of parts.keys()) parts[at] = whole(parts[at], parts);
  return whole(data, parts);
}

/** Data with its equal parts, which stand once, in their places: `{"$": k}` is part k. */
function whole(value, parts) {
  if (value === null || typeof value !== "object") return value;
  if (value.$ !== undefined) return parts[value.$];
  for (const key of Object.keys(value)) value[key] = whole(value[key], parts);
  return value;
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Whether a key is pressed by itself. */
const bare = (event) => !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;

/** A button that does something. */
function button(text, attributes, act) {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", act);
  return made;
}

/** Tell which of these buttons are pressed. */
function press(buttons, chosen) {
  for (const each of buttons) each.setAttribute("aria-pressed", String(chosen(each)));
}

/** What the browser keeps under a name, from now on the `value` that is given; it may refuse to keep and to tell. */
function stored(name, value) {
  try {
    if (value !== undefined) localStorage.setItem(name, value);
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** A player's name as people read it. */
const spoken = (name) => name?.replaceAll("_", " ").trim() || name;

/** A sentence of the catalog with its places filled, as `words.say` does it. */
function say(kind, places = {}) {
  const put = (word, value) => (WORDS[`${word} ${value}`] ?? WORDS[word] ?? "{}")
    .replace("{}", () => word === "name" ? spoken(value) : value);
  return WORDS[kind].replace(/\{(\w+):?(\w*)\}/g, (_, name, word) => put(word, places[name]));
}

/** What is named, and what is said of it. */
const toldOf = (what, said) => say("live_told", { what, said });

/** Texts as a list. */
const listed = (texts) => texts.join(WORDS.list);

/** Copy a text, from an element that shows it where the clipboard is not to be had; whether it was copied. */
async function copied(text) {
  const written = navigator.clipboard?.writeText(text) ?? Promise.reject();
  return written.then(() => true, () => {
    const field = element("textarea", { readonly: "", class: "hidden" });
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  });
}

/** Hand a text over as a file. */
function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
