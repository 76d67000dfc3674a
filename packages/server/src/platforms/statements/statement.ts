/** One line of a table: the words of a vendor, and where they are documented or reported. */
export interface Statement {
  /** The vendor, as its users call it; `all` for a word that most use. */
  readonly vendor: string;
  /** A public page (URL) or report (`owner/repository#number`). */
  readonly source: string;
}
