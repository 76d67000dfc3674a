import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { en } from '../text/en.ts';

export function Long({ children }: { readonly children: ComponentChildren }) {
  const text = useRef<HTMLDivElement>(null);
  const [isCut, setCut] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const { current } = text;
    if (current === null || isOpen) return;
    const observer = new ResizeObserver(() => setCut(current.scrollHeight > current.clientHeight));
    observer.observe(current);
    return () => observer.disconnect();
  }, [children, isOpen]);
  return (
    <div class="long">
      <div
        ref={text}
        class={isOpen ? undefined : 'cut'}
        title={isCut ? (text.current?.textContent ?? undefined) : undefined}
      >
        {children}
      </div>
      {isCut && (
        <button type="button" class="copy" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? en.less : en.more}
        </button>
      )}
    </div>
  );
}
