export interface Statement {
  /** `all` for a word that most use. */
  readonly vendor: string;
  /** A page (URL) or report (`owner/repository#number`). */
  readonly source: string;
}
