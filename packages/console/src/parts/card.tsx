import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface CardProps {
  readonly title: string;
  /** Columns of the twelve in a grid, on wide screens; all by default. */
  readonly span?: 4 | 5 | 6 | 7 | 8;
  /** Right of the title: a legend, a link, buttons. */
  readonly aside?: ComponentChildren;
  readonly footer?: ComponentChildren;
  /** Tables and lists reach the edges. */
  readonly isFlush?: boolean;
  readonly id?: string;
  /** Before its neighbors on narrow screens. */
  readonly isFirst?: boolean;
  readonly children: ComponentChildren;
}

export function Card({ title, span, aside, footer, isFlush, id, ...more }: CardProps) {
  const name = useId();
  const { isFirst, children } = more;
  const className = `card${span === undefined ? '' : ` c${span}`}${isFirst === true ? ' first' : ''}`;
  return (
    <section id={id} class={className} aria-labelledby={name}>
      <header>
        <h2 id={name}>{title}</h2>
        {aside}
      </header>
      {isFlush === true ? children : <div class="body">{children}</div>}
      {footer !== undefined && <footer>{footer}</footer>}
    </section>
  );
}

/** Cards side by side, of equal height. */
export function Grid({ children }: { readonly children: ComponentChildren }) {
  return <div class="grid even">{children}</div>;
}
