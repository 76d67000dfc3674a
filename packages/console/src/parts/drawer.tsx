import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface DrawerProps {
  readonly title: string;
  /** Below the title. */
  readonly note?: ComponentChildren;
  /** The page with the same content. */
  readonly href?: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Next to the page, which stays usable. Escape closes it and returns the focus. */
export function Drawer({ title, note, href, onClose, children }: DrawerProps) {
  const drawer = useRef<HTMLElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    drawer.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  useEffect(() => {
    const press = ({ key, defaultPrevented }: KeyboardEvent) => {
      // Escape closes only the top layer.
      const isCovered = document.querySelector('dialog[open], :popover-open') !== null;
      if (key === 'Escape' && !defaultPrevented && !isCovered) onClose();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [onClose]);
  return (
    <aside ref={drawer} class="drawer" aria-labelledby={id} tabIndex={-1}>
      <header>
        <div>
          <h2 id={id}>{title}</h2>
          {note}
        </div>
        {href !== undefined && (
          <a class="button quiet icon small" href={href} aria-label="Open as a page">
            <Icon of="open" />
          </a>
        )}
        <button type="button" class="quiet icon small" aria-label="Close" onClick={onClose}>
          <Icon of="close" />
        </button>
      </header>
      {children}
    </aside>
  );
}
