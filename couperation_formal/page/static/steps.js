/* Going through the steps of a game: by buttons, by keys, and by itself. */

/** So long autoplay stays at a step, in milliseconds. */
const PACE = 1400;
const KEYS = { ArrowLeft: "back", k: "back", ArrowRight: "on", j: "on", Home: "first", End: "last" };

/** Its heir knows the `first`, the `last` and the step that is shown (`now`), how to `go(step, playing)` to another,
 * and the button by which it plays (`player`). */
class Steps {
  playing = null;

  /** Where a key leads that is pressed by itself. */
  static led(event) {
    return bare(event) ? KEYS[event.key] : undefined;
  }

  jump(where) {
    return this.go({ first: this.first, back: this.now - 1, on: this.now + 1, last: this.last }[where]);
  }

  /** Go on by itself, a turn at a time, to the end; from the end it begins anew. */
  play(on) {
    if (on === Boolean(this.playing)) return;
    clearInterval(this.playing);
    this.playing = null;
    this.player.setAttribute("aria-pressed", String(on));
    if (!on) return;
    if (this.now === this.last) this.go(this.first, true);
    this.playing = setInterval(async () => {
      await this.go(this.now + 1, true);
      if (this.now === this.last) this.play(false);
    }, PACE);
  }

  /** Tell the buttons which of them lead no further. */
  ends(buttons) {
    for (const button of buttons) {
      const end = ["first", "back"].includes(button.dataset.go) ? this.first : this.last;
      button.setAttribute("aria-disabled", String(this.now === end));
    }
  }
}
