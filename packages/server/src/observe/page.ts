/** What the admin listener shows under one path, made when it is asked for. */
export interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** A page of JSON. */
export function jsonPage(status: number, body: object): Page {
  return { status, contentType: 'application/json', text: JSON.stringify(body) };
}
