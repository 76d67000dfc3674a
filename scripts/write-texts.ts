// Writes docs/texts/*.txt, the texts that the product shows. A test compares them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createProject } from './tidy/project.ts';
import { repositoryFiles } from './tidy/repository.ts';
import { catalogsOf } from './words/catalogs.ts';
import { readTexts } from './words/texts.ts';

const { sources } = createProject(repositoryFiles().filter(({ path }) => /\/src\//.test(path)));
mkdirSync(new URL('../docs/texts', import.meta.url), { recursive: true });
for (const [path, text] of catalogsOf(readTexts(sources))) {
  writeFileSync(new URL(`../${path}`, import.meta.url), text);
}
