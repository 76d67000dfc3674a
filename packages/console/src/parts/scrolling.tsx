import type { ComponentChildren } from 'preact';

interface ScrollingProps {
  readonly label: string;
  readonly isLong?: boolean;
  readonly children: ComponentChildren;
}

export function Scrolling({ label, isLong, children }: ScrollingProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it.
    <section class={isLong === true ? 'scroll long' : 'scroll'} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
