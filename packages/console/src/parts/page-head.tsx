import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { en } from '../text/en.ts';

interface HeadProps {
  readonly title: string;
  /** In place of the title's text. */
  readonly shown?: ComponentChildren;
  /** Null before it has arrived. */
  readonly note?: ComponentChildren;
  /** The pages above this one. */
  readonly crumbs?: ComponentChildren;
  /** Right of the title: a state, buttons. */
  readonly children?: ComponentChildren;
}

export function PageHead({ title, shown, note, crumbs, children }: HeadProps) {
  useEffect(() => {
    document.title = `${title} · ${en.name}`;
  }, [title]);
  return (
    <div class="page-head">
      <div>
        {crumbs !== undefined && (
          <nav class="crumbs" aria-label="Breadcrumb">
            {crumbs}
          </nav>
        )}
        <h1>{shown ?? title}</h1>
        {note !== undefined && <p>{note ?? '\u00a0'}</p>}
      </div>
      {children !== undefined && <div class="row">{children}</div>}
    </div>
  );
}
