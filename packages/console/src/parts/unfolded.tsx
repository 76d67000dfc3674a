import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface UnfoldedProps {
  readonly summary: string;
  readonly children: ComponentChildren;
}

/** Tables below a clickable line; rendered when they are opened. */
export function Unfolded({ summary, children }: UnfoldedProps) {
  const [isOpen, open] = useState(false);
  return (
    <details class="table" onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && children}
    </details>
  );
}
