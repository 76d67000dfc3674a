import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { areKeysOn } from './theme.tsx';

const pages: Readonly<Record<string, string>> = {
  t: '/console/',
  s: '/console/spend',
  c: '/console/calls',
  a: '/console/apps',
  b: '/console/budgets',
  k: '/console/keys',
  m: '/console/models',
  h: '/console/health',
};
/** Time after `g` in which the next key selects a page. */
const leadMs = 1_500;

export interface Opened {
  readonly find: () => void;
  readonly help: () => void;
}

/** Ignored while typing; all but ⌘K can be turned off. */
export function useShortcuts({ find, help }: Opened): void {
  const { route } = useLocation();
  useEffect(() => {
    let leadAt = Number.NEGATIVE_INFINITY;
    const press = (event: KeyboardEvent) => {
      const { key, metaKey, ctrlKey, altKey, timeStamp } = event;
      if ((metaKey || ctrlKey) && key === 'k') {
        event.preventDefault();
        return find();
      }
      if (metaKey || ctrlKey || altKey || isTyped(event) || !areKeysOn()) return;
      if (timeStamp - leadAt < leadMs && pages[key] !== undefined) {
        leadAt = Number.NEGATIVE_INFINITY;
        return route(pages[key]);
      }
      leadAt = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY;
      if (key === '/') {
        event.preventDefault();
        find();
      }
      if (key === '?') help();
      if (key === 'j') step(1, route);
      if (key === 'k') step(-1, route);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [route, find, help]);
}

function isTyped({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest('input, textarea, select, dialog') !== null;
}

/** To another row; with open details, to another row's details. */
function step(by: number, route: (address: string, isReplaced: boolean) => void): void {
  const links = [
    ...document.querySelectorAll<HTMLElement>(
      'main tbody tr :is(th, td):first-child a:not(.drawer a)',
    ),
  ];
  const opened = links.findIndex((link) => link.closest('[aria-selected="true"]') !== null);
  const hasDrawer = document.querySelector('main .drawer') !== null;
  const at = hasDrawer ? opened : links.findIndex((link) => link.matches(':focus'));
  const link = links[Math.max(0, at + by)];
  if (hasDrawer) {
    link?.scrollIntoView({ block: 'nearest' });
    const address = link?.getAttribute('href');
    if (address) route(address, true);
  } else link?.focus();
}
