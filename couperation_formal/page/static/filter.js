/* A list of games, of which those are shown that have some words and a verdict. */
class Filter {
  rows = [];
  verdict = "";

  /** `words` is the field for words, `buttons` choose the verdict; `told` is called after rows were shown or hidden. */
  constructor(words, buttons, told) {
    [this.words, this.told] = [words, told];
    words.addEventListener("input", () => this.show());
    for (const button of buttons) {
      button.addEventListener("click", () => {
        this.verdict = button.dataset.verdict;
        press(buttons, (each) => each === button);
        this.show();
      });
    }
  }

  /** A row as it is found: by all that it says, and its verdict. */
  static row(row, verdict) {
    return { row, verdict, words: Filter.folded(row.textContent) };
  }

  static folded(text) {
    return text.replace(/\s+/g, " ").trim().toLowerCase();
  }

  /** A row is shown where it has all the words, in any order, and the verdict. */
  show(rows = this.rows) {
    const wanted = Filter.folded(this.words.value).split(" ").filter(Boolean);
    for (const { row, verdict, words } of rows) {
      row.hidden = Boolean(this.verdict && verdict !== this.verdict) || !wanted.every((word) => words.includes(word));
    }
    this.told();
  }
}
