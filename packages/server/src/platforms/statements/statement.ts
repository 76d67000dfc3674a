export interface Statement {
  readonly vendor: string;
  /** A page (URL) or report (`owner/repository#number`). */
  readonly source: string;
}
