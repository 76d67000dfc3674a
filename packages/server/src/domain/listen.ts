/** Port 0 takes any free one. */
export interface Listen {
  readonly host: string;
  readonly port: number;
}

export interface AdminListen extends Listen {
  /** More host names that it accepts, in lower case. */
  readonly hosts?: readonly string[];
}
