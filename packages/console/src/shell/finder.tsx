import type { FoundPage } from '@model-gateway/server/operations/documents';
import { useEffect, useId, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useRead } from '../data/read.ts';
import { withQuery } from '../data/with-query.ts';
import { Dialog } from '../parts/dialog.tsx';
import { en } from '../text/en.ts';

/** Preact's types know no combobox without the browser's list. */
const combobox: object = { role: 'combobox' };

const pauseMs = 200;

/** A combobox by the pattern of the ARIA practices. */
export function Finder({ onClose }: { readonly onClose: () => void }) {
  const { route } = useLocation();
  const [text, setText] = useState('');
  const [chosen, choose] = useState(0);
  const asked = useLater(text.trim());
  const found = useRead<FoundPage>(asked === '' ? undefined : withQuery('/find', { q: asked }));
  const id = useId();
  const items = (asked !== '' && found.data?.items) || [];
  const open = (href: string | undefined) => {
    if (href === undefined) return;
    onClose();
    route(href);
  };
  return (
    <Dialog title={en.finder.title} onClose={onClose}>
      <form
        class="finder"
        onSubmit={(event) => {
          event.preventDefault();
          open(items[chosen]?.href);
        }}
      >
        {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: its role is in what is spread. */}
        <input
          type="search"
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
        <div id={id} role="listbox" aria-label={en.finder.title}>
          {items.map(({ kind, label, href }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text field.
            <div
              key={href}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              onClick={() => open(href)}
            >
              <span class="kind">{kind}</span> {label}
            </div>
          ))}
        </div>
        <output>
          {asked !== '' && found.data?.items.length === 0 ? en.finder.none : found.failure?.message}
        </output>
      </form>
    </Dialog>
  );
}

function useLater(text: string): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
