/** What the admin listener shows under one path, made when it is asked for. */
export interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Makes a page for the query and the header `accept` of a request. */
export type MakePage = (query?: string, accept?: string) => Page | Promise<Page>;

/** A page of JSON. */
export function jsonPage(status: number, body: object): Page {
  return { status, contentType: 'application/json', text: JSON.stringify(body) };
}
