/**
 * Positions a popover below the button that opens it, or above it near the end of the window. Not
 * every browser has CSS anchors, which do the same.
 */
export function placeByButton({ currentTarget: box }: preact.TargetedToggleEvent<HTMLElement>) {
  const button = document.querySelector(`[popovertarget="${CSS.escape(box.id)}"]`);
  if (button === null || !box.matches(':popover-open')) return;
  const { top, bottom, left, right } = button.getBoundingClientRect();
  const { offsetHeight, offsetWidth, style } = box;
  const gap = 4;
  const isAbove = bottom + gap + offsetHeight > innerHeight && top > innerHeight - bottom;
  const start = left + offsetWidth > innerWidth ? right - offsetWidth : left;
  style.top = `${isAbove ? Math.max(gap, top - gap - offsetHeight) : bottom + gap}px`;
  style.left = `${Math.max(gap, Math.min(start, innerWidth - offsetWidth - gap))}px`;
}
