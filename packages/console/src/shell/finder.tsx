import type { SearchPage, SearchResult } from '@model-gateway/server/operations/documents';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useRead } from '../data/read.ts';
import { useSession } from '../data/session.ts';
import { withQuery } from '../data/with-query.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { en } from '../text/en.ts';
import { groups, isShownTo } from './navigation.tsx';

/** Preact's types have no combobox without the browser's list. */
const combobox: object = { role: 'combobox' };

const pauseMs = 200;

interface Item {
  readonly kind: SearchResult['kind'] | 'page';
  readonly label: string;
  readonly href: string;
}

/** Pages at once, and the service's results. A combobox by the pattern of the ARIA practices. */
export function Finder({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { route } = useLocation();
  const [text, setText] = useState('');
  const [chosen, choose] = useState(0);
  const searchText = useDebounced(text.trim());
  const results = useRead<SearchPage>(
    searchText === '' ? undefined : withQuery('/find', { q: searchText }),
  );
  const id = useId();
  const pages = usePages(text.trim());
  const items: readonly Item[] = [...pages, ...((searchText !== '' && results.data?.items) || [])];
  const isNone = searchText !== '' && results.data !== undefined && items.length === 0;
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  const open = (href: string | undefined) => {
    if (href === undefined) return;
    onClose();
    route(href);
  };
  return (
    <dialog ref={dialog} class="palette" aria-label={en.finder.title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          open(items[chosen]?.href);
        }}
      >
        {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: the spread has its role. */}
        <input
          // A search field would take the first Escape for itself.
          type="text"
          {...combobox}
          aria-label={en.finder.label}
          placeholder={en.finder.label}
          aria-controls={id}
          aria-expanded={items.length > 0}
          aria-activedescendant={items[chosen] === undefined ? undefined : `${id}-${chosen}`}
          autocomplete="off"
          spellcheck={false}
          autofocus
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            choose(0);
          }}
          onKeyDown={(event) => {
            const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (by === undefined) return;
            event.preventDefault();
            choose((at) => Math.min(items.length - 1, Math.max(0, at + by)));
          }}
        />
        <Results id={id} items={items} chosen={chosen} open={open} />
        <output class={isNone || results.failure !== undefined ? 'body' : 'hide'}>
          {isNone ? en.finder.none : results.failure?.message}
        </output>
        <footer>
          <kbd>↵</kbd> {en.finder.hints.open} <kbd>↑</kbd>
          <kbd>↓</kbd> {en.finder.hints.move} <kbd>Esc</kbd> {en.finder.hints.close}
        </footer>
      </form>
    </dialog>
  );
}

interface ResultsProps {
  readonly id: string;
  readonly items: readonly Item[];
  readonly chosen: number;
  readonly open: (href: string) => void;
}

function Results({ id, items, chosen, open }: ResultsProps) {
  return (
    <div id={id} role="listbox" aria-label={en.finder.title}>
      {items.map(({ kind, label, href }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys.
        <div
          key={`${kind} ${href}`}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          title={label}
          onClick={() => open(href)}
        >
          <Icon of={icons[kind]} />
          <span class="cut">{label}</span>
          <span class="note">{en.finder.kinds[kind]}</span>
        </div>
      ))}
    </div>
  );
}

const icons: Readonly<Record<Item['kind'], IconName>> = {
  ...{ page: 'right', app: 'apps', key: 'key', user: 'user', call: 'calls', run: 'activity' },
  model: 'model',
};

/** All pages while the text is empty. */
function usePages(text: string): readonly Item[] {
  const session = useSession();
  const searchText = text.toLowerCase();
  return groups
    .flatMap(({ pages }) => pages)
    .filter((page) => isShownTo(session, page))
    .map(({ name, href }) => ({ kind: 'page' as const, label: en.pages[name], href }))
    .filter(({ label }) => label.toLowerCase().includes(searchText));
}

function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}
