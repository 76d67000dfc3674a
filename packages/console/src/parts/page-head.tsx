import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { en } from '../text/en.ts';

interface HeadProps {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function PageHead({ title, note, children }: HeadProps) {
  useEffect(() => {
    document.title = `${title} · ${en.name}`;
  }, [title]);
  return (
    <header class="page-head">
      <h1>{title}</h1>
      {note !== undefined && <p class="note">{note}</p>}
      {children}
    </header>
  );
}
