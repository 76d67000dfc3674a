/** An address to listen on; port 0 takes any free one. */
export interface Listen {
  readonly host: string;
  readonly port: number;
}

/** The second listener's address. */
export interface AdminListen extends Listen {
  /** Further names that it is asked by, in lower case; absent where the file names none. */
  readonly hosts?: readonly string[];
}
