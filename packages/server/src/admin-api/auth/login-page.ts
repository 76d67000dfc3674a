/**
 * The session's cookie is not sent with another site's link. The page secret is behind the `#`,
 * which browsers do not send; the console removes it at once.
 */
export function pageTo(path: string, pageSecret: string | undefined): string {
  const href = escaped(pageSecret === undefined ? path : `${path}#secret=${pageSecret}`);
  return page(
    'Logged in',
    `<meta http-equiv="refresh" content="0;url=${href}">`,
    `<p><a href="${href}">Go on</a></p>`,
  );
}

export function pageOfRefusal(why: string): string {
  const again = '<p><a href="/console/">Back to the login</a></p>';
  return page('Not logged in', '', `<h1>Not logged in</h1><p>${escaped(why)}</p>${again}`);
}

function page(title: string, head: string, body: string): string {
  const meta = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">';
  return `<!doctype html><html lang="en"><head>${meta}<title>${title}</title>${head}</head><body><main>${body}</main></body></html>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
