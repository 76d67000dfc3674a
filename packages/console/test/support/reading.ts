/** The text of an element for a screen reader, with single spaces. */
export function textOf(element: Element): string {
  return textIn(element).replace(/\s+/g, ' ').trim();
}

const inline = /^(?:#text|A|CODE|DEL|INS|KBD|SMALL|SPAN|STRONG|TIME)$/;

function textIn(node: Node): string {
  if (node instanceof HTMLElement && node.getAttribute('aria-hidden') === 'true') return '';
  const text = node.hasChildNodes()
    ? [...node.childNodes].map(textIn).join('')
    : (node.textContent ?? '');
  const isLine = node instanceof HTMLElement && node.matches('.cut, .lines');
  return inline.test(node.nodeName) && !isLine ? text : ` ${text} `;
}

/** The rows of the table with this name; undefined without such a table. */
export function rowsOf(caption: string): readonly Readonly<Record<string, string>>[] | undefined {
  const table = [...document.querySelectorAll('table')].find(
    (each) => (each.getAttribute('aria-label') ?? each.firstElementChild?.textContent) === caption,
  );
  if (table === undefined) return undefined;
  const heads = [...table.querySelectorAll('thead th')].map(textOf);
  return [...table.querySelectorAll('tbody tr')].map((row) =>
    Object.fromEntries([...row.children].map((cell, index) => [heads[index], textOf(cell)])),
  );
}

/** The terms of the page's lists of facts, without changes, each with its descriptions. */
export function facts(): Readonly<Record<string, string>> {
  const terms = [...document.querySelectorAll('main dl:not(.diff) dt')];
  return Object.fromEntries(terms.map((term) => [textOf(term), descriptionOf(term)]));
}

function descriptionOf(term: Element): string {
  const texts: string[] = [];
  let next = term.nextElementSibling;
  for (; next?.localName === 'dd'; next = next.nextElementSibling) texts.push(textOf(next));
  return texts.join('; ');
}
