/* What is looked at is taken along: the position, a picture, the report page. */
import { download, say } from "/static/shared.js";
import { ask, at } from "./net.js";

const NAMES = { position: "cgn", svg: "svg", png: "png", report: "html" };
/** So many pixels of a picture stand for one of the drawing's units. */
const ZOOM = 2;

/** A drawing as a picture in pixels. */
async function pixels(svg) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth * ZOOM, image.naturalHeight * ZOOM];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

export class Taken {
  /** `look` knows what is looked at. */
  constructor(look) {
    this.look = look;
    for (const button of at("exports").children) button.addEventListener("click", () => this.take(button.dataset.form));
  }

  async take(form) {
    const { look } = this;
    const { named, now } = look;
    const branch = look.upTo(now);
    const stem = named.file.replace(/\.cgn$/, "");
    const name = `${stem}-${form === "report" ? "page" : now}${branch ? "-what-if" : ""}.${NAMES[form]}`;
    const picture = form === "png" ? { form: "svg", theme: "light" } : { form };
    at("export-told").textContent = form === "report" ? say("liveboard_making") : "";
    const { ok, said } = await ask("/api/export", { ...named, ...(branch ? { branch } : { turn: now }), ...picture });
    const made = !ok ? null : form === "png" ? await pixels(said).catch(() => null) : said;
    if (made !== null) download(name, made);
    const refused = said?.said ?? say("liveboard_not_made");
    at("export-told").textContent = made === null ? refused : say("liveboard_made", { file: name });
  }
}
