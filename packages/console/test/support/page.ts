import type { SessionDocument } from '@model-gateway/server/operations/documents';
import { expect, onTestFinished, vi } from 'vitest';
import { now, operator } from '../documents/session.ts';
import { type Answers, openBrowser } from './browser.ts';
import { rowsOf, textOf } from './reading.ts';
import { waitFor } from './wait-for.ts';

type Answer = ReturnType<Answers>;

/** Responses: by path for a document (its query may be left out), by method for a change. */
export type Documents = Record<string, Answer>;

interface Options {
  readonly session?: SessionDocument;
  /** The response to every document until `recover` is called. */
  readonly failure?: { readonly answer: Answer };
}

/** A page of the console, for a test to read and use like a person. */
export function openPage(address: string, documents: Documents, options: Options = {}) {
  const { session = operator } = options;
  let { failure } = options;
  vi.setSystemTime(now);
  onTestFinished(() => void vi.useRealTimers());
  const browser = openBrowser(address, (path, { method }) => {
    if (path === '/session' && !(path in documents)) return { body: session };
    if (failure !== undefined) return failure.answer;
    const name = path in documents ? path : documentKeyOf(path);
    const key = method === 'GET' ? name : `${method} ${name}`;
    return key in documents ? documents[key] : missing(key);
  });
  const find = (name: string, row?: string) => named('a[href], button', name, row);
  return {
    ...browser,
    /** The text of the page without its frame. */
    content: () => textOf(document.querySelector('main') ?? document.body),
    heading: () => textOf(document.querySelector('h1') ?? document.body),
    alerts: () => [...document.querySelectorAll('[role=alert]')].map(textOf),
    /** The rows of a table, each with its cell texts by column. */
    table: rowsOf,
    address: () => location.pathname + location.search,
    /** The target of the link with this text. */
    link: (name: string) => find(name)?.getAttribute('href'),
    has: (name: string, row?: string) => find(name, row) !== undefined,
    /** Clicks a link or a button as soon as possible; with `row`, the one in this table row. */
    async click(name: string, row?: string) {
      const element = await waitFor(() => {
        const match = find(name, row);
        if (match === undefined) throw new Error(`there is no ${name} in: ${browser.text()}`);
        expect(match.hasAttribute('disabled'), `${name} is disabled`).toBe(false);
        return match;
      });
      element.click();
    },
    /** Opens a picker, by its label. */
    async pick(label: string) {
      const button = await waitFor(() => {
        const picker = [...document.querySelectorAll<HTMLElement>('button.picker')].find(
          ({ firstElementChild }) => textOf(firstElementChild ?? document.body) === label,
        );
        if (picker === undefined) throw new Error(`there is no picker ${label}`);
        return picker;
      });
      button.click();
    },
    /**
     * Opens the folded part below a line of text; of a table's figures, the one with this index.
     */
    async unfold(name: string, at = 0) {
      const details = await waitFor(() => {
        const summaries = [...document.querySelectorAll('summary')].filter(
          (one) => textOf(one) === name,
        );
        const { parentElement } = summaries[at] ?? {};
        if (!parentElement) throw new Error(`there is no ${name} in: ${browser.text()}`);
        return parentElement;
      });
      details.setAttribute('open', '');
      details.dispatchEvent(new Event('toggle'));
    },
    /** Fills in a field or chooses an option, by the label. */
    async fill(label: string, value: string) {
      const field = await waitFor(() => fieldOf(label));
      Reflect.set(field, 'value', value);
      for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, bubbles));
    },
    /** Checks a box, or clears it. */
    async toggle(label: string) {
      const field = await waitFor(() => fieldOf(label));
      Reflect.set(field, 'checked', Reflect.get(field, 'checked') !== true);
      field.dispatchEvent(new Event('change', bubbles));
    },
    /** Chooses files, by the label of their field. */
    async choose(label: string, files: readonly File[]) {
      const field = await waitFor(() => fieldOf(label));
      Object.defineProperty(field, 'files', { value: files });
      field.dispatchEvent(new Event('change', bubbles));
    },
    /** The sent changes, without dry runs. */
    sent: () =>
      browser.asked
        .filter(({ method, body }) => method !== 'GET' && Object(body).dryRun !== true)
        .map(({ method, path, body }) => [`${method} ${path}`, body]),
    recover() {
      failure = undefined;
    },
  };
}

/** Without the query: only an order by cost gives other documents. */
function documentKeyOf(path: string): string {
  const [name = ''] = path.split('?', 1);
  return /[?&]order=cost\b/.test(path) ? `${name}?order=cost` : name;
}

const bubbles = { bubbles: true };

function missing(key: string): Answer {
  const error = { code: 'NOT_FOUND', message: `The test has no answer to ${key}` };
  return { status: 404, body: { error } };
}

/** The element with this accessible name. */
function named(selector: string, name: string, row?: string): HTMLElement | undefined {
  const within = row === undefined ? document : rowOf(row);
  return [...(within?.querySelectorAll<HTMLElement>(selector) ?? [])].find(
    (element) => element.getAttribute('aria-label') === name || textOf(element) === name,
  );
}

function rowOf(head: string): Element | undefined {
  return [...document.querySelectorAll('tbody tr')].find(
    ({ firstElementChild }) => firstElementChild !== null && textOf(firstElementChild) === head,
  );
}

/** The field of a label, inside it or named by it. */
function fieldOf(label: string): Element {
  const matchingLabel = [...document.querySelectorAll('label')].find((element) =>
    textOf(element).startsWith(label),
  );
  const inside = matchingLabel?.querySelector('input, select');
  const byName = document.querySelector(`input[aria-label="${label}"]`);
  const field =
    inside ?? document.getElementById(matchingLabel?.getAttribute('for') ?? '') ?? byName;
  if (field === null) throw new Error(`there is no field ${label}`);
  return field;
}
