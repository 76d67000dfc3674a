import type { ComponentChildren } from 'preact';

interface ScrollingProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

export function Scrolling({ label, children }: ScrollingProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it.
    <section class="table-scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
