import { readFileSync } from 'node:fs';

/**
 * An icon's import is the `d` of its one path. A separate image would be a request, and markup
 * would have to be trusted.
 */
export const iconPlugin = {
  name: 'icons',
  load(id: string) {
    if (!/[/\\]heroicons[/\\].*\.svg$/.test(id)) return null;
    return `export default ${JSON.stringify(pathOf(readFileSync(id, 'utf8'), id))};`;
  },
};

/** All paths of an image as one. */
export function pathOf(svg: string, name: string): string {
  const paths = [...svg.matchAll(/<path [^>]*\bd="([^"]+)"/g)].map(([, d = '']) => d);
  const others = svg.match(/<(?!\/|svg\b|path\b)\w+/);
  if (paths.length === 0 || others !== null) throw new Error(`${name} is not made of paths`);
  return paths.join('');
}
