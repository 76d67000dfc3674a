/** An amount that is copied has all its digits, whatever is shown of it. */
export function copyExactAmounts(): void {
  document.addEventListener('copy', (event) => {
    const selection = document.getSelection();
    const exact = selection === null ? undefined : exactTextOf(selection);
    if (exact === undefined || event.clipboardData === null) return;
    event.clipboardData.setData('text/plain', exact);
    event.preventDefault();
  });
}

/** The whole amount where nothing but one that was cut is selected; else undefined. */
export function exactTextOf(selection: Pick<Selection, 'anchorNode' | 'toString'>) {
  const { anchorNode: node } = selection;
  const element = node instanceof HTMLElement ? node : node?.parentElement;
  const amount = element?.closest('.money[title]');
  const isWhole = amount?.textContent?.trim() === selection.toString().trim();
  return isWhole ? (amount?.getAttribute('title') ?? undefined) : undefined;
}
