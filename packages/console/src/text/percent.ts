/** Truncated to a tenth of a percent, never rounded: `0.3%`; `<0.1%` for a smaller part. */
export function percentText(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0%';
  return part * 1_000 < whole ? '<0.1%' : `${Math.floor((part * 1_000) / whole) / 10}%`;
}
