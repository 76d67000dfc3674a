/** Lines outside of code blocks. */
export function proseLines(text: string): readonly { prose: string; line: number }[] {
  let isFenced = false;
  return text.split('\n').flatMap((prose, index) => {
    const isFence = /^\s*(```|~~~)/.test(prose);
    if (isFence) isFenced = !isFenced;
    return isFence || isFenced ? [] : [{ prose, line: index + 1 }];
  });
}

/** The targets of the relative links of a text. */
export function linksIn(text: string): readonly string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  return links.filter((link) => !/^([a-z]+:|<)/i.test(link));
}

/** The anchors of a document: of its headings, in GitHub's form, and the explicit ones. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set([...text.matchAll(/<a id="([^"]+)">/g)].map((match) => match[1] ?? ''));
  for (const { prose } of proseLines(text)) {
    const [, heading] = /^#{1,6} (.*)$/.exec(prose) ?? [];
    if (heading === undefined) continue;
    const anchor = anchorOf(heading);
    let number = 1;
    let free = anchor;
    while (anchors.has(free)) free = `${anchor}-${number++}`;
    anchors.add(free);
  }
  return anchors;
}

function anchorOf(heading: string): string {
  const shown = heading.trim().replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return shown
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}
