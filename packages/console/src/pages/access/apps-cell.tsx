/** The apps that a login, token or webhook is limited to. */
export function AppsCell({ of }: { readonly of: readonly string[] | null }) {
  if (of === null) return <>all apps</>;
  const names = of.join(', ');
  return (
    <span class="cut" title={names}>
      {names}
    </span>
  );
}
